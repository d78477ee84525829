/** A clock whose pauses take no real time. */
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../src/base/io.ts";
import { Random } from "./world.ts";

/** The clock of a machine, of which somebody may set the time of day. */
export class VirtualClock implements Clock {
  readonly #random = new Random(7);
  #elapsed = 0;
  #setBack = 0;
  #ids = 0;

  readonly now = (): number => Date.UTC(2026, 0, 31, 12) + this.#elapsed - this.#setBack;
  readonly monotonic = (): number => this.#elapsed;
  readonly random = (): number => this.#random.next();
  readonly uuid = (): string => `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, "0")}`;

  readonly sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    this.advance(milliseconds);
    await setImmediate();
    signal?.throwIfAborted();
  };

  /** Lets time pass. */
  advance(milliseconds: number): void {
    this.#elapsed += milliseconds;
  }

  setBack(minutes: number): void {
    this.#setBack += minutes * 60_000;
  }
}
