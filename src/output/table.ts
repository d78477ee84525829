/** Prints rows as a table that fits the terminal. */
import { copyString, escapeLine } from "../base/text.ts";
import { columnsNamed, NO_VALUE, type StyledCell, styledCell } from "./cells.ts";
import type { Styles } from "./color.ts";
import type { Formatter, RenderOptions } from "./renderer.ts";
import { loadTextMeasure, type TextMeasure } from "./text-measure.ts";

/** The most characters of a cell that are kept: more than a terminal has columns, but they need little memory. */
const MAX_CELL = 10_000;

/** A column with its cells; the header is safe to show. */
interface TableColumn {
  readonly name: string;
  readonly header: string;
  readonly cells: readonly StyledCell[];
}

/** Headers that are shorter than the name of the column, because a long header takes space from other columns. */
const HEADERS: ReadonlyMap<string, string> = new Map([["approval_status", "approval"]]);

/** Shown instead of columns that do not fit. */
const MORE: TableColumn = { name: "", header: "…", cells: [] };

/**
 * Prints bold headers above columns without borders. The id is not shown where it would take space from
 * a name, unless `--fields` contains it. Without a terminal, nothing is cut. Prints nothing if there are no rows.
 */
export function tableFormatter(options: RenderOptions): Formatter {
  const { out, styles, fields, optional = [] } = options;
  // Without a terminal, programs may read the table, so it has the columns of other formats.
  const isForPeople = out.isTerminal;
  const now = isForPeople ? options.now : undefined;
  const available = isForPeople ? out.columns : Number.POSITIVE_INFINITY;
  const names = fields ?? (isForPeople ? orderForPeople(options.columns) : options.columns);
  const columns = columnsNamed(names).map((column) => {
    const title = (isForPeople ? HEADERS.get(column.name) : undefined) ?? column.name;
    return { ...column, header: escapeLine(title.toUpperCase()), cells: [] as StyledCell[] };
  });
  const isShown = ({ name, cells }: TableColumn): boolean =>
    fields !== undefined || !optional.includes(name) || cells.some(({ text }) => text !== NO_VALUE);

  return {
    rows: async (rows) => {
      for (const row of rows) {
        for (const { name, read, cells } of columns) {
          const cell = styledCell(name, read(row), now);
          const isLong = isForPeople && cell.text.length > MAX_CELL;
          const kept = isLong ? { ...cell, text: copyString(cell.text.slice(0, MAX_CELL)) } : cell;
          cells.push(kept);
        }
      }
      return "";
    },
    end: async () => {
      const count = columns[0]?.cells.length ?? 0;
      if (count === 0) return "";
      const measure = await loadTextMeasure();
      const tools = { available, measure, styles };
      return await draw(layOut(columns.filter(isShown), tools, fields === undefined), count, tools);
    },
  };
}

interface Tools {
  readonly available: number;
  readonly measure: TextMeasure;
  readonly styles: Styles;
}

/** The columns with the name first, because people look for it, and the id last, because they copy it. */
function orderForPeople(columns: readonly string[]): readonly string[] {
  const others = columns.filter((name) => name !== "name" && name !== "id");
  return ["name", ...others, "id"].filter((name) => columns.includes(name));
}

/** The spaces between two columns. */
const GAP = 2;
/** The least width of a column. */
const MINIMUM = 3;

/** The columns that a line has space for, with their widths. */
function layOut(
  columns: readonly TableColumn[],
  tools: Tools,
  mayOmitId: boolean,
): (TableColumn & { readonly width: number })[] {
  const { available } = tools;
  const fitting = Math.max(1, Math.floor((available + GAP) / (MINIMUM + GAP)));
  const shown = columns.length > fitting ? [...columns.slice(0, fitting - 1), MORE] : columns;
  const needs = shown.map((column) => needsOf(column, tools));
  const space = available - GAP * (shown.length - 1);
  const hasNameAndId = columns[0]?.name === "name" && shown.at(-1)?.name === "id";
  if (mayOmitId && hasNameAndId && sum(needs.map(({ readable }) => readable)) > space) {
    return layOut(columns.slice(0, -1), tools, false);
  }
  const widths = fitWidths(needs, space);
  return shown.map((column, index) => ({ ...column, width: widths[index] ?? 0 }));
}

/** Widths of a column, from the one at which nothing is cut to the least. */
type Needs = Readonly<Record<(typeof NEEDS)[number], number>>;

/** The widths in the order in which columns are reduced to them: long headers first, then text, ids last. */
const NEEDS = ["complete", "content", "readable", "whole", "least"] as const;

/** Headers and cells up to the first width, and names up to the second, are cut late. */
const SHORT = 10;
const READABLE_NAME = 30;

/** The columns whose cells are useless unless they are complete. */
const IDS: ReadonlySet<string> = new Set(["id", "provider_id", "run"]);

function needsOf({ name, header, cells }: TableColumn, { available, measure }: Tools): Needs {
  const widest = cells.reduce(
    (most, { text }) => Math.max(most, measure.width(measure.cut(text, available))),
    1,
  );
  const complete = Math.min(available, Math.max(widest, measure.width(header)));
  const content = Math.max(widest, Math.min(complete, SHORT));
  const least = Math.min(content, MINIMUM);
  if (IDS.has(name)) return { complete, content, readable: content, whole: content, least };
  const readable = Math.min(content, name === "name" ? READABLE_NAME : SHORT);
  return { complete, content, readable, whole: least, least };
}

/** Widths whose sum is at most `space` if possible; the widest column is reduced first. */
function fitWidths(columns: readonly Needs[], space: number): number[] {
  const widths = columns.map(({ complete }) => complete);
  let excess = sum(widths) - space;
  for (const need of NEEDS) {
    for (; excess > 0; excess--) {
      const reducible = widths.map((width, index) =>
        width > (columns[index]?.[need] ?? 0) ? width : 0,
      );
      const widest = Math.max(...reducible);
      if (widest === 0) break;
      widths[reducible.lastIndexOf(widest)] = widest - 1;
    }
  }
  return widths;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The header; a path that is too long is cut at the beginning, because several columns may begin alike. */
function headerText(header: string, width: number, measure: TextMeasure): string {
  const isCutPath = /[.[]/.test(header) && measure.width(header) > width;
  return isCutPath ? `…${measure.tail(header, width - 1)}` : header;
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
  columns: ReturnType<typeof layOut>,
  count: number,
  { measure, styles }: Tools,
): Promise<string> {
  const { default: Table } = await import("cli-table3");
  const cellText = ({ text, style, link }: StyledCell, width: number): string => {
    const cut = measure.cut(text, width);
    const styled = style === undefined ? cut : styles[style](cut);
    return link === undefined ? styled : styles.link(styled, link);
  };
  const header = columns.map(({ header, width }) =>
    cellText({ text: headerText(header, width, measure), style: "bold" }, width),
  );
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
