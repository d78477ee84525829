/** A virtual clock that advances to the next timer when all other work waits. */
import type { Clock } from "../../src/base/io.ts";

interface Sleeper {
  readonly at: number;
  wake(): void;
}

/** A clock whose time passes only while all work sleeps; random numbers come from a seed. */
export class VirtualClock implements Clock {
  readonly began = Date.UTC(2026, 0, 31, 12);
  #now = this.began;
  /** How far the time of day is ahead. */
  #ahead = 0;
  #sleepers: Sleeper[] = [];
  #seed: number;

  constructor(seed = 1) {
    this.#seed = seed;
  }

  now(): number {
    return this.#now + this.#ahead;
  }

  monotonic(): number {
    return this.#now;
  }

  /** Sets the time of day; durations are not affected. */
  set(now: number): void {
    this.#ahead = now - this.#now;
  }

  /** Milliseconds since the start. */
  elapsed(): number {
    return this.#now - this.began;
  }

  /** The number of sleeping timers. */
  asleep(): number {
    return this.#sleepers.length;
  }

  random(): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  }

  uuid(): string {
    return "00000000-0000-4000-8000-000000000000";
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        at: this.#now + milliseconds,
        wake: () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        },
      };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener("abort", stop, { once: true });
      const previous = this.#sleepers.findLastIndex(({ at }) => at <= sleeper.at);
      this.#sleepers.splice(previous + 1, 0, sleeper);
    });
  }

  /** Advances time until the work is done. @throws Error if the work waits without a timer */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let done = false;
    const finish = (): void => {
      done = true;
    };
    work.then(finish, finish);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (done) return await work;
      const next = this.#sleepers.shift();
      if (next === undefined) throw new Error("the work waits, but no timer is set");
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
  }
}
