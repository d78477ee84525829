/** `courses pull --format csv|ndjson|xlsx` writes all courses to one file. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readWorkbook } from "../../src/files/workbook.ts";
import { type Rig, rig } from "../rig.ts";
import { workbook } from "../workbooks.ts";
import { expectRefused, id, jsonRows, numberedCourse, rigWith } from "./helpers.ts";
import { exists, readFolder } from "./pull-rig.ts";

const PULL = ["courses", "pull", "out", "--format", "xlsx"];

const bytesIn = (r: Rig) => readFile(join(r.folder, "out/courses.xlsx"));

async function rowsIn(r: Rig): Promise<string[][]> {
  const { table } = await readWorkbook("courses.xlsx", await bytesIn(r), undefined);
  return table.rows.map(({ cells }) => cells.map(String));
}

/** Writes the workbook as another program does, with changed rows. */
async function save(r: Rig, change: (rows: string[][]) => string[][]): Promise<void> {
  await r.write("out/courses.xlsx", workbook({ Courses: change(await rowsIn(r)) }));
}

const renameFirst = (rows: string[][]): string[][] =>
  rows.map((row) => row.map((cell) => (cell === "Course 1" ? "Edited" : cell)));

const rename = (r: Rig, number: number) =>
  r.run(["courses", "update", id(number), "--name", "New"]);

async function pulled(...numbers: readonly number[]): Promise<Rig> {
  const r = await rigWith(...numbers.map((number) => numberedCourse(number)));
  expect(await r.run(PULL)).toMatchObject({ code: 0, stderr: "Wrote 1 file.\n" });
  return r;
}

describe("--format csv and ndjson", () => {
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
      const read = () => readFile(join(r.folder, path), "utf8");
      await r.write(path, annotate((await read()).replace("Course 1", "Mine")));
      await r.run([
        "courses",
        "create",
        await r.write("c.json", JSON.stringify(numberedCourse(3))),
      ]);
      const kept = await r.run(words, { terminal: true });
      expect([kept.code, await read()]).toEqual([1, expect.stringContaining("Mine")]);
      expect(await read()).toContain("Course 3");
      const forced = await r.run([...words, "--force"]);
      expect(forced).toMatchObject({
        code: 0,
        stderr: "Wrote 1 file. 2 courses were up to date.\n",
      });
      expect((await read()).split(note)).toHaveLength(3);
      expect(await read()).toContain("Course 1");
      expect(await r.run(["courses", "diff", "out", "--exit-code"])).toMatchObject({ code: 0 });
    },
  );

  test.each(["csv", "ndjson"])(
    "pull --format %s writes one file in which diff finds no change, and clears default values there",
    async (format) => {
      const r = await rigWith(numberedCourse(1, { name: "null, NULL; a" }), numberedCourse(2));
      await r.write("out/catalog.defaults.yaml", "level: [beginner]\n");
      const words = ["courses", "pull", "out", "--format", format];
      expect(await r.run(words)).toMatchObject({ code: 0, stderr: "Wrote 1 file.\n" });
      const files = await readFolder(r);
      expect(Object.keys(files)).toEqual(["catalog.defaults.yaml", `courses.${format}`]);
      expect(await r.run(["courses", "check", "out"])).toMatchObject({ code: 0 });
      const diff = await r.run(["courses", "diff", "out", "--exit-code"]);
      expect(diff).toMatchObject({ code: 0 });
      const again = await r.run(words);
      expect(again).toMatchObject({ code: 0, stderr: "Already up to date: 2 courses.\n" });
      expect(await readFolder(r)).toEqual(files);
    },
  );
});

test("pull refuses a folder named like a file, and says how to write one file", async () => {
  const r = await rigWith(numberedCourse(1));
  for (const [name, advice] of [
    ["courses.xlsx", "catalog courses pull . --format xlsx"],
    ["my files/x.CSV", "catalog courses pull 'my files' --format csv"],
    ["a.yaml", "catalog courses pull courses/"],
  ] as const) {
    const ran = await r.run(["courses", "pull", name]);
    expectRefused(ran, 2);
    expect([ran.stderr.replaceAll(/\s+/g, " "), ran.requests]).toEqual([
      expect.stringContaining(`error: ${name} is the name of a file; pull writes to a folder`),
      [],
    ]);
    expect(ran.stderr).toContain(advice);
    expect(await exists(join(r.folder, name))).toBe(false);
  }
});

