/** What the progress line of a push says. */
import { expect, test } from "vitest";
import { pace } from "../../src/commands/courses/progress-text.ts";

test.each([
  ["at first, how many of how many", { done: 0, of: 2000, elapsed: 0, failed: 0 }, "0 of 2,000"],
  ["no rate in the first second", { done: 50, of: 2000, elapsed: 999, failed: 0 }, "50 of 2,000"],
  [
    "then the rate and the time that is left",
    { done: 120, of: 2000, elapsed: 3000, failed: 0 },
    "120 of 2,000, 40 a second, 47 s left",
  ],
  [
    "the failures so far",
    { done: 120, of: 2000, elapsed: 3000, failed: 2 },
    "120 of 2,000, 40 a second, 47 s left, 2 failures",
  ],
  ["a single failure", { done: 1, of: 2, elapsed: 0, failed: 1 }, "1 of 2, 1 failure"],
  [
    "a slow rate to a tenth",
    { done: 3, of: 10, elapsed: 2000, failed: 0 },
    "3 of 10, 1.5 a second, 5 s left",
  ],
  [
    "minutes where there are many seconds",
    { done: 10, of: 6010, elapsed: 1000, failed: 0 },
    "10 of 6,010, 10 a second, 10 min left",
  ],
  [
    "hours where there are many minutes",
    { done: 2, of: 30_002, elapsed: 1000, failed: 0 },
    "2 of 30,002, 2.0 a second, 5 h left",
  ],
  ["no rate before anything is done", { done: 0, of: 5, elapsed: 9000, failed: 0 }, "0 of 5"],
  [
    "nothing left at the end",
    { done: 5, of: 5, elapsed: 2000, failed: 0 },
    "5 of 5, 2.5 a second, 0 s left",
  ],
])("%s", (_, standing, text) => {
  expect(pace(standing)).toBe(text);
});
