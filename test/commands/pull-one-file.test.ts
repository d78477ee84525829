/** `courses pull --format csv|ndjson|xlsx` writes all courses to one file. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { read, utils } from "@e965/xlsx";
import { expect, test } from "vitest";
// The first import bundles the reader, which takes longer than a test.
import "../../src/files/workbook.ts";
import type { Rig } from "../rig.ts";
import { expectRefused, id, numberedCourse, rigWith } from "./helpers.ts";
import { exists, readFolder } from "./pull-rig.ts";

const PULL = ["courses", "pull", "out", "--format", "xlsx"];

const bytesIn = (r: Rig) => readFile(join(r.folder, "out/courses.xlsx"));

async function rowsIn(r: Rig): Promise<string[][]> {
  const { Sheets } = read(await bytesIn(r));
  return utils.sheet_to_json<string[]>(Sheets.Courses ?? {}, { header: 1 });
}

async function pulled(...numbers: number[]): Promise<Rig> {
  const r = await rigWith(...numbers.map((number) => numberedCourse(number)));
  expect(await r.run(PULL)).toMatchObject({ code: 0, stderr: "Courses in files: 2 written.\n" });
  return r;
}

test.each([
  [
    "csv",
    (text: string) => text.replaceAll("\r\n", ",my own\r\n").replace("my own", "x-note"),
    ",my own",
  ],
  ["ndjson", (text: string) => text.replaceAll('{"', '{"x-note": "x", "'), '"x-note": "x"'],
])(
  "pull --format %s adds new courses, keeps rows that differ, and edits them in place with --force",
  async (format, annotate, note) => {
    const r = await rigWith(numberedCourse(1), numberedCourse(2));
    const words = ["courses", "pull", "out", "--format", format];
    await r.run(words);
    const path = `out/courses.${format}`;
    const read = () => r.read(path);
    await r.write(path, annotate((await read()).replace("Course 1", "Mine")));
    await r.run(["courses", "create", await r.write("c.json", numberedCourse(3))]);
    const kept = await r.run(words, { terminal: true });
    expect([kept.code, await read()]).toEqual([1, expect.stringContaining("Mine")]);
    expect(await read()).toContain("Course 3");
    const forced = await r.run([...words, "--force"]);
    expect(forced).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Courses in files: 1 written, 2 up to date.\n"),
    });
    expect((await read()).split(note)).toHaveLength(3);
    expect(await read()).toContain("Course 1");
    expect(await r.run("courses diff out --exit-code")).toMatchObject({ code: 0 });
  },
);

test.each(["csv", "ndjson"])(
  "pull --format %s writes one file in which diff finds no change, and clears default values there",
  async (format) => {
    const r = await rigWith(numberedCourse(1, { name: "null, NULL; a" }), numberedCourse(2));
    await r.write("out/catalog.defaults.yaml", "level: [beginner]\n");
    const words = ["courses", "pull", "out", "--format", format];
    expect(await r.run(words)).toMatchObject({
      code: 0,
      stderr: "Courses in files: 2 written.\n",
    });
    const files = await readFolder(r);
    expect(Object.keys(files)).toEqual(["catalog.defaults.yaml", `courses.${format}`]);
    expect(await r.run("courses check out")).toMatchObject({ code: 0 });
    const diff = await r.run("courses diff out --exit-code");
    expect(diff).toMatchObject({ code: 0 });
    const again = await r.run(words);
    expect(again).toMatchObject({ code: 0, stderr: "Courses in files: 2 up to date.\n" });
    expect(await readFolder(r)).toEqual(files);
  },
);

test("pull refuses a folder named like a file, and says how to write one file", async () => {
  const r = await rigWith(numberedCourse(1));
  const ran = await r.run("courses pull courses.xlsx");
  expectRefused(ran, 2);
  expect(ran.stderr).toContain('error: "courses.xlsx" is not a folder; pull writes to a folder');
  expect(ran.stderr).toContain("--format xlsx");
  expect(await exists(join(r.folder, "courses.xlsx"))).toBe(false);
});

test("pull --format xlsx writes one workbook of course files, in which diff finds no change", async () => {
  const r = await pulled(1, 2);
  expect(Object.keys(await readFolder(r))).toEqual(["courses.xlsx"]);
  const [header = [], ...rows] = await rowsIn(r);
  expect([header[0], header[1], header.at(-1)]).toEqual(["name", "url", "id"]);
  expect(header).toContain("provider");
  expect(header).toContain("prices[0].price");
  for (const name of ["slug", "provider_id", "approval_status"]) {
    expect(header).not.toContain(name);
  }
  expect(rows.map((row) => [row[0], row.at(-1)])).toEqual([
    ["Course 1", id(1)],
    ["Course 2", id(2)],
  ]);
  expect(await r.run("courses check out")).toMatchObject({ code: 0 });
  expect(await r.run("courses diff out --exit-code")).toMatchObject({ code: 0 });
});

test("pull --format xlsx keeps a workbook that differs, lists its courses, says what else is lost, and writes it anew with --force", async () => {
  const r = await pulled(1, 2);
  await r.run(`courses update ${id(2)} --name New`);
  await r.run(["courses", "create", await r.write("c.json", numberedCourse(3))]);
  await r.run(`courses rm --yes ${id(1)}`);
  const before = await bytesIn(r);
  const kept = await r.run(PULL);
  expect([kept.code, await bytesIn(r)]).toEqual([1, before]);
  expect(kept.stderr).toContain(
    'out/courses.xlsx:3:1: error: "Course 2" differs from the course in the catalog: name',
  );
  expect(kept.stderr).toContain(`"Course 3" (${id(3)}) is missing from out/courses.xlsx`);
  const refused = await r.run([...PULL, "--force"], { terminal: true, input: "n\n" });
  expect([refused.code, await bytesIn(r)]).toEqual([2, before]);
  expect(refused.stderr.replaceAll(/\s+/g, " ")).toContain("anew, without its other sheets,");
  expect(await r.run([...PULL, "--force"])).toMatchObject({ code: 0 });
  const names = (await rowsIn(r)).map(([name]) => name);
  expect(names).toEqual(["name", "Course 1", "New", "Course 3"]);
});

test("pull --format xlsx keeps a file that is not a workbook, even with --force", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("out/courses.xlsx", "mine");
  const ran = await r.run(PULL);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("out/courses.xlsx already exists, but its courses cannot be read");
  expect(await readFolder(r)).toEqual({ "courses.xlsx": "mine" });
  expect(await r.run([...PULL, "--force"])).toMatchObject({ code: 1 });
  expect(await readFolder(r)).toEqual({ "courses.xlsx": "mine" });
});
