/** Helpers for asynchronous work. */
import { setMaxListeners } from "node:events";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";

/** A controller that is also aborted, with the same reason, when the signal `parent` is aborted. */
export function linkedController(parent?: AbortSignal): AbortController {
  const controller = new AbortController();
  // Every parallel request adds a listener, and Node.js would warn of a leak.
  setMaxListeners(0, controller.signal);
  const abort = (): void => controller.abort(parent?.reason);
  if (parent?.aborted) abort();
  parent?.addEventListener("abort", abort, { once: true, signal: controller.signal });
  return controller;
}

/**
 * Applies `work` to each item, to `limit` items at once, and yields the results in the order of the items. A slow item
 * delays the results after it, but not their work. If the caller ends the loop early, no more work starts.
 */
export async function* mapInOrder<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<Result>,
): AsyncGenerator<Result, void, void> {
  const results: Promise<Result>[] = [];
  const entries = items.entries();
  let ended = false;
  const workOn = async (): Promise<void> => {
    for (const [index, item] of entries) {
      if (ended) return;
      const result = work(item, index);
      results.push(result);
      // A failure is thrown when its result is yielded. Until then, it must not count as unhandled.
      await result.catch(() => undefined);
    }
  };
  for (let started = 0; started < limit; started++) void workOn();
  try {
    for (const index of items.keys()) {
      // All items before this one have ended, so it is about to begin.
      while (results[index] === undefined) await yieldToEventLoop();
      yield await results[index];
    }
  } finally {
    ended = true;
  }
}
