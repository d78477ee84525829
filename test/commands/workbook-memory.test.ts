/** A workbook that catalog wrote remembers its values, so that only edited cells are sent. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { read, utils, type WorkSheet, write } from "@e965/xlsx";
import { expect, test } from "vitest";
import type { Rig } from "../rig.ts";
import { id, numberedCourse, rigWith } from "./helpers.ts";

const PRICE = { type: "single_course", price: "10.00", currency: "EUR" };
const FIRST = numberedCourse(1, { prices: [PRICE], subtitles_text: ["en"] });
const SECOND = numberedCourse(2, { prices: [PRICE] });

/** Changes the catalog as a colleague does. */
async function change(r: Rig, method: string, number: number, body: Record<string, unknown>) {
  const path = `developer/v1/courses?id=${id(number)}`;
  await r.run(["api", method, path, "-d", JSON.stringify(body)]);
}

/** A rig whose folder has a workbook of two courses, after which a colleague changes both in the catalog. */
async function exported(): Promise<Rig> {
  const r = await rigWith(FIRST, SECOND);
  await r.run("courses ls --all --out courses.xlsx");
  await change(r, "PATCH", 1, { short_description: "By a colleague" });
  await change(r, "PATCH", 2, { name: "By a colleague" });
  return r;
}

/** Changes the visible sheet, and saves the workbook as a spreadsheet program does. */
async function edit(r: Rig, make: (sheet: WorkSheet, rows: string[][]) => WorkSheet | undefined) {
  const book = read(await readFile(join(r.folder, "courses.xlsx")));
  const sheet = book.Sheets.Courses ?? {};
  const rows = utils.sheet_to_json<string[]>(sheet, { header: 1, defval: "" });
  book.Sheets.Courses = make(sheet, rows) ?? utils.aoa_to_sheet(rows);
  await r.write("courses.xlsx", write(book, { type: "buffer", bookType: "xlsx" }));
}

/** Sets a cell of the course with an id. */
function setCell(rows: string[][], course: string, column: string, value: string): undefined {
  const row = rows.find((cells) => cells.includes(course)) ?? [];
  row[rows[0]?.indexOf(column) ?? -1] = value;
}

const push = (r: Rig, ...flags: string[]) => r.run(["courses", "push", "courses.xlsx", ...flags]);

const catalog = async (r: Rig, number: number): Promise<Record<string, unknown>> =>
  JSON.parse((await r.run(["courses", "get", id(number), "--json"])).stdout);

test.each(["push", "update"])(
  "%s of a workbook sends only the edited cell, and leaves what a colleague changed since the export",
  async (command) => {
    const r = await exported();
    await edit(r, (_, rows) => setCell(rows, id(1), "prices[0].price", "12.00"));
    const ran = await r.run(["courses", command, "courses.xlsx"]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Updated 1 course")]);
    expect(ran.requests.filter((request) => request.startsWith("PATCH"))).toHaveLength(1);
    expect(await catalog(r, 1)).toMatchObject({
      short_description: "By a colleague",
      prices: [{ ...PRICE, price: "12.00" }],
    });
    expect((await catalog(r, 2)).name).toBe("By a colleague");
    expect(ran.stderr).toContain("Kept what changed in the catalog");
  },
);

test("a cell that was edited, and also changed in the catalog, is drift, which --on-drift settles", async () => {
  const r = await exported();
  await edit(r, (_, rows) => setCell(rows, id(1), "short_description", "By me"));
  for (const command of ["push", "update"]) {
    const ran = await r.run(["courses", command, "courses.xlsx"]);
    expect([ran.code, ran.stderr]).toEqual([7, expect.stringContaining("short_description")]);
  }
  expect((await push(r, "--on-drift", "keep")).code).toBe(0);
  expect((await catalog(r, 1)).short_description).toBe("By a colleague");
  expect((await push(r, "--on-drift", "overwrite")).code).toBe(0);
  expect((await catalog(r, 1)).short_description).toBe("By me");
});

test("an emptied cell clears its field, of which a required one is an error", async () => {
  const r = await exported();
  await edit(r, (_, rows) => setCell(rows, id(1), "subtitles_text", ""));
  expect((await push(r)).code).toBe(0);
  expect((await catalog(r, 1)).subtitles_text).toEqual(null);
  await edit(r, (_, rows) => setCell(rows, id(2), "name", ""));
  const ran = await push(r);
  expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining("name is required")]);
});

test("removed columns, removed rows and another order of rows change nothing", async () => {
  const r = await exported();
  for (const left of [3, 2]) {
    await edit(r, (_, [header = [], one = [], two = []]) => {
      const at = header.indexOf("prices[0].currency");
      const kept = (_: string, index: number) => at === -1 || index !== at;
      return utils.aoa_to_sheet([header, two, one].map((row) => row.filter(kept)).slice(0, left));
    });
    const ran = await push(r);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Already up to date")]);
  }
});

