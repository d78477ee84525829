/** Prints rows as a table that fits the terminal, and one course as a block. */
import { escapeLine } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import { FIELD_NAMES } from "../course/fields.ts";
import { columnsNamed, NO_VALUE, projector, type StyledCell, styledCell } from "./cells.ts";
import { type Formatter, type RenderOptions, rowFormatter } from "./renderer.ts";
import { loadTextMeasure, messageWrapper, type Styles, type TextMeasure } from "./text-measure.ts";

/** A column with its cells, and two widths: `width` fits the header and every cell, `least` the header, which is never cut. */
interface TableColumn {
  readonly name: string;
  /** Safe to show. */
  readonly header: string;
  readonly cells: readonly StyledCell[];
  readonly width: number;
  readonly least: number;
}

/** Headers that are shorter than the name of the column, because a long header takes space from other columns. */
const HEADERS: ReadonlyMap<string, string> = new Map([
  ["approval_status", "approval"],
  ["published", "live"],
]);

/** Shown instead of columns that do not fit. */
const MORE: TableColumn = { name: "", header: "…", cells: [], width: 1, least: 1 };

/**
 * Prints bold headers above columns without borders. The id is not shown where it would take space from
 * a name, unless `--fields` contains it. Without a terminal, nothing is cut. Prints nothing if there are no rows.
 */
export async function tableFormatter(options: RenderOptions): Promise<Formatter> {
  const { out, styles, fields, optional = [] } = options;
  const measure = await loadTextMeasure();
  const available = out.isTerminal ? out.columns : Number.POSITIVE_INFINITY;
  const columns = columnsNamed(fields ?? orderForPeople(options.columns)).map((column) => {
    const title = HEADERS.get(column.name) ?? column.name;
    const header = measure.cut(escapeLine(title.toUpperCase()), available);
    return { ...column, header, cells: [] as StyledCell[] };
  });
  const isShown = ({ name, cells }: Pick<TableColumn, "name" | "cells">): boolean =>
    fields !== undefined || !optional.includes(name) || cells.some(({ text }) => text !== NO_VALUE);

  return {
    rows: (rows) => {
      for (const row of rows) {
        for (const { name, read, cells } of columns) {
          const cell = styledCell(name, read(row));
          cells.push({ ...cell, text: measure.cut(cell.text, available) });
        }
      }
      return "";
    },
    end: async () => {
      const count = columns[0]?.cells.length ?? 0;
      if (count === 0) return "";
      const shown = columns.filter(isShown).map((column): TableColumn => {
        const least = measure.width(column.header);
        const widths = column.cells.map(({ text }) => measure.width(text));
        return {
          ...column,
          least,
          width: widths.reduce((most, each) => Math.max(most, each), least),
        };
      });
      const fitting = chooseColumns(shown, available, fields === undefined);
      return await draw(fitColumns(fitting, available), count, { measure, styles });
    },
  };
}

/** The columns with the name first, because people look for it, and the id last, because they copy it. */
function orderForPeople(columns: readonly string[]): readonly string[] {
  const others = columns.filter((name) => name !== "name" && name !== "id");
  return ["name", ...others, "id"].filter((name) => columns.includes(name));
}

/** The spaces between two columns. */
const GAP = 2;

/** The columns whose cells are useless unless they are complete. */
const WHOLE: ReadonlySet<string> = new Set(
  "id provider_id run time command published approval_status".split(" "),
);

/** The width to which a column can be reduced while there are others. */
function limitOf(names: number): (column: TableColumn) => number {
  const limits: Readonly<Record<string, number>> = { name: names, value: 20, service: 20 };
  return ({ name, width, least }) =>
    WHOLE.has(name) ? width : Math.min(width, Math.max(least, limits[name] ?? 6));
}

const [readable, least] = [limitOf(24), limitOf(12)];

/** The columns for which a line has space, with a sign for others; without the id if it would shorten a name. */
function chooseColumns(
  columns: readonly TableColumn[],
  available: number,
  mayOmitId: boolean,
): readonly TableColumn[] {
  const fits = (some: readonly TableColumn[], limit = least): boolean =>
    lineWidth(some, limit) <= available;
  const hasNameAndId = columns[0]?.name === "name" && columns.at(-1)?.name === "id";
  const isShort = mayOmitId && hasNameAndId && !fits(columns, readable);
  const all = isShort ? columns.slice(0, -1) : columns;
  if (fits(all)) return all;
  const some: TableColumn[] = [];
  for (const column of all) if (fits([...some, column, MORE])) some.push(column);
  return some.length > 0 ? [...some, MORE] : all.slice(0, 1);
}

