/** Lays rows out as a table that fits the terminal (cli.md section 3). */
import { escapeLine } from "../base/text.ts";
import { isUuid } from "../base/uuid.ts";
import { NOTHING, type Shown, shownCell } from "./cell.ts";
import type { Styles } from "./color.ts";
import { fitColumns, GAP, type Wish } from "./fit.ts";
import type { Formatter, RenderOptions } from "./formatter.ts";
import { type Column, columnsNamed } from "./select.ts";
import { loadTextMeasure, type TextMeasure } from "./text-measure.ts";

/** A column of a table; its header is safe to show. */
interface TableColumn extends Column {
  readonly header: string;
  /** Whether it is left out while nothing stands in it. */
  readonly isOptional: boolean;
}

/** Bold headers over columns without borders. Off a terminal nothing is cut. No rows: no text. */
export async function tableFormatter(options: RenderOptions): Promise<Formatter> {
  const { out, paint, fields, optional = [] } = options;
  const now = out.isTerminal ? options.now : undefined;
  const { default: Table } = await import("cli-table3");
  const ruler = await loadTextMeasure();
  const room = out.isTerminal ? out.columns : Number.POSITIVE_INFINITY;
  const all: TableColumn[] = columnsNamed(fields ?? options.columns).map((column) => ({
    ...column,
    header: escapeLine(column.name.toUpperCase()),
    isOptional: fields === undefined && optional.includes(column.name),
  }));
  const given: Shown[][] = [];

  const text = (): string => {
    const { columns, rows } = withoutEmpty(all, given);
    const widths = widthsOf(columns, rows, room, ruler);
    // Columns without room are told of by a sign, not left out in silence.
    const more = widths.length < columns.length ? "…" : "";
    const pattern = patternOf(more === "" ? widths : [...widths, more.length], Table);
    const line = (texts: readonly string[]): string => {
      let next = 0;
      return `${pattern.replace(/x+/g, () => texts[next++] ?? more).trimEnd()}\n`;
    };
    const headers = widths.map((width, index) =>
      padded(headerCell(columns[index]?.header ?? "", width, ruler), width, ruler, paint),
    );
    const lines = rows.map((cells) =>
      line(widths.map((width, index) => padded(cells[index], width, ruler, paint))),
    );
    return line(headers) + lines.join("");
  };

  return {
    rows: (more) => {
      for (const row of more) {
        const cells = all.map(({ name, read }) => shownCell(name, read(row), now));
        // What is wider than the terminal need not be kept until the end.
        given.push(cells.map((cell) => ({ ...cell, text: ruler.cut(cell.text, room) })));
      }
      return "";
    },
    end: () => (given.length === 0 ? "" : text()),
  };
}

/**
 * A line of the table with a run of `x` for each cell. Only stand-ins are left to cli-table3, once
 * for all rows: it measures wide characters by an older rule, and its time grows with the square of
 * the rows.
 */
function patternOf(widths: readonly number[], Table: typeof import("cli-table3")): string {
  const table = new Table({ chars: BORDERLESS, style: UNSTYLED });
  table.push(widths.map((width) => "x".repeat(width)));
  return table.toString();
}

/** A cell of exactly that width. */
function padded(cell: Shown | undefined, width: number, ruler: TextMeasure, paint: Styles): string {
  const text = ruler.cut(cell?.text ?? "", width);
  const blanks = " ".repeat(Math.max(0, width - ruler.width(text)));
  const painted = cell?.style === undefined ? text : paint[cell.style](text);
  return (cell?.address === undefined ? painted : paint.link(painted, cell.address)) + blanks;
}

/** Of a path that is too long its last steps are shown: several columns may begin alike. */
function headerCell(header: string, width: number, ruler: TextMeasure): Shown {
  if (!isPath(header) || ruler.width(header) <= width) return { text: header, style: "bold" };
  const step = [...header.matchAll(/[.[]/g)].find(
    ({ index }) => ruler.width(header.slice(index)) < width,
  );
  const end = step === undefined ? ruler.tail(header, width - 1) : header.slice(step.index);
  return { text: `…${end}`, style: "bold" };
}

function isPath(header: string): boolean {
  return /[.[]/.test(header);
}

/** The columns that have something to show, with their cells. */
function withoutEmpty(
  columns: readonly TableColumn[],
  rows: readonly (readonly Shown[])[],
): { readonly columns: readonly TableColumn[]; readonly rows: readonly (readonly Shown[])[] } {
  const shown = columns.map(
    ({ isOptional }, index) => !isOptional || rows.some((row) => row[index]?.text !== NOTHING),
  );
  if (shown.every(Boolean)) return { columns, rows };
  const kept = <Item>(items: readonly Item[]): Item[] => items.filter((_, index) => shown[index]);
  return { columns: kept(columns), rows: rows.map(kept) };
}

const UNSTYLED = { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true };

const BORDERLESS = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: " ".repeat(GAP),
};

function widthsOf(
  columns: readonly TableColumn[],
  rows: readonly (readonly Shown[])[],
  room: number,
  ruler: TextMeasure,
): number[] {
  const wishes = columns.map(({ header }, index): Wish => {
    const texts = rows.map((row) => row[index]?.text ?? NOTHING);
    return {
      cells: texts.map((text) => ruler.width(text)),
      header: ruler.width(header),
      isPath: isPath(header),
      isId: texts.some(isUuid) && texts.every((text) => isUuid(text) || text === NOTHING),
    };
  });
  return fitColumns(wishes, room);
}
