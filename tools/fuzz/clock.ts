/** A clock that skips every pause: nothing waits, but time passes. */
import type { Clock } from "../../src/base/process.ts";

/** Creates a clock. All clocks start at the same time and return the same ids. */
export function skippingClock(): Clock {
  let now = Date.UTC(2026, 0, 31, 12);
  let ids = 0;
  return {
    now: () => now,
    monotonic: () => now,
    random: () => 0.5,
    timeout: () => new AbortController().signal,
    uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      now += milliseconds;
    },
  };
}
