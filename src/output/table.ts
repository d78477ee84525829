/**
 * Prints rows as a table that fits the terminal. Without borders a table is padded cells, so no
 * library draws it: cli-table3 takes 0.2 ms per row, its time grows with the square of the rows,
 * and it misjudges the width of several scripts.
 */
import { CollectedMemory } from "../base/memory.ts";
import { copyString, escapeLine } from "../base/text.ts";
import { isUuid } from "../base/uuid.ts";
import { type Column, columnsNamed, NO_VALUE, type StyledCell, styledCell } from "./cells.ts";
import type { Styles } from "./color.ts";
import { type ColumnRequest, GAP, layOutColumns } from "./column-widths.ts";
import type { Formatter, RenderOptions } from "./renderer.ts";
import { loadTextMeasure, type TextMeasure } from "./text-measure.ts";

/** Bounds the memory of a cell until the widths are decided; wider than any terminal. */
const MAX_CELL = 10_000;

/** A column with its cells; the header is safe to show. */
interface TableColumn extends Column {
  readonly header: string;
  /** Whether the caller wants its cells complete. */
  readonly isNamed: boolean;
  readonly cells: StyledCell[];
}

/** Headers that differ from the name of the column: a long one takes space from the others. */
const HEADERS: ReadonlyMap<string, string> = new Map([["approval_status", "approval"]]);

/** Headers up to this width are shortened no sooner than the text below them. */
const SHORT_HEADER = 9;

/** The indentation of what continues below a row. */
const INDENT = 2;

/**
 * Bold headers above columns without borders. Ids are cut last: if the line is too narrow for them,
 * they continue below their row. Off a terminal nothing is cut. No rows: no text.
 */
