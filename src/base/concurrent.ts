/** Runs work on many items at once, a bounded number at a time. */

/**
 * Applies `work` to each item, at most `limit` at once, and yields the results in the order of the
 * items as they become available. Ending the loop early starts no more work.
 */
export async function* inOrder<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<Result>,
): AsyncGenerator<Result, void, void> {
  const running: Promise<Result>[] = [];
  let next = 0;
  const start = (): void => {
    const index = next++;
    const item = items[index];
    if (item === undefined) return;
    const result = work(item, index);
    // A failure is thrown when its turn comes; until then it must not count as unhandled.
    result.catch(() => undefined);
    running.push(result);
  };
  while (next < items.length || running.length > 0) {
    while (next < items.length && running.length < limit) start();
    const result = running.shift();
    if (result !== undefined) yield await result;
  }
}
