/** The text of the progress line. */
import { expect, test } from "vitest";
import { formatProgress } from "../../src/output/progress.ts";

test("the text of the progress line shows what is done, and retries with the latest reason", () => {
  const state = { done: 120, of: 2000, retries: 3, reason: "HTTP 503" };
  expect(formatProgress("Pushing", state)).toBe("Pushing: 120 of 2,000, 3 retries (HTTP 503)");
  expect(formatProgress("Reading courses", { done: 1200 })).toBe("Reading courses: 1,200");
  expect(formatProgress("Reading courses", { done: 0 })).toBe("Reading courses");
});