export function tableFormatter(options: RenderOptions): Formatter {
  const { out, styles, fields, optional = [], complete = [] } = options;
  const now = out.isTerminal ? options.now : undefined;
  const available = out.isTerminal ? out.columns : Number.POSITIVE_INFINITY;
  // Off a terminal, programs may read the table: its columns are those of the other formats.
  const isForPeople = out.isTerminal;
  const names = fields ?? (isForPeople ? orderForPeople(options.columns) : options.columns);
  const columns: TableColumn[] = columnsNamed(names).map((column) => ({
    ...column,
    header: escapeLine(headerOf(column.name, isForPeople).toUpperCase()),
    isNamed: complete.includes(column.name),
    cells: [],
  }));
  const collected = new CollectedMemory();
  const isShown = ({ name, cells }: TableColumn): boolean =>
    fields !== undefined || !optional.includes(name) || cells.some(({ text }) => text !== NO_VALUE);

  return {
    rows: async (rows) => {
      for (const row of rows) {
        const added = columns.map(({ name, read, cells }) => {
          const cell = styledCell(name, read(row), now);
          const isLong = out.isTerminal && cell.text.length > MAX_CELL;
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
      const shown = columns.filter(isShown);
      const texts = shown.flatMap(({ header, cells }) => [
        header,
        ...cells.map(({ text }) => text),
      ]);
      const measure = await loadTextMeasure(texts);
      const requests = shown.map((column) => requestOf(column, available, measure));
      const { inline, widths, below } = layOutColumns(requests, available);
      // Columns that do not fit are indicated by a symbol.
      const more = inline.length + below.length < shown.length ? ["…"] : [];
      const tools = { measure, styles, available };
      const stacked = below.map((index) => {
        const width = requests[index]?.width ?? 0;
        return {
          index,
          width: shown[index]?.isNamed ? width : Math.min(width, available - INDENT),
        };
      });
      /** A row, or the header if it has no number. */
      const rowText = (row?: number): string => {
        const cellAt = (index: number, width: number): StyledCell => {
          const { header = "", cells } = shown[index] ?? {};
          return row === undefined
            ? headerCell(header, width, measure)
            : (cells?.[row] ?? { text: "" });
        };
        const first = inline.map((index, place) => {
          const width = widths[place] ?? 0;
          return pad(cellAt(index, width), width, tools);
        });
        const rest = stacked.map(({ index, width }) => ({ cell: cellAt(index, width), width }));
        return line([...first, ...more]) + linesBelow(rest, tools);
      };
      let text = rowText();
      for (let row = 0; row < count; row++) text += rowText(row);
      return text;
    },
  };
}

function headerOf(name: string, isForPeople: boolean): string {
  return (isForPeople ? HEADERS.get(name) : undefined) ?? name;
}

/** The name first, because people look for it, and the id last, because they copy it. */
function orderForPeople(columns: readonly string[]): readonly string[] {
  const others = columns.filter((name) => name !== "name" && name !== "id");
  const has = (name: string): string[] => (columns.includes(name) ? [name] : []);
  return [...has("name"), ...others, ...has("id")];
}

interface Tools {
  readonly measure: TextMeasure;
  readonly styles: Styles;
  readonly available: number;
}

/** Cells that continue below their row: next to each other if they fit, otherwise on separate lines. */
function linesBelow(
  cells: readonly { readonly cell: StyledCell; readonly width: number }[],
  tools: Tools,
): string {
  const needed = cells.reduce((total, { width }) => total + width + GAP, INDENT - GAP);
  const indent = " ".repeat(INDENT);
  if (needed <= tools.available) {
    const last = cells.findLastIndex(({ cell }) => cell.text !== NO_VALUE);
    const shown = cells.slice(0, last + 1).map(({ cell, width }) => pad(cell, width, tools));
    return shown.length === 0 ? "" : indent + line(shown);
  }
  return (
    cells
      .filter(({ cell }) => cell.text !== NO_VALUE)
      // A value that is too long is left to the terminal, so that it can be copied in one piece.
      .map(({ cell, width }) => line([indent + pad(cell, width, tools)]))
      .join("")
  );
}

/** The cells of a line with the spaces between them, ending the line. */
function line(cells: readonly string[]): string {
  return `${cells.join(" ".repeat(GAP)).trimEnd()}\n`;
}

function pad(
  cell: StyledCell,
  width: number,
  { measure, styles }: Pick<Tools, "measure" | "styles">,
): string {
  const text = measure.cut(cell.text, width);
  const padding = " ".repeat(Math.max(0, width - measure.width(text)));
  const styled = cell.style === undefined ? text : styles[cell.style](text);
  return (cell.link === undefined ? styled : styles.link(styled, cell.link)) + padding;
}

/** Of a path that is too long, the last steps are shown: several columns may begin alike. */
function headerCell(header: string, width: number, measure: TextMeasure): StyledCell {
  if (!isPath(header) || measure.width(header) <= width) return { text: header, style: "bold" };
  const step = [...header.matchAll(/[.[]/g)].find(
    ({ index }) => measure.width(header.slice(index)) < width,
  );
  const end = step === undefined ? measure.tail(header, width - 1) : header.slice(step.index);
  return { text: `…${end}`, style: "bold" };
}

function isPath(header: string): boolean {
  return /[.[]/.test(header);
}

function requestOf(
  { header, cells, isNamed }: TableColumn,
  available: number,
  measure: TextMeasure,
): ColumnRequest {
  const texts = cells.map(({ text }) => text);
  const hasIds = texts.some(isUuid) && texts.every((text) => isUuid(text) || text === NO_VALUE);
  const isComplete = isNamed || hasIds;
  const limit = isNamed ? Number.POSITIVE_INFINITY : available;
  const content = texts.reduce(
    (widest, text) => Math.max(widest, measure.width(measure.cut(text, limit))),
    1,
  );
  const headerWidth = measure.width(header);
  return {
    width: Math.min(limit, Math.max(content, headerWidth)),
    content: Math.max(content, Math.min(headerWidth, SHORT_HEADER)),
    isComplete,
  };
}
