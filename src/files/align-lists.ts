/** Pairs the items of two lists, so that an edit keeps what it can of the first. */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../base/values.ts";

/** An item of the first list, of the second, or one of each. */
export interface Pair {
  readonly from?: number;
  readonly to?: number;
}

/** How far ahead an equal item is looked for. */
const FARTHEST = 100;

/** Pairs items in order: `[a, b]` and `[a, c, d]` give `a` with `a`, `b` with `c`, and `d` alone. */
export function alignLists(one: readonly unknown[], other: readonly unknown[]): Pair[] {
  const pairs: Pair[] = [];
  let [from, to] = [0, 0];
  while (from < one.length && to < other.length) {
    const [item, wanted] = [one[from], other[to]];
    const longer = one.length - from - (other.length - to);
    const isChange = isDeepStrictEqual(item, wanted) || areAlike(item, wanted);
    if (isAhead(one, from, wanted, longer > 0 && !isChange)) pairs.push({ from: from++ });
    else if (isAhead(other, to, item, longer < 0 && !isChange)) pairs.push({ to: to++ });
    else pairs.push({ from: from++, to: to++ });
  }
  while (from < one.length) pairs.push({ from: from++ });
  while (to < other.length) pairs.push({ to: to++ });
  return pairs;
}

/** Whether a list has an item again after an index, or an item that is like it. */
function isAhead(
  list: readonly unknown[],
  index: number,
  item: unknown,
  orAlike: boolean,
): boolean {
  if (isDeepStrictEqual(list[index], item)) return false;
  return list
    .slice(index + 1, index + FARTHEST)
    .some((other) => isDeepStrictEqual(item, other) || (orAlike && areAlike(item, other)));
}

/** Whether an object may be a change of another: they share an entry. */
function areAlike(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return false;
  return Object.keys(one).some((name) => isDeepStrictEqual(one[name], other[name]));
}
