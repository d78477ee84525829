/** The text of the progress line. */
import { expect, test } from "vitest";
import { formatProgress } from "../../src/output/progress.ts";

test.each([
  ["no rate in the first second", { done: 50, of: 2000, elapsed: 999 }, "50 of 2,000"],
  ["the rate if the total is unknown", { done: 1200, elapsed: 2000 }, "1,200, 600 a second"],
  [
    "the rate, the remaining time, failures and retries with the reason of the latest",
    { done: 120, of: 2000, elapsed: 3000, failed: 2, retries: 3, reason: "HTTP 503" },
    "120 of 2,000, 40 a second, 47 s left, 2 failures, 3 retries (HTTP 503)",
  ],
  [
    "minutes for many seconds",
    { done: 10, of: 6010, elapsed: 1000 },
    "10 of 6,010, 10 a second, 10 min left",
  ],
])("the text of the progress line shows %s", (_, state, text) => {
  expect(formatProgress("Pushing", state)).toBe(`Pushing: ${text}`);
});

test("the text of the progress line is only the work if no item is done", () => {
  expect(formatProgress("Reading courses", { done: 0, elapsed: 5000 })).toBe("Reading courses");
});
