/** `courses pull --base`: three versions of a file. */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { id, lines, numberedCourse, rigWith } from "./helpers.ts";

test("pull --base writes what only the catalog changed, leaves what only the file changed, and lists what both changed", async () => {
  const r = await rigWith(numberedCourse(1, { level: ["beginner"] }));
  await r.run("courses pull base");
  await r.run("courses pull mine");
  const [name = ""] = (await r.run("courses ls --fields slug")).stdout.split("\n");
  const path = join(r.folder, "mine", `${name}.yaml`);
  const before = await readFile(path, "utf8");
  const mine = before.replace("pace: self_paced", "pace: instructor_paced # ours");
  await r.write(`mine/${name}.yaml`, mine);
  await r.run(["courses", "update", "https://academy.example/1", "--set", 'level=["advanced"]']);

  const taken = await r.run("courses pull mine --base base");
  expect([taken.code, taken.stderr]).toEqual([
    0,
    expect.stringContaining("Courses in files: 1 written.\n"),
  ]);
  const after = await readFile(path, "utf8");
  expect(after).toContain("pace: instructor_paced # ours");
  expect(after).toMatch(/level:\s*(\[advanced\]|\n\s*- advanced)/);

  await r.run("courses update https://academy.example/1 --name Theirs");
  await r.write(`mine/${name}.yaml`, after.replace("name: Course 1", "name: Ours"));
  const both = await r.run("courses pull mine --base base");
  expect(both.code).toBe(1);
  expect(lines(both.stderr)[0]).toContain(
    `mine/${name}.yaml:1:1: error: "Ours" differs from the course in the catalog: name`,
  );
  expect(await readFile(path, "utf8")).toContain("name: Ours");
});

test("pull --base lists what one side removed and the other one changed, writes no removed file again, and counts both", async () => {
  const r = await rigWith(...[1, 2, 3, 4].map((number) => numberedCourse(number)));
  for (const folder of ["base", "mine"]) await r.run(["courses", "pull", folder]);
  const names = (await readdir(join(r.folder, "mine"))).sort();
  const [first = "", second = "", third = "", fourth = ""] = names;
  const path = (name: string) => join(r.folder, "mine", name);
  // In the catalog, 1 and 2 are deleted, and 3 changes; here, 1 changes, and 3 and 4 are removed.
  await r.run(`courses rm ${id(1)} ${id(2)} --yes`);
  await r.run(`courses update ${id(3)} --name Theirs`);
  const mine = (await readFile(path(first), "utf8")).replace("name: Course 1", "name: Ours");
  await writeFile(path(first), mine);
  for (const name of [third, fourth]) await rm(path(name));
  const ran = await r.run("courses pull mine --base base");
  expect(ran.code).toBe(1);
  expect(lines(ran.stderr)).toEqual([
    expect.stringContaining(
      '"Theirs" (abcdef00-0000-4000-9000-000000000003) is no longer in any file',
    ),
    expect.stringMatching(/:1: error: "Ours" was deleted in the catalog, but changed in the file$/),
    "Left out 1 course whose file was removed since the base.",
    "1 file has no course in the catalog. To remove it, pass --prune.",
    "Courses in files: 2 left alone. To update files that differ, pass --force.",
  ]);
  expect((await readdir(join(r.folder, "mine"))).sort()).toEqual([first, second]);
  const pruned = await r.run("courses pull mine --base base --prune --yes");
  expect([pruned.code, await readdir(join(r.folder, "mine"))]).toEqual([1, [first]]);
});

test("pull counts the files whose courses the catalog does not have", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  await r.run("courses pull mine");
  await r.run(`courses rm ${id(1)} --yes`);
  const ran = await r.run("courses pull mine");
  expect([ran.code, ran.stderr]).toEqual([
    0,
    expect.stringContaining("1 file has no course in the catalog. To remove it, pass --prune.\n"),
  ]);
});
