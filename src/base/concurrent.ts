/** Runs work on many items at once, a bounded number at a time. */

/** How many finished results may wait for a slower one before them, per running item. */
const MAX_WAITING = 64;

/**
 * Applies `work` to each item, at most `limit` at once, and yields the results in the order of the
 * items. A slow item delays the results after it, but not their work. Ending the loop early starts no
 * more work.
 */
export async function* mapInOrder<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<Result>,
): AsyncGenerator<Result, void, void> {
  const results: Promise<Result>[] = [];
  let next = 0;
  let running = 0;
  let ended = false;

  const fill = (): void => {
    while (!ended && running < limit && results.length < limit * MAX_WAITING) {
      const index = next;
      const item = items[index];
      if (index >= items.length || item === undefined) return;
      next++;
      running++;
      const result = work(item, index);
      results.push(result);
      const finish = (): void => {
        running--;
        fill();
      };
      // The failure is thrown when its result is yielded; until then it must not count as unhandled.
      result.then(finish, finish);
    }
  };

  try {
    for (;;) {
      fill();
      const result = results[0];
      if (result === undefined) return;
      yield await result;
      results.shift();
    }
  } finally {
    ended = true;
  }
}
