/** Decides how wide the columns of a table are. */

export interface ColumnRequest {
  /** The width at which nothing of it is cut. */
  readonly width: number;
  /** The same without a long header. */
  readonly content: number;
  /** The width below which it is hard to read; infinite if its cells are useless in part. */
  readonly readable: number;
}

/** The spaces between two columns. */
export const GAP = 2;
/** The least width of a column. */
const MINIMUM = 3;
/** Headers and cells up to this width are cut late. */
export const SHORT = 10;

/** The number of columns that fit into a line. */
export function countFitting(available: number): number {
  return Math.max(1, Math.floor((available + GAP) / (MINIMUM + GAP)));
}

/** The width of a line in which every column can be read. */
export function readableWidth(requests: readonly ColumnRequest[]): number {
  return sum(requests.map(leastReadable)) + GAP * (requests.length - 1);
}

/**
 * The widths of columns in a line of `available` columns. The widest is shortened first: long headers
 * before text, and ids last.
 */
export function fitColumns(requests: readonly ColumnRequest[], available: number): number[] {
  const space = available - GAP * (requests.length - 1);
  const least = ({ content }: ColumnRequest): number => Math.min(MINIMUM, content);
  return [
    requests.map(({ content }) => content),
    requests.map(leastReadable),
    requests.map((one) => (one.readable === Number.POSITIVE_INFINITY ? one.content : least(one))),
    requests.map(least),
  ].reduce(
    (widths, minimums) => shorten(widths, minimums, space),
    requests.map(({ width }) => width),
  );
}

function leastReadable({ content, readable }: ColumnRequest): number {
  return Math.min(content, readable);
}

/** The widths within `space`, as far as the minimums allow. */
function shorten(given: readonly number[], minimums: readonly number[], space: number): number[] {
  const widths = [...given];
  for (let left = sum(widths) - space; left > 0; left--) {
    const shrinkable = widths.map((width, index) => (width > (minimums[index] ?? 0) ? width : 0));
    const widest = Math.max(...shrinkable);
    if (widest === 0) break;
    widths[shrinkable.lastIndexOf(widest)] = widest - 1;
  }
  return widths;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
