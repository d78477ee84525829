/** Pairs the items of two lists, so that an edit keeps what it can of the first. */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../base/values.ts";

/** An item of the first list, of the second, or one of each. */
export interface Pair {
  readonly from?: number;
  readonly to?: number;
}

/** Longer lists are paired by position, because the table of costs would be too large. */
const LONGEST = 1000;

/** Pairs items in order: `[a, b]` and `[a, c, d]` give `a` with `a`, `b` with `c`, and `d` alone. */
export function alignLists(one: readonly unknown[], other: readonly unknown[]): Pair[] {
  const pairs: Pair[] = [];
  let start = 0;
  while (
    start < one.length &&
    start < other.length &&
    isDeepStrictEqual(one[start], other[start])
  ) {
    pairs.push({ from: start, to: start });
    start++;
  }
  const [rows, columns] = [one.length - start, other.length - start];
  const isLong = rows > LONGEST || columns > LONGEST;
  /** The least cost to turn the rest of the one list into the rest of the other. */
  const costs = Array.from({ length: rows + 1 }, () => new Float64Array(columns + 1));
  const cost = (row: number, column: number): number => costs[row]?.[column] ?? 0;
  const change = (row: number, column: number): number =>
    isLong ? 0 : costOfChange(one[start + row], other[start + column]) + cost(row + 1, column + 1);
  for (let row = rows; row >= 0 && !isLong; row--) {
    for (let column = columns; column >= 0; column--) {
      const [from, to] = [rows - row, columns - column];
      const line = costs[row];
      if (line === undefined) continue;
      line[column] =
        from === 0 || to === 0
          ? from + to
          : Math.min(change(row, column), cost(row + 1, column) + 1, cost(row, column + 1) + 1);
    }
  }
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    const isPair = row < rows && column < columns;
    if (isPair && (isLong || cost(row, column) === change(row, column))) {
      pairs.push({ from: start + row++, to: start + column++ });
    } else if (
      row < rows &&
      (column === columns || cost(row, column) === cost(row + 1, column) + 1)
    ) {
      pairs.push({ from: start + row++ });
    } else pairs.push({ to: start + column++ });
  }
  return pairs;
}

/** Changing an item of the same kind costs more than nothing, and less than removing one and adding one. */
function costOfChange(one: unknown, other: unknown): number {
  if (isDeepStrictEqual(one, other)) return 0;
  if (!isObject(one) || !isObject(other)) return 1;
  const isAlike = Object.keys(one).some((name) => isDeepStrictEqual(one[name], other[name]));
  return isAlike ? 1 : 1.5;
}
