/** Decides how wide the columns of a table are. */

export interface ColumnRequest {
  /** The width at which nothing of it is cut. */
  readonly width: number;
  /** The same without a long header. */
  readonly content: number;
  /** Whether its cells are cut last, because a part of an id is useless. */
  readonly isId: boolean;
}

/** The spaces between two columns. */
export const GAP = 2;
/** The least width of a column. */
const MINIMUM = 3;
/** Cells up to this width are cut late. */
export const SHORT = 10;

/** The number of columns that fit into a line. */
export function countFitting(available: number): number {
  return Math.max(1, Math.floor((available + GAP) / (MINIMUM + GAP)));
}

/**
 * The widths of columns in a line of `available` columns. The widest is shortened first: headers
 * before text, long text before short text, and ids last.
 */
export function fitColumns(requests: readonly ColumnRequest[], available: number): number[] {
  const space = available - GAP * (requests.length - 1);
  const textAtLeast = (least: number): number[] =>
    requests.map(({ content, isId }) => (isId ? content : Math.min(least, content)));
  return [
    requests.map(({ content }) => content),
    textAtLeast(SHORT),
    textAtLeast(MINIMUM),
    requests.map(({ content }) => Math.min(MINIMUM, content)),
  ].reduce(
    (widths, minimums) => shorten(widths, minimums, space),
    requests.map(({ width }) => width),
  );
}

/** The widths within `space`, as far as the minimums allow. */
function shorten(given: readonly number[], minimums: readonly number[], space: number): number[] {
  const widths = [...given];
  for (let left = widths.reduce((sum, width) => sum + width, 0) - space; left > 0; left--) {
    const shrinkable = widths.map((width, index) => (width > (minimums[index] ?? 0) ? width : 0));
    const widest = Math.max(...shrinkable);
    if (widest === 0) break;
    widths[shrinkable.lastIndexOf(widest)] = widest - 1;
  }
  return widths;
}
