/** The text of the progress line. */
import { expect, test } from "vitest";
import { formatProgress } from "../../src/output/progress.ts";

test.each([
  ["only the counts at the start", { done: 0, of: 2000, elapsed: 0, failed: 0 }, "0 of 2,000"],
  ["no rate in the first second", { done: 50, of: 2000, elapsed: 999, failed: 0 }, "50 of 2,000"],
  [
    "the rate and the remaining time after it",
    { done: 120, of: 2000, elapsed: 3000, failed: 0 },
    "120 of 2,000, 40 a second, 47 s left",
  ],
  [
    "the number of failures",
    { done: 120, of: 2000, elapsed: 3000, failed: 2 },
    "120 of 2,000, 40 a second, 47 s left, 2 failures",
  ],
  [
    "the number of retries, and why the latest was necessary",
    { done: 1, of: 2, elapsed: 0, failed: 1, retries: 3, reason: "HTTP 503" },
    "1 of 2, 1 failure, 3 retries (HTTP 503)",
  ],
  ["the rate if the total is unknown", { done: 1200, elapsed: 2000 }, "1,200, 600 a second"],
  ["a single failure", { done: 1, of: 2, elapsed: 0, failed: 1 }, "1 of 2, 1 failure"],
  [
    "one decimal for a slow rate",
    { done: 3, of: 10, elapsed: 2000, failed: 0 },
    "3 of 10, 1.5 a second, 5 s left",
  ],
  [
    "minutes for many seconds",
    { done: 10, of: 6010, elapsed: 1000, failed: 0 },
    "10 of 6,010, 10 a second, 10 min left",
  ],
  [
    "hours for many minutes",
    { done: 2, of: 30_002, elapsed: 1000, failed: 0 },
    "2 of 30,002, 2.0 a second, 5 h left",
  ],
  ["no rate before anything is done", { done: 0, of: 5, elapsed: 9000, failed: 0 }, "0 of 5"],
  [
    "0 s left at the end",
    { done: 5, of: 5, elapsed: 2000, failed: 0 },
    "5 of 5, 2.5 a second, 0 s left",
  ],
])("the text of the progress line shows %s", (_, state, text) => {
  expect(formatProgress("Pushing", state)).toBe(`Pushing: ${text}`);
});

test("the text of the progress line is only the work if no item is done", () => {
  expect(formatProgress("Reading courses", { done: 0, elapsed: 5000 })).toBe("Reading courses");
});
