/** The history if the clock is ahead, is corrected or jumps: names, retention, and the run that undo selects. */
import { expect, test } from "vitest";
import type { Rig } from "../rig.ts";
import { id, numberedCourse, recordFiles, rigWith, runOf, storedCourses } from "./helpers.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
const DAY = 24 * 60 * 60 * 1000;
const BEFORE_1970 = -1e13;

/** Changes the name of course 1. @returns the run */
async function nameCourse(r: Rig, name: string): Promise<string> {
  const ran = await r.run(`courses update ${id(1)} --name ${name}`);
  expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining("warning")]);
  return runOf((await recordFiles(r)).at(-1) ?? "");
}

async function names(r: Rig): Promise<unknown[]> {
  return (await storedCourses(r)).map(({ name }) => name).sort();
}

test.each([
  ["a day ahead and is corrected", NOW + DAY, NOW],
  ["set to a time before 1970", NOW, BEFORE_1970],
  ["before 1970 and is corrected", BEFORE_1970, NOW],
])("undo without a run reverses the last run if the clock is %s", async (_, first, second) => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  r.clock.set(first);
  const run = await nameCourse(r, "First");
  r.clock.set(second);
  await r.run(`courses rm --yes ${id(2)}`);
  await r.run("undo --yes");
  expect(await names(r)).toEqual(["Course 2", "First"]);
  r.clock.set(first);
  await r.run(`undo --yes ${run}`);
  expect(await names(r)).toEqual(["Course 1", "Course 2"]);
  expect((await recordFiles(r)).length).toBe(4);
});

test("the history keeps the newest 200 records", async () => {
  const r = await rigWith(numberedCourse(1));
  const facts = { time: "", command: "x", baseUrl: "http://x", account: ["x"], target: "x" };
  const old = Array.from({ length: 200 }, (_, n) => `20240101-000000${100 + n}-abcdef`);
  for (const run of old) {
    const header = { catalog: "run", version: 3, run, ...facts };
    await r.write(`.local/state/catalog/history/${run}.ndjson`, `${JSON.stringify(header)}\n`);
  }
  const run = await nameCourse(r, "New");
  expect((await recordFiles(r)).map(runOf)).toEqual([...old.slice(1), run]);
});
