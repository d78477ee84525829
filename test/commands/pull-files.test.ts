/** What `courses pull` does with existing files, folders and links, and with unusual slugs. */
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Rig } from "../rig.ts";
import { id, lines, numberedCourse, rigWith } from "./helpers.ts";
import { listedCourse, readFolder, rigListing } from "./pull-rig.ts";

/** Changes a name in a file of the folder. */
async function rename(r: Rig, file: string, from: string, to: string): Promise<void> {
  const path = join(r.folder, "out", file);
  await writeFile(path, (await readFile(path, "utf8")).replace(from, to));
}

const three = async (): Promise<{ r: Rig; names: string[] }> => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2), numberedCourse(3));
  await r.run("courses pull out");
  return { r, names: Object.keys(await readFolder(r)) };
};

test("pull keeps and lists files that differ, and writes the other files", async () => {
  const { r, names } = await three();
  const [first = "", second = "", third = ""] = names;
  await rename(r, first, "Course 1", "mine");
  await r.run(["courses", "update", id(2), "--name", "Course 2, again"]);
  await r.run(`courses rm --yes ${id(3)}`);
  await r.run(["courses", "create", await r.write("four.yaml", JSON.stringify(numberedCourse(4)))]);
  const ran = await r.run("courses pull out");
  expect(ran.code).toBe(1);
  expect(lines(ran.stderr)).toEqual([
    `out/${first}:1:1: error: "mine" differs from the course in the catalog: name`,
    `out/${second}:1:1: error: "Course 2" differs from the course in the catalog: name`,
    "1 file has no course in the catalog. To remove it, pass --prune.",
    "Courses in files: 1 written, 2 left alone. To update files that differ, pass --force.",
  ]);
  const files = await readFolder(r);
  expect(files[first]).toMatch(/^name: mine$/m);
  expect(files[second]).toMatch(/^name: Course 2$/m);
  expect(files[third]).toMatch(/^name: Course 3$/m);
  expect(Object.keys(files)).toHaveLength(4);
});

test("pull --force edits files that differ and keeps their mode", async () => {
  const { r, names } = await three();
  const [first = ""] = names;
  const before = await readFolder(r);
  const path = join(r.folder, "out", first);
  await rename(r, first, "Course 1", "mine");
  await chmod(path, 0o640);
  const ran = await r.run("courses pull out --force");
  expect(ran).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringContaining("Courses in files: 1 written, 2 up to date.\n"),
  });
  expect(await readFolder(r)).toEqual(before);
  expect((await stat(path)).mode & 0o777).toBe(0o640);
});

test("pull writes files only inside the folder for any slug", async () => {
  const slugs = [
    "../../escaped",
    "/tmp/escaped",
    "..\\escaped",
    "..",
    "",
    null,
    ".catalogrc",
    ".git/config",
    "con",
    "a\u0000b",
    "\u001b[31mred",
    "same",
    "SAME",
    "x".repeat(5000),
  ];
  const { r, pull } = await rigListing(
    ...slugs.map((slug, index) => listedCourse(index + 1, slug)),
  );
  const ran = await pull();
  expect(ran).toMatchObject({ code: 0, stderr: "Courses in files: 14 written.\n" });
  expect(await readdir(r.folder)).toEqual(["out"]);
  const files = await readFolder(r);
  expect(Object.keys(files)).toHaveLength(14);
  for (const name of Object.keys(files)) expect(name).toMatch(/^[^-.~\s].{0,194}\.yaml$/u);
  expect((await r.run("courses check out")).stdout).toContain("14 files, 14 courses");
});
