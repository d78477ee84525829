/** Prints rows as a table that fits the terminal. */
import { CollectedMemory } from "../base/memory.ts";
import { copyString, escapeLine } from "../base/text.ts";
import { type Column, columnsNamed, NO_VALUE, type StyledCell, styledCell } from "./cells.ts";
import type { Styles } from "./color.ts";
import { type ColumnRequest, countFitting, fitColumns, GAP, SHORT } from "./column-widths.ts";
import type { Formatter, RenderOptions } from "./renderer.ts";
import { loadTextMeasure, type TextMeasure } from "./text-measure.ts";

/** Bounds the memory of a cell until the widths are decided; wider than any terminal. */
const MAX_CELL = 10_000;

/** A column with its cells; the header is safe to show. */
interface TableColumn extends Pick<Column, "name"> {
  readonly header: string;
  readonly cells: readonly StyledCell[];
}

/** Headers that differ from the name of the column: a long one takes space from the others. */
const HEADERS: ReadonlyMap<string, string> = new Map([["approval_status", "approval"]]);

/** Headers up to this width are shortened no sooner than the text below them. */
const SHORT_HEADER = 9;

/** The columns whose cells are cut last. */
const IDS: ReadonlySet<string> = new Set(["id", "provider_id", "run"]);

/** The widths below which columns are not cut to make space for the id; others: `SHORT`. */
const READABLE: ReadonlyMap<string, number> = new Map([
  ["name", 30],
  ["id", Number.POSITIVE_INFINITY],
]);

/** Stands for columns that do not fit. */
const MORE: TableColumn = { name: "", header: "…", cells: [] };

/**
 * Bold headers above columns without borders. The id is left out where it would take space from a
 * name, unless `--fields` has it. Off a terminal nothing is cut. No rows: no text.
 */
export function tableFormatter(options: RenderOptions): Formatter {
  const { out, styles, fields, optional = [] } = options;
  // Off a terminal, programs may read the table: its columns are those of the other formats.
  const isForPeople = out.isTerminal;
  const now = isForPeople ? options.now : undefined;
  const available = isForPeople ? out.columns : Number.POSITIVE_INFINITY;
  const names = fields ?? (isForPeople ? orderForPeople(options.columns) : options.columns);
  const columns = columnsNamed(names).map((column) => {
    const title = (isForPeople ? HEADERS.get(column.name) : undefined) ?? column.name;
    return { ...column, header: escapeLine(title.toUpperCase()), cells: [] as StyledCell[] };
  });
  const collected = new CollectedMemory();
  const isShown = ({ name, cells }: TableColumn): boolean =>
    fields !== undefined || !optional.includes(name) || cells.some(({ text }) => text !== NO_VALUE);

  return {
    rows: async (rows) => {
      for (const row of rows) {
        const added = columns.map(({ name, read, cells }) => {
          const cell = styledCell(name, read(row), now);
          const isLong = isForPeople && cell.text.length > MAX_CELL;
          const kept = isLong ? { ...cell, text: copyString(cell.text.slice(0, MAX_CELL)) } : cell;
          cells.push(kept);
          return kept;
        });
        await collected.add(added);
      }
      return "";
    },
    end: async () => {
      const count = columns[0]?.cells.length ?? 0;
      if (count === 0) return "";
      const measure = await loadTextMeasure();
      const { shown, widths } = layOut(
        columns.filter(isShown),
        available,
        fields !== undefined,
        measure,
      );
      const header = shown.map((column, index) => headerCell(column, widths[index] ?? 0, measure));
      const rows = Array.from({ length: count }, (_, row) =>
        shown.map(({ cells }) => cells[row] ?? { text: MORE.header }),
      );
      return await draw([header, ...rows], widths, { measure, styles });
    },
  };
}

/** The name first, because people look for it, and the id last, because they copy it. */
function orderForPeople(columns: readonly string[]): readonly string[] {
  const others = columns.filter((name) => name !== "name" && name !== "id");
  const has = (name: string): string[] => (columns.includes(name) ? [name] : []);
  return [...has("name"), ...others, ...has("id")];
}

/** The columns that a line has space for, and their widths. */
function layOut(
  columns: readonly TableColumn[],
  available: number,
  areNamed: boolean,
  measure: TextMeasure,
): { readonly shown: readonly TableColumn[]; readonly widths: readonly number[] } {
  const fitting = countFitting(available);
  const shown = columns.length > fitting ? [...columns.slice(0, fitting - 1), MORE] : columns;
  const requests = shown.map((column) => requestOf(column, available, measure));
  const widths = fitColumns(requests, available);
  const isCramped = shown.some(({ name }, index) => {
    const least = Math.min(READABLE.get(name) ?? SHORT, requests[index]?.content ?? 0);
    return (widths[index] ?? 0) < least;
  });
  const others = columns.filter(({ name }) => name !== "id");
  const canOmit = !areNamed && others.length < columns.length && others.some(isName);
  return isCramped && canOmit ? layOut(others, available, areNamed, measure) : { shown, widths };
}

function isName({ name }: TableColumn): boolean {
  return name === "name";
}

function requestOf(
  { name, header, cells }: TableColumn,
  available: number,
  measure: TextMeasure,
): ColumnRequest {
  const content = cells.reduce(
    (widest, { text }) => Math.max(widest, measure.width(measure.cut(text, available))),
    1,
  );
  const headerWidth = measure.width(header);
  return {
    width: Math.min(available, Math.max(content, headerWidth)),
    content: Math.max(content, Math.min(headerWidth, SHORT_HEADER)),
    isId: IDS.has(name),
  };
}

/** Of a path that is too long, the end is shown: several columns may begin alike. */
function headerCell({ header }: TableColumn, width: number, measure: TextMeasure): StyledCell {
  const isCutPath = /[.[]/.test(header) && measure.width(header) > width;
  const text = isCutPath ? `…${measure.tail(header, width - 1)}` : header;
  return { text, style: "bold" };
}

/** The time of cli-table3 grows with the square of the rows of a table. */
const ROWS_AT_ONCE = 100;

const LINES = ["top", "mid", "bottom"].flatMap((line) =>
  ["", "-left", "-mid", "-right"].map((place) => line + place),
);

/** Without borders. The cells fit already, so the symbol is never seen: the library cuts a copy of
 * each cell to ten columns for its log, which a symbol of that width makes short work. */
const STYLE = {
  chars: {
    ...Object.fromEntries([...LINES, "left", "left-mid", "right"].map((name) => [name, ""])),
    middle: " ".repeat(GAP),
  },
  style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
  truncate: "…".repeat(10),
};

async function draw(
  rows: readonly (readonly StyledCell[])[],
  widths: readonly number[],
  { measure, styles }: { readonly measure: TextMeasure; readonly styles: Styles },
): Promise<string> {
  const { default: Table } = await import("cli-table3");
  let text = "";
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const table = new Table({ ...STYLE, colWidths: [...widths] });
    for (const row of rows.slice(start, start + ROWS_AT_ONCE)) {
      table.push(
        row.map((cell, index) => {
          const cut = measure.cut(cell.text, widths[index] ?? 0);
          const styled = cell.style === undefined ? cut : styles[cell.style](cut);
          return cell.link === undefined ? styled : styles.link(styled, cell.link);
        }),
      );
    }
    text += `${table.toString()}\n`;
  }
  return text.replace(/ +$/gm, "");
}
