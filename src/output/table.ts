/**
 * Prints rows as a table that fits the terminal. Without borders a table is padded cells, so no
 * library draws it: cli-table3 takes 0.2 ms per row, its time grows with the square of the rows,
 * and it misjudges the width of several scripts.
 */
import { escapeLine } from "../base/text.ts";
import { isUuid } from "../base/uuid.ts";
import { type Column, columnsNamed, NO_VALUE, type StyledCell, styledCell } from "./cells.ts";
import type { Styles } from "./color.ts";
import type { Formatter, RenderOptions } from "./renderer.ts";
import { loadTextMeasure, type TextMeasure } from "./text-measure.ts";

/** Bounds the memory of a cell until the widths are decided; wider than any terminal. */
const MAX_CELL = 10_000;

/** A column with its cells; the header is safe to show. */
interface TableColumn extends Column {
  readonly header: string;
  readonly cells: StyledCell[];
}

/** Bold headers above columns without borders. Off a terminal nothing is cut. No rows: no text. */
export function tableFormatter(options: RenderOptions): Formatter {
  const { out, styles, fields, optional = [] } = options;
  const now = out.isTerminal ? options.now : undefined;
  const available = out.isTerminal ? out.columns : Number.POSITIVE_INFINITY;
  const columns: TableColumn[] = columnsNamed(fields ?? options.columns).map((column) => ({
    ...column,
    header: escapeLine(column.name.toUpperCase()),
    cells: [],
  }));
  const isShown = ({ name, cells }: TableColumn): boolean =>
    fields !== undefined || !optional.includes(name) || cells.some(({ text }) => text !== NO_VALUE);

  return {
    rows: (rows) => {
      for (const row of rows) {
        for (const { name, read, cells } of columns) {
          const cell = styledCell(name, read(row), now);
          cells.push(out.isTerminal ? { ...cell, text: cell.text.slice(0, MAX_CELL) } : cell);
        }
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
      const widths = fitColumns(requests, available);
      // Columns that do not fit are indicated by a symbol.
      const more = widths.length < shown.length ? ["…"] : [];
      const headers = widths.map((width, index) =>
        pad(headerCell(shown[index]?.header ?? "", width, measure), width, measure, styles),
      );
      let text = line([...headers, ...more]);
      for (let row = 0; row < count; row++) {
        const cells = widths.map((width, index) =>
          pad(shown[index]?.cells[row], width, measure, styles),
        );
        text += line([...cells, ...more]);
      }
      return text;
    },
  };
}

/** The cells of a line with the spaces between them, ending the line. */
function line(cells: readonly string[]): string {
  return `${cells.join(" ".repeat(GAP)).trimEnd()}\n`;
}

/** A cell of exactly that width. */
function pad(
  cell: StyledCell | undefined,
  width: number,
  measure: TextMeasure,
  styles: Styles,
): string {
  const text = measure.cut(cell?.text ?? "", width);
  const padding = " ".repeat(Math.max(0, width - measure.width(text)));
  const styled = cell?.style === undefined ? text : styles[cell.style](text);
  return (cell?.link === undefined ? styled : styles.link(styled, cell.link)) + padding;
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

/** Columns whose values name something, like ids: a part of one would be useless. */
const NAMING = new Set(["run"]);

function requestOf(
  { name, header, cells }: TableColumn,
  available: number,
  measure: TextMeasure,
): ColumnRequest {
  const texts = cells.map(({ text }) => text);
  const content = texts.reduce(
    (widest, text) => Math.max(widest, measure.width(measure.cut(text, available))),
    1,
  );
  const hasIds = texts.some(isUuid) && texts.every((text) => isUuid(text) || text === NO_VALUE);
  const isId = hasIds || NAMING.has(name);
  const headerWidth = measure.width(header);
  const shortHeader = available < NARROW ? 0 : Math.min(headerWidth, SHORT_HEADER);
  return {
    width: Math.min(available, Math.max(content, headerWidth)),
    content: Math.max(content, shortHeader),
    isId,
  };
}

/** The width at which nothing of a column is cut, that without a long header, whether it has ids. */
export interface ColumnRequest {
  readonly width: number;
  readonly content: number;
  readonly isId: boolean;
}

/** The spaces between two columns. */
const GAP = 2;
/** The least width of a column. */
const MINIMUM = 3;
/** Cells up to this width are cut last; next to complete ids, those up to the second. */
const SHORT = 10;
const SHORT_BESIDE_IDS = 6;
/** Headers up to this width are shortened no sooner than the text below them. */
const SHORT_HEADER = 9;
/** On lines narrower than this, ids are cut like any text. */
const NARROW = 60;

/**
 * The widths of the columns in a line of `available` columns: the widest is shortened repeatedly. Ids
 * are complete unless the line is narrow or the other columns would become unreadable. If that is
 * not enough, the last columns are dropped: the result is shorter than the requests, and leaves
 * space for one more column of one character.
 */
export function fitColumns(requests: readonly ColumnRequest[], available: number): number[] {
  if (requests.length * (MINIMUM + GAP) - GAP > available) {
    const count = Math.max(1, Math.floor((available - 1) / (MINIMUM + GAP)));
    if (count < requests.length) return fitColumns(requests.slice(0, count), available - GAP - 1);
  }
  const widths = requests.map(({ width }) => width);
  const content = requests.map(({ width, content }) => Math.min(width, Math.max(MINIMUM, content)));
  const space = available - GAP * (widths.length - 1);
  const minimums = (short: number, keepsIds = false): number[] =>
    requests.map(({ width, content, isId }) =>
      keepsIds && isId ? width : Math.max(MINIMUM, Math.min(short, content)),
    );
  return (
    // A header is shortened before the text below it.
    shorten(widths, minimums(Number.POSITIVE_INFINITY), space) ??
    (available < NARROW ? undefined : shorten(content, minimums(SHORT_BESIDE_IDS, true), space)) ??
    shorten(content, minimums(SHORT), space) ??
    shorten(content, minimums(MINIMUM), space) ??
    minimums(MINIMUM)
  );
}

/** The widths within `space`, the widest shortened first; undefined if the minimums need more. */
function shorten(
  given: readonly number[],
  minimums: readonly number[],
  space: number,
): number[] | undefined {
  const widths = [...given];
  for (let left = widths.reduce((sum, width) => sum + width, 0) - space; left > 0; left--) {
    const shrinkable = widths.map((width, index) => (width > (minimums[index] ?? 0) ? width : 0));
    const widest = Math.max(...shrinkable);
    if (widest === 0) return undefined;
    widths[shrinkable.lastIndexOf(widest)] = widest - 1;
  }
  return widths;
}
