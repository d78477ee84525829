/** Helpers for asynchronous work. */
import { setMaxListeners } from "node:events";

/** Resolves after pending signals, timers and input have been handled. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** A controller that is also aborted, with the same reason, when the signal `parent` is aborted. */
export function linkedController(parent?: AbortSignal): AbortController {
  const controller = new AbortController();
  // Every parallel request adds a listener, and Node.js would warn of a leak.
  setMaxListeners(0, controller.signal);
  if (parent === undefined) return controller;
  const abort = (): void => controller.abort(parent.reason);
  if (parent.aborted) abort();
  parent.addEventListener("abort", abort, { once: true, signal: controller.signal });
  return controller;
}

/**
 * Applies `work` to each item, to at most `limit` items at once, and yields the results in the order of the items. A
 * slow item delays the results after it, but not their work. If the caller ends the loop early, no more work starts.
 *
 * @param work calls `release` when it waits for something else, so that another item may begin
 */
export async function* mapInOrder<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number, release: () => void) => Promise<Result>,
): AsyncGenerator<Result, void, void> {
  const results: Promise<Result>[] = [];
  const entries = items.entries();
  let free = limit;
  /** How many of the running items have let others begin: at most the limit, so that a fault does not affect them all. */
  let paused = 0;
  let ended = false;

  const fill = (): void => {
    // Finished results wait for a slower one before them, but not without end.
    while (!ended && free > 0 && results.length < 64 * limit) {
      const next = entries.next();
      if (next.done) return;
      free--;
      let isPaused = false;
      const release = (): void => {
        if (isPaused || paused >= limit) return;
        isPaused = true;
        paused++;
        free++;
        fill();
      };
      const finish = (): void => {
        if (isPaused) paused--;
        else free++;
        fill();
      };
      const [index, item] = next.value;
      const result = work(item, index, release);
      results.push(result);
      // A failure is thrown when its result is yielded. Until then, it must not count as unhandled.
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
