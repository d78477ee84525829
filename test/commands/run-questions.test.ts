/** The questions before a run that deletes courses or undoes another, and the effect of a no. */
import { describe, expect, test } from "vitest";
import { id, numberedCourse, rigWith } from "./helpers.ts";
import { storedIds } from "./push-files.ts";

const TERMINAL = { terminal: true, environment: { NO_COLOR: "1" }, columns: 200 };

describe("rm of six courses", () => {
  const SIX = [1, 2, 3, 4, 5, 6];
  const question = "Delete 6 courses? Type 6 to confirm:";

  test.each([
    ["6\n", 0, 1],
    ["y\n", 2, 7],
    ["7\n", 2, 7],
    ["\n", 2, 7],
  ])("rm of six courses asks for their number: %j", async (input, code, left) => {
    const r = await rigWith(...[...SIX, 7].map((number) => numberedCourse(number)));
    const ran = await r.run(["courses", "rm", ...SIX.map(id)], { ...TERMINAL, input });
    expect([ran.code, (await storedIds(r)).length]).toEqual([code, left]);
    expect(ran.stderr).toContain(question);
    expect(ran.stderr.match(/- Course \d \(/g)).toHaveLength(6);
  });
});
