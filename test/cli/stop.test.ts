/** The state that stop signals change (docs/commands.md, "Exit codes"). */
import { expect, test } from "vitest";
import { StopRequest } from "../../src/cli/context.ts";

test("the first stop signal is the reason of the stop, even if a second one follows", () => {
  const stop = new StopRequest();
  expect(stop.reason).toBeUndefined();
  stop.send("SIGTERM");
  stop.send("SIGINT");
  expect([stop.reason, stop.signal.reason]).toEqual(["SIGTERM", "SIGTERM"]);
});

test("an abort signal that is first used after a stop signal is already aborted", () => {
  const stop = new StopRequest();
  stop.send("SIGINT");
  expect([stop.signal.aborted, stop.signal.reason]).toEqual([true, "SIGINT"]);
});

test("an abort signal that was used before a stop signal is aborted by the stop signal", () => {
  const stop = new StopRequest();
  const { signal } = stop;
  expect(signal.aborted).toBe(false);
  stop.send("SIGINT");
  expect([signal.aborted, signal.reason]).toEqual([true, "SIGINT"]);
});