test("a workbook without columns of required fields sends its edited cells, and changes nothing else", async () => {
  const r = await exported();
  await edit(r, (_, rows) => {
    setCell(rows, id(1), "prices[0].price", "12.00");
    const removed = ["name", "short_description", "long_description", "audio", "provider_id"];
    const left = (_cell: string, at: number) => !removed.includes(rows[0]?.[at] ?? "");
    return utils.aoa_to_sheet(rows.map((row) => row.filter(left)));
  });
  expect((await r.run("courses check courses.xlsx")).code).toBe(0);
  const ran = await push(r);
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Updated 1 course")]);
  expect(await catalog(r, 1)).toMatchObject({
    short_description: "By a colleague",
    prices: [{ ...PRICE, price: "12.00" }],
  });
  expect((await catalog(r, 2)).name).toBe("By a colleague");
});

test("a column provider in place of provider_id is read as it is", async () => {
  const r = await exported();
  await edit(r, (_, rows) => {
    const at = rows[0]?.indexOf("provider_id") ?? -1;
    for (const [index, row] of rows.entries())
      row[at] = index === 0 ? "provider" : "example-academy";
  });
  const ran = await push(r);
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Already up to date")]);
});

test("push --prune deletes only courses whose rows were removed from the workbook", async () => {
  const r = await rigWith(FIRST, SECOND);
  await r.run("courses ls --all --out courses.xlsx");
  await change(r, "POST", 3, numberedCourse(3));
  await edit(r, (_, rows) => utils.aoa_to_sheet(rows.slice(0, 2)));
  const ran = await push(r, "--prune", "--yes");
  const deleted = ran.requests.filter((request) => request.startsWith("DELETE"));
  expect([ran.code, deleted.length]).toEqual([0, 1]);
  expect((await catalog(r, 3)).id).toBe(id(3));
});

test("an unknown sheet of a workbook of ls is refused without naming the hidden sheet", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.run("courses ls --out courses.xlsx");
  const { code, stdout } = await r.run("courses check courses.xlsx --sheet 2028");
  expect(code).toBe(3);
  expect(stdout).toContain('courses.xlsx has no sheet "2028", only "Courses" [');
});

test("without its hidden sheet, a workbook is a table like any other, with a notice", async () => {
  const r = await exported();
  const book = read(await readFile(join(r.folder, "courses.xlsx")));
  delete book.Sheets.catalog;
  book.SheetNames = ["Courses"];
  book.Workbook = {};
  await r.write("courses.xlsx", write(book, { type: "buffer", bookType: "xlsx" }));
  const ran = await push(r);
  expect([ran.code, ran.stderr]).toEqual([
    0,
    expect.stringContaining("has no record of the exported values"),
  ]);
  expect((await catalog(r, 2)).name).toBe(SECOND.name);
  const refused = await push(r, "--on-drift", "keep");
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--on-drift needs")]);
});

test.each(["xlsx", "csv"])(
  "check --report %s gives the table back with what is wrong in a first column, which is not read again",
  async (format) => {
    const r = await exported();
    await edit(r, (_, rows) => setCell(rows, id(1), "pace", "slow"));
    await r.run(`courses check courses.xlsx --report ${format}=checked.${format}`);
    const book = read(await readFile(join(r.folder, `checked.${format}`)));
    const [sheet = {}] = Object.values(book.Sheets);
    const [header = [], one = [], two = []] = utils.sheet_to_json<string[]>(sheet, { header: 1 });
    expect(header.slice(0, 2)).toEqual(["problems", "name"]);
    expect([one[0], one[1]]).toEqual([
      expect.stringMatching(/^cell \S+ .*pace must be/),
      FIRST.name,
    ]);
    expect(two[0] ?? "").toBe("");
    expect(one[header.indexOf("audio")]).toBe("en");
    const again = await r.run(`courses check checked.${format}`);
    expect([again.code, again.stdout.match(/\[.*\]/g)]).toEqual([3, ["[choice]"]]);
  },
);

test("a workbook that check writes still contains the record of its export", async () => {
  const r = await exported();
  await edit(r, (_, rows) => setCell(rows, id(1), "prices[0].price", "12.00"));
  await r.run("courses check courses.xlsx --report xlsx=checked.xlsx");
  const ran = await r.run("courses push checked.xlsx");
  expect(ran.requests.filter((request) => request.startsWith("PATCH"))).toHaveLength(1);
  expect((await catalog(r, 2)).name).toBe("By a colleague");
});
