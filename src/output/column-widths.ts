/** Decides how wide the columns of a table are, and which of them continue below their row. */

export interface ColumnRequest {
  /** The width at which nothing of it is cut. */
  readonly width: number;
  /** The same without a long header. */
  readonly content: number;
  /** Whether its cells are never cut, because a part of an id is useless. */
  readonly isComplete: boolean;
}

/** Where the columns are shown; both lists contain numbers of columns. */
export interface TableLayout {
  /** The columns of the row, with their widths; the last ones are missing if they do not fit. */
  readonly inline: readonly number[];
  readonly widths: readonly number[];
  /** The columns that continue on further lines below the row. */
  readonly below: readonly number[];
}

/** The spaces between two columns. */
export const GAP = 2;
/** The least width of a column. */
const MINIMUM = 3;
/** Cells up to this width are cut last. */
const SHORT = 10;
/** Text that is cut to less than this can hardly be recognized. */
const READABLE = 14;

/**
 * Lays out a table in lines of `available` columns. Complete columns continue below the row if the
 * others would become unreadable next to them, the last one first.
 */
export function layOutColumns(requests: readonly ColumnRequest[], available: number): TableLayout {
  const inline = [...requests.keys()];
  const below: number[] = [];
  const requestAt = (index: number): ColumnRequest =>
    requests[index] ?? { width: 0, content: 0, isComplete: false };
  const isReadable = (): boolean => {
    const needed = inline.map(requestAt).map(({ width, content, isComplete }) => {
      return isComplete ? width : Math.min(READABLE, content);
    });
    return sum(needed) + GAP * (needed.length - 1) <= available;
  };
  while (inline.length > 1 && !isReadable()) {
    const last = inline.findLastIndex((index) => requestAt(index).isComplete);
    if (last < 0) break;
    below.unshift(...inline.splice(last, 1));
  }
  const widths = fitColumns(inline.map(requestAt), available);
  return { inline: inline.slice(0, widths.length), widths, below };
}

/**
 * The widths of the columns in a line of `available` columns: the widest is shortened repeatedly. If
 * that is not enough, the last columns are dropped: the result is shorter than the requests, and
 * leaves space for one more column of one character.
 */
function fitColumns(requests: readonly ColumnRequest[], available: number): number[] {
  if (requests.length * (MINIMUM + GAP) - GAP > available) {
    const count = Math.max(1, Math.floor((available - 1) / (MINIMUM + GAP)));
    if (count < requests.length) return fitColumns(requests.slice(0, count), available - GAP - 1);
  }
  const widths = requests.map(({ width }) => width);
  const content = requests.map(({ width, content }) => Math.min(width, Math.max(MINIMUM, content)));
  const space = available - GAP * (widths.length - 1);
  const minimums = (short: number): number[] =>
    requests.map(({ width, content, isComplete }) =>
      isComplete ? width : Math.max(MINIMUM, Math.min(short, content)),
    );
  return (
    // A header is shortened before the text below it.
    shorten(widths, minimums(Number.POSITIVE_INFINITY), space) ??
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
  for (let left = sum(widths) - space; left > 0; left--) {
    const shrinkable = widths.map((width, index) => (width > (minimums[index] ?? 0) ? width : 0));
    const widest = Math.max(...shrinkable);
    if (widest === 0) return undefined;
    widths[shrinkable.lastIndexOf(widest)] = widest - 1;
  }
  return widths;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
