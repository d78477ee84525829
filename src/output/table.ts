/** Lays rows out as a table that fits the terminal (cli.md section 3). */
import { isUuid } from "../base/uuid.ts";
import { NOTHING, type Shown, shownCell } from "./cell.ts";
import { fitColumns, GAP, type Wish } from "./fit.ts";
import type { Formatter, RenderOptions } from "./render.ts";
import { loadRuler, type Ruler } from "./ruler.ts";
import { type Column, columnsNamed } from "./select.ts";

/** Bold headers over columns without borders. Off a terminal nothing is cut. No rows: no text. */
export async function tableFormatter(options: RenderOptions): Promise<Formatter> {
  const { out, paint, fields } = options;
  const { default: Table } = await import("cli-table3");
  const ruler = await loadRuler();
  const columns = columnsNamed(fields ?? options.columns);
  const room = out.isTerminal ? out.columns : Number.POSITIVE_INFINITY;
  const rows: Shown[][] = [];

  const cellOf = ({ name, read }: Column, row: Parameters<typeof read>[0]): Shown => {
    const cell = shownCell(name, read(row));
    return { ...cell, text: ruler.cut(cell.text, room) };
  };

  const text = (): string => {
    const widths = widthsOf(columns, rows, room, ruler);
    // Columns without room are told of by a sign, not left out in silence.
    const more = widths.length < columns.length ? ["…"] : [];
    const table = new Table({
      chars: BORDERLESS,
      style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
    });
    table.push([
      ...widths.map((width, index) =>
        paint.bold(ruler.fit(columns[index]?.name.toUpperCase() ?? "", width)),
      ),
      ...more,
    ]);
    for (const row of rows) {
      table.push([...widths.map((width, index) => painted(row[index], width)), ...more]);
    }
    const lines = table.toString().split("\n");
    return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
  };

  const painted = ({ text, style }: Shown = { text: "" }, width: number): string => {
    const short = ruler.cut(text, width);
    const blanks = ruler.fit(short, width).slice(short.length);
    return (style === undefined ? short : paint[style](short)) + blanks;
  };

  return {
    rows: (more) => {
      for (const row of more) rows.push(columns.map((column) => cellOf(column, row)));
      return "";
    },
    end: () => (rows.length === 0 ? "" : text()),
  };
}

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
  columns: readonly Column[],
  rows: readonly (readonly Shown[])[],
  room: number,
  ruler: Ruler,
): number[] {
  const wishes = columns.map(({ name }, index): Wish => {
    const texts = rows.map((row) => row[index]?.text ?? "");
    const content = texts.reduce((widest, text) => Math.max(widest, ruler.width(text)), 0);
    const header = ruler.width(name.toUpperCase());
    return {
      content,
      header,
      isId: texts.some(isUuid) && texts.every((text) => isUuid(text) || text === NOTHING),
    };
  });
  return fitColumns(wishes, room);
}