describe("--format xlsx", () => {
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
    expect(await r.run(["courses", "check", "out"])).toMatchObject({ code: 0 });
    expect(await r.run(["courses", "diff", "out", "--exit-code"])).toMatchObject({ code: 0 });
  });

  test("pull --format xlsx keeps a workbook with the same values, even if another program saved it", async () => {
    const r = await pulled(1, 2);
    const before = await bytesIn(r);
    expect(await r.run(PULL)).toMatchObject({ code: 0 });
    expect(await bytesIn(r)).toEqual(before);
    await save(r, (rows) => rows);
    const saved = await bytesIn(r);
    expect(await r.run([...PULL, "--force"])).toMatchObject({
      code: 0,
      stderr: "Already up to date: 2 courses.\n",
    });
    expect(await bytesIn(r)).toEqual(saved);
  });

  test("pull --format xlsx keeps a workbook that differs, and lists the courses with their fields", async () => {
    const r = await pulled(1, 2);
    await save(r, renameFirst);
    const before = await bytesIn(r);
    const ran = await r.run([...PULL]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(
      'out/courses.xlsx:2:1: error: "Edited" differs from the course in the catalog: name',
    );
    expect(ran.stderr).toContain("To rewrite the workbook, pass --force.");
    expect(await bytesIn(r)).toEqual(before);
  });

  test("pull --format xlsx lists courses that a workbook lacks, and --force adds them and keeps its other rows", async () => {
    const r = await pulled(1, 2);
    await save(r, (rows) =>
      rows.map((row) => row.map((cell) => cell.replace(id(1), id(7)).replace(/\/1$/, "/7"))),
    );
    const before = await bytesIn(r);
    const ran = await r.run([...PULL, "--json"]);
    expect(ran.code).toBe(1);
    const results = jsonRows(ran).map(({ name, action, status }) => [name, action, status]);
    expect(results).toEqual([
      ["Course 2", "unchanged", "unchanged"],
      ["Course 1", "create", "failed"],
    ]);
    expect(ran.stdout).toContain(
      String.raw`\"Course 1\" (${id(1)}) is missing from out/courses.xlsx`,
    );
    expect(await bytesIn(r)).toEqual(before);
    expect(await r.run([...PULL, "--force"])).toMatchObject({ code: 0 });
    const ids = (await rowsIn(r)).map((row) => row.find((cell) => /^[\da-f-]{36}$/.test(cell)));
    expect(ids.sort()).toEqual([undefined, id(1), id(2), id(7)].sort());
  });

  test("pull --format xlsx --force replaces the complete workbook", async () => {
    const r = await pulled(1, 2);
    const first = await bytesIn(r);
    await save(r, renameFirst);
    const ran = await r.run([...PULL, "--force"]);
    expect(ran).toMatchObject({ code: 0, stderr: "Wrote 1 file. 1 course was up to date.\n" });
    expect(await bytesIn(r)).toEqual(first);
    await rename(r, 2);
    await r.run([...PULL, "--force"]);
    expect((await rowsIn(r)).map(([name]) => name)).toEqual(["name", "Course 1", "New"]);
  });

  test("pull --format xlsx --force asks on a terminal and shows the values that are lost", async () => {
    const r = await pulled(1);
    await save(r, renameFirst);
    const before = await bytesIn(r);
    const no = await r.run([...PULL, "--force"], { terminal: true, input: "n\n" });
    expect(no.code).toBe(2);
    expect(no.stderr).toContain("Edited");
    expect(await bytesIn(r)).toEqual(before);
    const yes = await r.run([...PULL, "--force", "--yes"], { terminal: true });
    expect(yes.code).toBe(0);
  });

  test("pull --format xlsx --dry-run writes nothing and says what it would do", async () => {
    const r = await rigWith(numberedCourse(1));
    const ran = await r.run([...PULL, "--dry-run"]);
    expect(ran).toMatchObject({ code: 0, stderr: "Would write 1 file.\n" });
    expect(await exists(join(r.folder, "out"))).toBe(false);
  });

  test("pull --format xlsx --no-ids omits the column of ids", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.run([...PULL, "--no-ids"]);
    expect((await rowsIn(r))[0]?.[0]).toBe("name");
    expect(await r.run([...PULL, "--no-ids"])).toMatchObject({
      code: 0,
      stderr: "Already up to date: 1 course.\n",
    });
  });

  test("pull --format xlsx --prune exits with 2 before any request", async () => {
    const r = await rigWith(numberedCourse(1));
    const ran = await r.run([...PULL, "--prune", "--yes"]);
    expectRefused(ran, 2);
    expect(ran.requests).toEqual([]);
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

  test("pull --format xlsx writes nothing if a course does not fit into a workbook", async () => {
    const r = await rigWith(numberedCourse(1, { long_description: "x".repeat(32_768) }));
    const ran = await r.run(PULL);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('a workbook cannot contain "Course 1": long_description has');
    expect(await readFolder(r)).toEqual({});
  });

  test("pull --format xlsx writes nothing if the catalog has no courses", async () => {
    const r = await rig();
    expect(await r.run(PULL)).toMatchObject({ code: 0, stderr: "No courses.\n" });
    expect(await readFolder(r)).toEqual({});
  });

  test("pull --format xlsx writes values that default values would change", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write("out/catalog.defaults.yaml", "level: [beginner]\n");
    expect(await r.run(PULL)).toMatchObject({ code: 0 });
    const diff = await r.run(["courses", "diff", "out", "--exit-code"]);
    expect(diff).toMatchObject({ code: 0 });
  });
});
