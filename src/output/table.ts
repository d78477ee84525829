/** Lays rows out as a table that fits the terminal (cli.md section 3). */
import { oneLine } from "../base/text.ts";
import { isUuid } from "../base/uuid.ts";
import { NOTHING, type Shown, shownCell } from "./cell.ts";
import type { Paint } from "./colour.ts";
import { fitColumns, GAP, type Wish } from "./fit.ts";
import type { Formatter, RenderOptions } from "./formatter.ts";
import { loadRuler, type Ruler } from "./ruler.ts";
import { type Column, columnsNamed } from "./select.ts";

/** A column of a table; its header is safe to show. */
interface TableColumn extends Column {
  readonly header: string;
}

/** Bold headers over columns without borders. Off a terminal nothing is cut. No rows: no text. */
export async function tableFormatter(options: RenderOptions): Promise<Formatter> {
  const { out, paint, fields } = options;
  const { default: Table } = await import("cli-table3");
  const ruler = await loadRuler();
  const room = out.isTerminal ? out.columns : Number.POSITIVE_INFINITY;
  const columns: TableColumn[] = columnsNamed(fields ?? options.columns).map((column) => ({
    ...column,
    header: oneLine(column.name.toUpperCase()),
  }));
  const rows: Shown[][] = [];

  const text = (): string => {
    const widths = widthsOf(columns, rows, room, ruler);
    // Columns without room are told of by a sign, not left out in silence.
    const more = widths.length < columns.length ? "…" : "";
    const pattern = patternOf(more === "" ? widths : [...widths, more.length], Table);
    const line = (cells: readonly Shown[]): string => {
      const texts = widths.map((width, index) => padded(cells[index], width, ruler, paint));
      let next = 0;
      return `${pattern.replace(/x+/g, () => texts[next++] ?? more).trimEnd()}\n`;
    };
    return [columns.map(({ header }): Shown => ({ text: header, style: "bold" })), ...rows]
      .map(line)
      .join("");
  };

  return {
    rows: (more) => {
      for (const row of more) {
        const cells = columns.map(({ name, read }) => shownCell(name, read(row)));
        // What is wider than the terminal need not be kept until the end.
        rows.push(cells.map((cell) => ({ ...cell, text: ruler.cut(cell.text, room) })));
      }
      return "";
    },
    end: () => (rows.length === 0 ? "" : text()),
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
function padded(cell: Shown | undefined, width: number, ruler: Ruler, paint: Paint): string {
  const text = ruler.cut(cell?.text ?? "", width);
  const blanks = " ".repeat(Math.max(0, width - ruler.width(text)));
  return (cell?.style === undefined ? text : paint[cell.style](text)) + blanks;
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
  ruler: Ruler,
): number[] {
  const wishes = columns.map(({ header }, index): Wish => {
    const texts = rows.map((row) => row[index]?.text ?? NOTHING);
    return {
      content: texts.reduce((widest, text) => Math.max(widest, ruler.width(text)), 0),
      header: ruler.width(header),
      isId: texts.some(isUuid) && texts.every((text) => isUuid(text) || text === NOTHING),
    };
  });
  return fitColumns(wishes, room);
}
