/** The number of runs of random and large tests: few by default, many on request. */

/** Whether `CATALOG_LONG_TESTS` is set. */
export const IS_LONG = process.env.CATALOG_LONG_TESTS !== undefined;

/** Returns `count`, or ten times as many in the long tests. */
export function scaleRuns(count: number): number {
  return IS_LONG ? count * 10 : count;
}
