/** The state that stop signals change (docs/commands.md, "Exit codes"). */
import { expect, test } from "vitest";
import { StopRequest } from "../../src/command-support/context.ts";

test("stop signals: only the first one is the reason", () => {
  const stop = new StopRequest();
  expect(stop.reason).toBeUndefined();
  stop.send("SIGTERM");
  stop.send("SIGINT");
  expect([stop.reason, stop.signal.reason]).toEqual(["SIGTERM", "SIGTERM"]);
});

test("stop signals: an abort signal that is first used after one is already aborted", () => {
  const stop = new StopRequest();
  stop.send("SIGINT");
  expect([stop.signal.aborted, stop.signal.reason]).toEqual([true, "SIGINT"]);
});

test("stop signals: an abort signal that was used before one is aborted by it", () => {
  const stop = new StopRequest();
  const { signal } = stop;
  expect(signal.aborted).toBe(false);
  stop.send("SIGINT");
  expect([signal.aborted, signal.reason]).toEqual([true, "SIGINT"]);
});