/** The columns with widths that fit: the widest is reduced first. */
function fitColumns(columns: readonly TableColumn[], available: number): readonly TableColumn[] {
  const widths = columns.map(({ width }) => width);
  let excess = lineWidth(columns, ({ width }) => width) - available;
  for (const limit of [readable, least, () => 1]) {
    const limits = columns.map(limit);
    for (; excess > 0; excess--) {
      const reducible = widths.map((width, index) => (width > (limits[index] ?? 0) ? width : 0));
      const widest = Math.max(...reducible);
      if (widest === 0) break;
      widths[reducible.lastIndexOf(widest)] = widest - 1;
    }
  }
  return columns.map((column, index) => ({ ...column, width: widths[index] ?? 0 }));
}

/** The width of a line with columns of these widths. */
function lineWidth(
  columns: readonly TableColumn[],
  widthOf: (column: TableColumn) => number,
): number {
  return columns.reduce((total, column) => total + widthOf(column) + GAP, -GAP);
}

/** The time of cli-table3 grows with the square of the rows of a table. */
const ROWS_AT_ONCE = 100;

const EDGES = ["top", "bottom"].flatMap((edge) =>
  ["", "-left", "-mid", "-right"].map((place) => edge + place),
);

const BORDERLESS = {
  chars: {
    ...Object.fromEntries([...EDGES, "left", "right"].map((name) => [name, ""])),
    middle: " ".repeat(GAP),
  },
  style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
  // Cells already fit, because the library would cut inside emoji. For a log, the library also cuts each
  // cell to ten columns, which takes no time if this symbol fills all ten.
  truncate: "…".repeat(10),
};

async function draw(
  columns: readonly TableColumn[],
  count: number,
  { measure, styles }: { readonly measure: TextMeasure; readonly styles: Styles },
): Promise<string> {
  const { default: Table } = await import("cli-table3");
  const cellText = ({ text, style }: StyledCell, width: number): string => {
    const cut = measure.cut(text, width);
    return style === undefined ? cut : styles[style](cut);
  };
  const header = columns.map((each) => cellText({ text: each.header, style: "bold" }, each.width));
  let text = "";
  for (let start = 0; start < count; start += ROWS_AT_ONCE) {
    const table = new Table({ ...BORDERLESS, colWidths: columns.map(({ width }) => width) });
    if (start === 0) table.push(header);
    for (let row = start; row < Math.min(start + ROWS_AT_ONCE, count); row++) {
      table.push(columns.map(({ cells, width }) => cellText(cells[row] ?? { text: "…" }, width)));
    }
    for (const line of table.toString().split("\n")) text += `${line.trimEnd()}\n`;
  }
  return text;
}

/** The indentation of a value that continues below its field. */
const INDENT = 4;

/**
 * Prints each field that is set: known fields in their documented order, then unknown fields. Rows are separated by
 * an empty line. Lines are wrapped to the terminal.
 */
export async function blocksFormatter({ out, styles, fields }: RenderOptions): Promise<Formatter> {
  const { yamlText } = await import("../base/yaml-text.ts");
  const wrap = messageWrapper(out);
  let separator = "";
  return rowFormatter((row) => {
    const selected = projector(fields ?? orderKeys(row))(row);
    const set: unknown = JSON.parse(JSON.stringify(selected, (_, value) => value ?? undefined));
    const lines = yamlText(set).trimEnd().split("\n");
    const shown = lines.map((line) => {
      const styled = line.replace(/^[^\s:"]+(?=:)/, (name) => styles.cyan(name));
      return wrap(styled, /^[ -]/.test(line) ? 0 : INDENT);
    });
    const text = `${separator}${shown.join("\n")}\n`;
    separator = "\n";
    return text;
  });
}

function orderKeys(row: PlainObject): string[] {
  const known: string[] = FIELD_NAMES.filter((name) => Object.hasOwn(row, name));
  return [...known, ...Object.keys(row).filter((name) => !known.includes(name))];
}
