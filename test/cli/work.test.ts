/** The progress line of commands; a terminal in memory suffices, because the spinner draws the line. */
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Output } from "../../src/base/io.ts";
import type { Context } from "../../src/cli/context.ts";
import { showWork, type Tracker } from "../../src/cli/work.ts";
import { MemoryOutput, testClock } from "../rig.ts";

beforeEach(() => {
  vi.stubEnv("CI", undefined);
  vi.stubEnv("TERM", "xterm");
});
afterEach(() => vi.unstubAllEnvs());

/** A terminal on which the spinner can draw. */
function terminal(): Output & { shown(): string } {
  let text = "";
  const stream = new PassThrough().on("data", (chunk) => {
    text += chunk;
  });
  const methods = { isTTY: true, cursorTo: () => true, clearLine: () => true };
  Object.assign(stream, { ...methods, moveCursor: () => true });
  return Object.assign(new MemoryOutput(true), { stream, shown: () => text });
}

test("the progress line shows a retry and remains after the message of a failure", async () => {
  const err = terminal();
  const retries = { count: 0, reason: "HTTP 503" };
  const context = {
    io: { err, out: new MemoryOutput() },
    options: { quiet: false, verbose: false },
    environment: { TERM: "xterm" },
    clock: testClock(),
    retries,
  } as unknown as Context;
  const work = async (progress: Tracker) => {
    await vi.waitFor(() => expect(err.shown()).toContain("Updating: 0 of 3"));
    retries.count++;
    progress.update({ done: 1, failed: 1 });
    err.stream.write("error: not found\n");
    expect(err.shown()).toMatch(
      /error: not found\n[^\n]*Updating: 1 of 3, 1 failure, 1 retry \(HTTP 503\)\S*$/,
    );
  };
  await showWork("Updating", context, work, 3);
});
