/** A clock that jumps from one sleeper to the next as soon as nothing else is left to do. */
import type { Clock } from "../../src/base/clock.ts";

interface Sleeper {
  readonly at: number;
  wake(): void;
}

/** Time that passes only while all that runs is asleep; chance comes from a seed. */
export class VirtualClock implements Clock {
  readonly began = Date.UTC(2026, 0, 31, 12);
  #now = this.began;
  #sleepers: Sleeper[] = [];
  #seed: number;

  constructor(seed = 1) {
    this.#seed = seed;
  }

  now(): number {
    return this.#now;
  }

  /** Milliseconds since the beginning. */
  elapsed(): number {
    return this.#now - this.began;
  }

  /** How many are asleep. */
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
      const behind = this.#sleepers.findLastIndex(({ at }) => at <= sleeper.at);
      this.#sleepers.splice(behind + 1, 0, sleeper);
    });
  }

  /** Lets time pass until the work is done. @throws when it waits for something that never comes */
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
      if (next === undefined) throw new Error("the work waits, and nobody is asleep");
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
  }
}
