/** Course files with values that would reach the service as different values. */
import { describe, expect, test } from "vitest";
import { course, rig } from "../rig.ts";

/** The rules of the problems that `check` finds in a course file. */
async function findings(name: string, text: string) {
  const r = await rig();
  await r.write(name, text);
  const ran = await r.run(["courses", "check", name, "--json"]);
  const { problems } = JSON.parse(ran.stdout) as { problems: Record<string, unknown>[] };
  return problems.map(({ rule }) => rule);
}

const json = (changes: Record<string, unknown>) => JSON.stringify(course(changes), null, 1);

describe("integers beyond 2^53", () => {
  const withLessons = (digits: string) => json({ number_of_lessons: 77 }).replace("77", digits);

  test.each(["9007199254740993", "100000000000000000001"])(
    "check reports an integer that would lose digits: %s",
    async (digits) => {
      for (const name of ["a.json", "a.yaml"]) {
        expect(await findings(name, withLessons(digits))).toEqual(["inexact-number"]);
      }
    },
  );
});
