/** The history if the clock is ahead, is corrected or jumps: names, retention, and the run that undo selects. */
import { describe, expect, test } from "vitest";
import type { Rig } from "../rig.ts";
import {
  id,
  jsonRows,
  numberedCourse,
  recordFiles,
  recordLines,
  rigWith,
  runOf,
  storedCourses,
  unreliableService,
} from "./helpers.ts";

const FOLDER = ".local/state/catalog/history";
const NOW = Date.UTC(2026, 0, 31, 12);
const DAY = 24 * 60 * 60 * 1000;
const BEFORE_1970 = -1e13;

/** Plants an empty record of a run. */
async function plant(r: Rig, run: string): Promise<void> {
  const facts = { run, time: "", command: "x", baseUrl: "http://x", account: [], target: "x" };
  const header = { catalog: "run", version: 3, ...facts };
  await r.write(`${FOLDER}/${run}.ndjson`, `${JSON.stringify(header)}\n`);
}

/** The names of 200 runs of a year. */
function runsOf(year: number): string[] {
  return Array.from(
    { length: 200 },
    (_, n) => `${year}0101-000000${String(n).padStart(3, "0")}-abcdef`,
  );
}

async function nameCourse(r: Rig, number: number, name: string): Promise<string> {
  const ran = await r.run(["courses", "update", id(number), "--name", name]);
  expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining("warning")]);
  return runOf((await recordFiles(r)).at(-1) ?? "");
}

async function names(r: Rig): Promise<unknown[]> {
  return (await storedCourses(r)).map(({ name }) => name).sort();
}

describe("a clock that was ahead", () => {
  test("rm writes an undo record that undo finds after 200 runs with a clock that was ahead", async () => {
    const r = await rigWith(numberedCourse(1));
    for (const run of runsOf(2027)) await plant(r, run);
    const removed = await r.run(["courses", "rm", "--yes", id(1)]);
    const [, run = ""] = /catalog undo (\S+)/.exec(removed.stderr) ?? [];
    const left = (await recordFiles(r)).map(runOf);
    expect([left.at(-1), left.length]).toEqual([run, 200]);
    expect((await r.run(["undo", run, "--yes"])).code).toBe(0);
    expect(await names(r)).toEqual(["Course 1"]);
  });
});

test.each([
  ["a day ahead and is corrected", NOW + DAY, NOW],
  ["set a day back", NOW, NOW - DAY],
  ["set to a time before 1970", NOW, BEFORE_1970],
  ["before 1970 and is corrected", BEFORE_1970, NOW],
])(
  "undo without a run reverses the run that came last if the clock is %s",
  async (_, first, second) => {
    const r = await rigWith(numberedCourse(1), numberedCourse(2));
    r.clock.set(first);
    const run = await nameCourse(r, 1, "First");
    r.clock.set(second);
    const removed = await r.run(["courses", "rm", "--yes", id(2)]);
    expect([removed.code, await names(r)]).toEqual([0, ["First"]]);
    expect((await r.run(["undo", "--yes"])).code).toBe(0);
    expect(await names(r)).toEqual(["Course 2", "First"]);
    r.clock.set(first);
    expect((await r.run(["undo", "--yes", run])).code).toBe(0);
    expect(await names(r)).toEqual(["Course 1", "Course 2"]);
    expect((await recordFiles(r)).length).toBe(4);
  },
);

test("undo restores what was deleted while the clock jumped during each run", async () => {
  const courses = [1, 2, 3].map((number) => numberedCourse(number));
  const r = await rigWith(...courses);
  const times = [NOW + DAY, BEFORE_1970, 8.64e15, NOW - DAY];
  const { environment } = await unreliableService(r, ({ number }) => {
    r.clock.set(times[number % times.length] ?? NOW);
    return "pass";
  });
  for (const [words, left] of [
    [
      ["courses", "update", id(1), "--name", "First"],
      ["Course 2", "Course 3", "First"],
    ],
    [["courses", "rm", "--yes", id(1), id(2), id(3)], []],
    [
      ["undo", "--yes"],
      ["Course 2", "Course 3", "First"],
    ],
  ] as const) {
    expect((await r.run(words, { environment })).code).toBe(0);
    expect(await names(r)).toEqual(left);
  }
});

test("the names of runs always grow if the clock jumps, and history lists runs in this order", async () => {
  const r = await rigWith(numberedCourse(1));
  const times = [BEFORE_1970, NOW, 0, NOW + DAY, 8.64e14, NOW, -1, 8.64e14, 3e14];
  const runs: string[] = [];
  for (const [index, time] of times.entries()) {
    r.clock.set(time);
    runs.push(await nameCourse(r, 1, `Name ${index}`));
  }
  expect(runs).toEqual([...new Set(runs)].sort());
  expect(await recordFiles(r)).toHaveLength(times.length);
  const listed = jsonRows(await r.run(["history", "--json"]));
  expect(listed.map(({ run }) => run)).toEqual(runs.toReversed());
  const [header] = await recordLines((await recordFiles(r)).at(-1) ?? "");
  expect(header?.time).toBe(new Date(3e14).toISOString());
  for (const index of [...times.keys()].reverse()) {
    expect((await r.run(["undo", "--yes", runs[index] ?? ""])).code).toBe(0);
    expect(await names(r)).toEqual([index === 0 ? "Course 1" : `Name ${index - 1}`]);
  }
});

describe("retention", () => {
  test("the history keeps the newest 200 records", async () => {
    const r = await rigWith(numberedCourse(1));
    const old = runsOf(2024);
    for (const run of old) await plant(r, run);
    const run = await nameCourse(r, 1, "New");
    expect((await recordFiles(r)).map(runOf)).toEqual([...old.slice(1), run]);
  });

  test("the history removes no file whose name is not the name of a run", async () => {
    const r = await rigWith(numberedCourse(1));
    for (const run of [...runsOf(2024), "20240101-notes"]) await plant(r, run);
    await nameCourse(r, 1, "New");
    const left = (await recordFiles(r)).map(runOf);
    expect([left.length, left.includes("20240101-notes")]).toEqual([201, true]);
  });
});
