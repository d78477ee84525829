/** How much of what is random or large a test tries: little each day, much where it is asked for. */

/** Whether the variable is set that asks for the long tests. */
export const IS_LONG = process.env.CATALOG_LONG_TESTS !== undefined;

/** So many runs or things each day, and ten times as many in the long tests. */
export function daily(count: number): number {
  return IS_LONG ? count * 10 : count;
}
