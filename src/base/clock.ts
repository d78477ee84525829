/** Time and chance as a value, so that a test can hand in its own. */

/** A source of time and chance. All times are in milliseconds. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Resolves after `milliseconds`; rejects with the signal's reason when that aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Evenly distributed in 0 (included) to 1 (excluded). */
  random(): number;
  /** A random UUID, version 4, in lower case. */
  uuid(): string;
}
