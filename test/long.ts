/** What only the long tests run: more random and larger tests, and all variants of slow ones. */

/** Whether `CATALOG_LONG_TESTS` is set, and not empty. */
export const IS_LONG = (process.env.CATALOG_LONG_TESTS ?? "") !== "";

/** Returns `count`, or three times as many in the long tests. */
export function scaleRuns(count: number): number {
  return IS_LONG ? count * 3 : count;
}

/** Returns the first `count` cases of a table, or all of them in the long tests. */
export function someOf<const Case>(cases: readonly Case[], count: number): readonly Case[] {
  return IS_LONG ? cases : cases.slice(0, count);
}

/** Returns `count` cases of a table, different ones for each turn, or all of them in the long tests. */
export function inTurn<Case>(cases: readonly Case[], turn: number, count: number): readonly Case[] {
  const first = (turn * count) % cases.length;
  const isNext = (index: number) => (index - first + cases.length) % cases.length < count;
  return IS_LONG ? cases : cases.filter((_, index) => isNext(index));
}
