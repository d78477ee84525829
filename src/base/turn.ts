/** Gives the rest of the program its turn within long work. */

/** Resolves when signals, timers and what has arrived have had their turn. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
