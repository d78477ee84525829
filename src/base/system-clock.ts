/** The machine's own time and chance. */
import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "./clock.ts";

/** A `Clock` over the machine's. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  uuid: () => globalThis.crypto.randomUUID(),
  sleep: async (milliseconds, signal) => {
    await wait(milliseconds, undefined, signal === undefined ? {} : { signal });
  },
};
