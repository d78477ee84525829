/** The machine's own time and chance. */
import type { Clock } from "./clock.ts";

/** A `Clock` over the machine's. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  uuid: () => globalThis.crypto.randomUUID(),
  sleep: async (milliseconds, signal) => {
    const { setTimeout: wait } = await import("node:timers/promises");
    await wait(milliseconds, undefined, signal === undefined ? {} : { signal });
  },
};
