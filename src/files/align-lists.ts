/** Pairs the items of two lists, so that each comment stays with its item. */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../base/values.ts";

/** An item of the first list, of the second, or one of each. */
interface Pair {
  readonly from?: number;
  readonly to?: number;
}

/** Longer lists are paired from their starts: comparing each item with each would take long. */
const MAX_COMPARED = 100_000;

/**
 * Pairs items in order, those that are equal or alike if possible: `[a, b]` and `[a, c, d]` give `a` with `a`, `b` with
 * `c`, and `d` alone.
 */
export function alignLists(one: readonly unknown[], other: readonly unknown[]): Pair[] {
  const isLong = one.length * other.length > MAX_COMPARED;
  const rows = isLong ? 0 : one.length;
  const columns = isLong ? 0 : other.length;
  /** How well the items from two indexes on can be paired. */
  const best = Array.from({ length: rows + 1 }, () => new Array<number>(columns + 1).fill(0));
  const scoreAt = (from: number, to: number): number => best[from]?.[to] ?? 0;
  for (let from = rows - 1; from >= 0; from--) {
    for (let to = columns - 1; to >= 0; to--) {
      const paired = scoreAt(from + 1, to + 1) + likeness(one[from], other[to]);
      const row = best[from];
      if (row) row[to] = Math.max(paired, scoreAt(from + 1, to), scoreAt(from, to + 1));
    }
  }
  const pairs: Pair[] = [];
  let [from, to] = [0, 0];
  while (from < one.length || to < other.length) {
    const here = scoreAt(from, to);
    if (to >= other.length) pairs.push({ from: from++ });
    else if (from >= one.length) pairs.push({ to: to++ });
    else if (isLong || here === scoreAt(from + 1, to + 1) + likeness(one[from], other[to]))
      pairs.push({ from: from++, to: to++ });
    else if (here === scoreAt(from + 1, to)) pairs.push({ from: from++ });
    else pairs.push({ to: to++ });
  }
  return pairs;
}

/** From 1, for items of which one may be a change of the other, to 4, for equal items. */
function likeness(one: unknown, other: unknown): number {
  if (isDeepStrictEqual(one, other)) return 4;
  if (!isObject(one) || !isObject(other)) return 1;
  const names = Object.keys(one);
  const same = names.filter((name) => isDeepStrictEqual(one[name], other[name])).length;
  return 1 + (2 * same) / Math.max(1, names.length);
}
