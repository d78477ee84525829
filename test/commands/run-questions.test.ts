/** The questions before a run that deletes courses or undoes another, and the effect of a no. */
import { describe, expect, test } from "vitest";
import { id, numberedCourse, recordFiles, requestsOf, rigWith, storedCourses } from "./helpers.ts";
import { json, rigForPrune, storedIds, writeRequests } from "./push-files.ts";

const TERMINAL = { terminal: true, environment: { NO_COLOR: "1" }, columns: 200 };

/** A rig with these courses, and files (JSON, and a partial CSV) in which the first courses have new names. */
async function rigForRenaming({ courses, renamed }: { courses: number; renamed: number }) {
  const numbers = Array.from({ length: courses }, (_, index) => index + 1);
  const r = await rigWith(...numbers.map((number) => numberedCourse(number)));
  const named = (number: number) => (number > renamed ? `Course ${number}` : `New ${number}`);
  const wanted = numbers.map((number) => numberedCourse(number, { name: named(number) }));
  await r.write("a.json", json(wanted));
  await r.write("a.csv", ["id,name", ...numbers.map((n) => `${id(n)},${named(n)}`), ""].join("\n"));
  return r;
}

describe("questions that are answered with no", () => {
  test.each([
    ["rm", ["courses", "rm", id(1)]],
    ["push --prune", ["courses", "push", "courses", "--prune"]],
    ["undo", ["undo"]],
  ])("%s exits with 2 and changes nothing if the answer is no", async (_, words) => {
    const r = await rigForPrune();
    expect((await r.run(["courses", "unpublish", id(3)])).code).toBe(0);
    const before = await storedCourses(r);
    const ran = await r.run(words, { ...TERMINAL, input: "n\n" });
    expect([ran.code, ran.stdout, writeRequests(ran)]).toEqual([2, "", []]);
    expect(ran.stderr).toMatch(/Cancelled: nothing was changed\.\n$/);
    expect(ran.stderr).not.toContain("error");
    expect(await storedCourses(r)).toEqual(before);
    expect(await recordFiles(r)).toHaveLength(1);
  });

  test("rm --json answered with no prints one notice", async () => {
    const r = await rigForPrune();
    const ran = await r.run(["courses", "rm", id(1), "--json"], { ...TERMINAL, input: "n\n" });
    expect([ran.code, writeRequests(ran)]).toEqual([2, []]);
    expect(ran.stderr).toMatch(/\{"notice":"Cancelled: nothing was changed\."\}\n$/);
  });
});

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
    expect(ran.stderr.match(/^- Course \d \(/gm)).toHaveLength(6);
  });

  test("rm asks for no number with --yes, and accepts y for five courses", async () => {
    const r = await rigWith(...[...SIX, 7, 8, 9, 10, 11].map((number) => numberedCourse(number)));
    const yes = await r.run(["courses", "rm", "--yes", ...SIX.map(id)], TERMINAL);
    expect([yes.code, yes.stderr.includes("Type")]).toEqual([0, false]);
    const words = ["courses", "rm", ...[7, 8, 9, 10, 11].map(id)];
    expect((await r.run(words, { ...TERMINAL, input: "y\n" })).code).toBe(0);
    expect(await storedIds(r)).toEqual([]);
  });
});

test.each([
  ["push", "a.json"],
  ["update", "a.csv"],
])("%s asks nothing before it changes 21 of 24 courses", async (command, file) => {
  const r = await rigForRenaming({ courses: 24, renamed: 21 });
  const ran = await r.run(["courses", command, file], TERMINAL);
  expect([ran.code, requestsOf(ran, "PATCH").length]).toEqual([0, 21]);
  expect(ran.stderr).not.toContain("?");
});
