/** Decides how wide each column of a table is. */

/** What a column needs, before the line's width is distributed. */
export interface ColumnRequest {
  /** The width of each cell. */
  readonly cells: readonly number[];
  readonly header: number;
  /** Whether it contains ids, which are shown in full wherever possible. */
  readonly isId: boolean;
  /** Whether the header is a path, of which the end is informative enough. */
  readonly isPath?: boolean;
}

/** The spaces between two columns. */
export const GAP = 2;

const MINIMUM = 3;
/** Text is cut to this width to keep ids complete, and no further. */
const SOFT_MINIMUM = 6;
/** On lines narrower than this, ids are cut like any text. */
const NARROW = 60;
/** The value of a header's character compared with one that all cells have; and of its last one. */
const HEADER_VALUE = 0.4;
const LAST_OF_HEADER_VALUE = 0.3;

/**
 * The widths of the columns in a line of `available` columns. The column whose last character is
 * worth least is shortened repeatedly: the end of a long text is worth less than that of a short
 * one, a few long texts less than many, and a header less than the cells below it. Ids are complete
 * unless the line is narrow or the other columns would become unreadable. If even that is not
 * enough, the last columns are dropped: the result is shorter than the requests, and leaves space
 * for one more column of one character.
 */
export function fitColumns(requests: readonly ColumnRequest[], available: number): number[] {
  if (requests.length * (MINIMUM + GAP) - GAP > available) {
    const count = Math.max(1, Math.floor((available - 1) / (MINIMUM + GAP)));
    if (count < requests.length) return fitColumns(requests.slice(0, count), available - GAP - 1);
  }
  const widths = requests.map(({ cells, header }) =>
    Math.min(
      available,
      cells.reduce((widest, cell) => Math.max(widest, cell), Math.max(header, 1)),
    ),
  );
  const excess = widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1)) - available;
  if (excess <= 0) return widths;
  const columns = requests.map((request, index) =>
    valueCharacters(request, widths[index] ?? MINIMUM),
  );
  const withIds =
    available < NARROW ? undefined : shorten(columns, excess, ({ softMinimum }) => softMinimum);
  return (
    withIds ??
    shorten(columns, excess, () => MINIMUM) ??
    widths.map((width) => Math.min(width, MINIMUM))
  );
}

interface Column {
  /** The width at which nothing is cut. */
  readonly width: number;
  /** The width down to which it is shortened so that ids stay complete. */
  readonly softMinimum: number;
  /** What the last character is worth, by width. */
  readonly values: readonly number[];
}

function valueCharacters(
  { cells, header, isId, isPath = false }: ColumnRequest,
  width: number,
): Column {
  /** How many cells have each width; one that is wider than the line counts as that wide. */
  const ending = new Array<number>(width + 1).fill(0);
  for (const cell of cells) {
    const end = Math.min(cell, width);
    ending[end] = (ending[end] ?? 0) + 1;
  }
  const values = new Array<number>(width + 1).fill(0);
  let reaching = 0;
  for (let place = width; place > 0; place--) {
    reaching += ending[place] ?? 0;
    const ofCells = reaching / Math.max(1, cells.length);
    const ofHeader = header >= place ? HEADER_VALUE : 0;
    const ofLast = header === place && !isPath ? LAST_OF_HEADER_VALUE : 0;
    values[place] = (ofCells + ofHeader + ofLast) / place;
  }
  const content = ending.findLastIndex((amount) => amount > 0);
  const softMinimum = isId ? width : Math.max(MINIMUM, Math.min(SOFT_MINIMUM, content));
  return { width, softMinimum, values };
}

/** The widths, `excess` less in total; undefined if that needs less than a minimum. */
function shorten(
  columns: readonly Column[],
  excess: number,
  minimum: (column: Column) => number,
): number[] | undefined {
  const widths = columns.map(({ width }) => width);
  for (let left = excess; left > 0; left--) {
    let cheapest: number | undefined;
    let price = Number.POSITIVE_INFINITY;
    for (const [index, column] of columns.entries()) {
      const width = widths[index] ?? 0;
      const value = column.values[width] ?? 0;
      if (width > minimum(column) && value < price) [cheapest, price] = [index, value];
    }
    if (cheapest === undefined) return undefined;
    widths[cheapest] = (widths[cheapest] ?? 0) - 1;
  }
  return widths;
}
