/** The questions and refusals of `courses pull` before it removes or edits files. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Rig, rig } from "../rig.ts";
import { id, lines, numberedCourse, rigWith } from "./helpers.ts";
import { readFolder } from "./pull-rig.ts";

const PLAIN = { NO_COLOR: "1" };

/** A folder with the files of so many courses, of which the first no longer exist in the catalog. */
async function withGone(amount: number, gone: number): Promise<{ r: Rig; names: string[] }> {
  const courses = Array.from({ length: amount }, (_, index) => numberedCourse(index + 1));
  const r = await rigWith(...courses);
  await r.run("courses pull out");
  const ids = courses.slice(0, gone).map((course) => String(course.id));
  await r.run(["courses", "rm", "--yes", ...ids]);
  return { r, names: Object.keys(await readFolder(r)) };
}

test("pull --prune refuses to remove more than the larger of 5 files and 10 %, even with --yes", async () => {
  const { r, names } = await withGone(7, 6);
  const ran = await r.run("courses pull out --prune --yes");
  expect([ran.code, lines(ran.stderr)[0]]).toEqual([
    2,
    "error: this would delete 6 of the 7 course files in out; the limit is 5",
  ]);
  expect(ran.stderr).toContain("--max-deletes 6");
  expect(Object.keys(await readFolder(r))).toEqual(names);
  const planned = await r.run("courses pull out --prune --dry-run");
  expect(planned.code).toBe(2);
  const allowed = await r.run([
    ...["courses", "pull", "out", "--prune", "--yes", "--max-deletes", "90%"],
  ]);
  expect([allowed.code, Object.keys(await readFolder(r))]).toEqual([0, names.slice(6)]);
});

test("pull --prune removes nothing if the catalog is empty, even within the limit", async () => {
  const { r, names } = await withGone(3, 0);
  const empty = await rig();
  const environment = { CATALOG_BASE_URL: empty.sandbox.baseUrl };
  const words = ["courses", "pull", "out", "--prune", "--yes", "--max-deletes", "100%"];
  const ran = await r.run(words, { environment });
  expect([ran.code, lines(ran.stderr)[0]]).toEqual([
    2,
    "error: the catalog lists no courses, so --prune would remove 3 files; nothing was removed",
  ]);
  expect(Object.keys(await readFolder(r))).toEqual(names);
});

test("pull --prune keeps the files of providers that are not the user's, whose courses may exist", async () => {
  const { r, names } = await withGone(1, 0);
  const foreign = numberedCourse(9, { provider_id: id(8) });
  await r.write("out/foreign.json", JSON.stringify(foreign));
  const ran = await r.run("courses pull out --prune --yes");
  expect([ran.code, Object.keys(await readFolder(r))]).toEqual([
    0,
    [...names, "foreign.json"].sort(),
  ]);
});

test("pull --prune removes more than five files only if the user types their number", async () => {
  const { r, names } = await withGone(8, 6);
  const words = ["courses", "pull", "out", "--prune", "--max-deletes", "6"];
  const ran = await r.run(words, { terminal: true, input: "y\n" });
  expect(ran.stderr.replaceAll(/\s+/g, " ")).toContain("Type 6 to confirm:");
  expect([ran.code, Object.keys(await readFolder(r))]).toEqual([2, names]);
  const typed = await r.run(words, { terminal: true, input: "6\n" });
  expect([typed.code, Object.keys(await readFolder(r))]).toEqual([0, names.slice(6)]);
});

async function withEdit(): Promise<{ r: Rig; file: string; edited: string }> {
  const r = await rigWith(numberedCourse(1));
  const file = "out/mine.json";
  const edited = JSON.stringify({ ...numberedCourse(1), name: "Mine" });
  await r.write(file, edited);
  return { r, file, edited };
}

test("pull --force shows the values that it would overwrite, and edits nothing without a yes", async () => {
  const { r, file, edited } = await withEdit();
  const words = ["courses", "pull", "out", "--force"];
  const ran = await r.run(words, { terminal: true, input: "n\n", environment: PLAIN });
  expect(ran.stderr).toContain(`~ Course 1 (${file}, ${id(1)})`);
  expect(ran.stderr).toContain('name: "Mine" → "Course 1"');
  expect(ran.stderr).toContain("Do you want to overwrite these values in 1 file?");
  expect([ran.code, await readFile(join(r.folder, file), "utf8")]).toEqual([2, edited]);
  const agreed = await r.run(words, { terminal: true, input: "y\n" });
  expect(agreed.code).toBe(0);
  expect(await readFile(join(r.folder, file), "utf8")).not.toBe(edited);
});
