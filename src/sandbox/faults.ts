/** Decides which requests fail on purpose, and how (cli.md sections 9 and 11, `--fail`). */
import type { Clock } from "../base/clock.ts";

/** `drop-before` and `drop-after`: the connection is cut before or after the request is processed. */
export type Fault = "none" | "unavailable" | "drop-before" | "drop-after";

/**
 * What befalls the next request: with the probability `rate` a fault, of which half answer 503 and
 * half drop the connection, half of these before and half after processing.
 */
export function nextFault(rate: number, clock: Pick<Clock, "random">): Fault {
  if (rate <= 0) return "none";
  const drawn = clock.random();
  if (drawn >= rate) return "none";
  const share = drawn / rate;
  if (share < 0.5) return "unavailable";
  return share < 0.75 ? "drop-before" : "drop-after";
}
