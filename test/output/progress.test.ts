import type { EventEmitter } from "node:events";
import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { formatProgress, ProgressLog, startProgress } from "../../src/output/progress.ts";
import { HOSTILE, Memory } from "./rig.ts";

/** A terminal that records what is written, and the text of its line. */
class Terminal extends Writable {
  readonly isTTY = true;
  readonly columns = 40;
  text = "";
  line = "";
  rows = 0;

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.text += chunk;
    this.line += stripVTControlCharacters(String(chunk));
    done();
  }

  cursorTo(): boolean {
    return true;
  }

  moveCursor(_x: number, rows: number): boolean {
    this.rows += rows;
    return true;
  }

  clearLine(): boolean {
    this.line = "";
    return true;
  }
}

function terminalOutput() {
  const stream = new Terminal();
  const err = Object.assign(new Memory({ isTerminal: true, columns: stream.columns }), { stream });
  return { stream, err };
}

const listeners = () =>
  ["SIGINT", "SIGTERM"].map((name) => (process as EventEmitter).listenerCount(name));

/** Lets the spinner load, which takes real time. */
async function appear(stream: Terminal): Promise<void> {
  await vi.waitFor(() => expect(stream.line).not.toBe(""), { timeout: 5000 });
}

describe("progress", () => {
  beforeEach(() => {
    vi.stubEnv("CI", undefined);
    vi.stubEnv("TERM", "xterm");
  });
  afterEach(() => vi.unstubAllEnvs());

  test("progress shows nothing for quick work", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { stream, err } = terminalOutput();
    const progress = startProgress(err, "Reading");
    expect(vi.getTimerCount()).toBe(1);
    progress.stop();
    expect(vi.getTimerCount()).toBe(0);
    progress.update("late");
    expect(stream.text).toBe("");
  });

  test("progress shows the latest text on one line, and removes the line at the end", async () => {
    const { stream, err } = terminalOutput();
    const before = listeners();
    const progress = startProgress(err, "Reading");
    progress.update("Reading: 100");
    await appear(stream);
    expect(stream.line).toMatch(/^. Reading: 100$/);
    // The spinner hides the cursor, which a killed program cannot restore.
    expect(stream.text.lastIndexOf("\u001b[?25h")).toBeGreaterThan(
      stream.text.indexOf("\u001b[?25l"),
    );
    expect(listeners()).toEqual(before);
    progress.update("Reading: 200");
    expect(stream.line).toMatch(/^. Reading: 200$/);
    progress.stop();
    progress.stop();
    progress.update("late");
    expect(stream.line).toBe("");
  });

  test("progress shows wide and hostile text on one row", async () => {
    const text = `${"编程入门".repeat(30)}${HOSTILE.repeat(5)}`;
    const { stream, err } = terminalOutput();
    const progress = startProgress(err, text);
    await appear(stream);
    progress.update(`${HOSTILE}${text}`);
    progress.stop();
    expect(stream.rows).toBe(0);
    for (const raw of ["\n", "\u0007", "\u202e"]) expect(stream.text).not.toContain(raw);
  });
});

test("progress without a terminal prints the latest text of all steps every 30 seconds", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const printed: string[] = [];
  const log = new ProgressLog(async (text) => void printed.push(text));
  const reading = log.start("Reading");
  vi.advanceTimersByTime(20_000);
  reading.stop();
  const pushing = log.start("Pushing");
  vi.advanceTimersByTime(9_000);
  pushing.update("Pushing: 1 of 9");
  pushing.update("Pushing: 2 of 9");
  expect(printed).toEqual([]);
  vi.advanceTimersByTime(31_000);
  expect(printed).toEqual(["Pushing: 2 of 9", "Pushing: 2 of 9"]);
  pushing.stop();
  vi.advanceTimersByTime(90_000);
  log.close();
  expect([printed.length, vi.getTimerCount()]).toEqual([2, 0]);
});

test("the text of the progress line shows what is done, and retries with the latest reason", () => {
  const state = { done: 120, of: 2000, retries: 3, reason: "HTTP 503" };
  expect(formatProgress("Pushing", state)).toBe("Pushing: 120 of 2,000, 3 retries (HTTP 503)");
  expect(formatProgress("Reading courses", { done: 1200 })).toBe("Reading courses: 1,200");
  expect(formatProgress("Reading courses", { done: 0 })).toBe("Reading courses");
});
