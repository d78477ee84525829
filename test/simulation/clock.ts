/** A clock whose pauses take no real time, and of which somebody may set the time of day. */
import { setImmediate } from "node:timers/promises";
import { testClock } from "../rig.ts";
import { Random } from "./world.ts";

export type VirtualClock = ReturnType<typeof virtualClock>;

/** The clock of a machine. */
export function virtualClock() {
  const clock = testClock();
  const random = new Random(7);
  return {
    ...clock,
    random: () => random.next(),
    sleep: async (milliseconds: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      await Promise.all([clock.sleep(milliseconds), setImmediate()]);
      signal?.throwIfAborted();
    },
    /** Lets time pass. */
    advance: (milliseconds: number) => void clock.sleep(milliseconds),
    setBack: (minutes: number) => clock.set(clock.now() - minutes * 60_000),
  };
}
