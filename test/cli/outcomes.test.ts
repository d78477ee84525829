/** The summaries of runs, in one form for every command. */
import { expect, test } from "vitest";
import type { Summary } from "../../src/core/apply.ts";
import { summarize } from "../../src/output/plan.ts";

const NONE: Summary = {
  ...{ created: 0, updated: 0, unchanged: 0, deleted: 0 },
  ...{ failed: 0, skipped: 0, unknown: 0 },
};

test.each([
  [{ created: 1, updated: 3 }, "Created 1 course and updated 3."],
  [
    { created: 1, updated: 3, deleted: 2, unchanged: 10 },
    "Created 1 course, updated 3 and deleted 2. 10 were up to date.",
  ],
  [
    { updated: 2, unchanged: 1, failed: 1, unknown: 1, skipped: 1 },
    "Updated 2 courses. 1 was up to date. 1 failed. 1 may have been changed. 1 was not sent.",
  ],
  [{ unchanged: 14 }, "Already up to date: 14 courses."],
  [{}, "Already up to date."],
  [{ failed: 1, unchanged: 2 }, "Nothing was changed. 2 courses were up to date. 1 failed."],
  [{ unknown: 1 }, "1 course may have been changed."],
  [{ created: 1200, skipped: 297 }, "Created 1,200 courses. 297 were not sent."],
])("the summary of %j is %j", (counts, summary) => {
  expect(summarize({ ...NONE, ...counts })).toBe(summary);
});
