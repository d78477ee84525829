/** Time and randomness as a value, so that a test can pass its own. */
import { setTimeout as wait } from "node:timers/promises";

/** A source of time and randomness. All times are in milliseconds. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Milliseconds since any moment. Unlike `now`, it never jumps: it measures durations and deadlines. */
  monotonic(): number;
  /** Resolves after `milliseconds`; rejects with the signal's reason if it is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A signal that is aborted after `milliseconds`; it does not make the process wait for that. */
  timeout(milliseconds: number): AbortSignal;
  /** Evenly distributed from 0 (included) to 1 (excluded). */
  random(): number;
  /** A random UUID, version 4, in lower case. */
  uuid(): string;
}

/** The machine's clock and randomness. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.round(performance.now()),
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
  random: () => Math.random(),
  uuid: () => globalThis.crypto.randomUUID(),
  sleep: async (milliseconds, signal) => {
    await wait(milliseconds, undefined, signal === undefined ? {} : { signal });
  },
};
