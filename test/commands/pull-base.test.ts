/** `courses pull --base`: three versions of a file. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lines, numberedCourse, rigWith } from "./helpers.ts";

test("pull --base writes what only the catalog changed, leaves what only the file changed, and lists what both changed", async () => {
  const r = await rigWith(numberedCourse(1, { level: ["beginner"] }));
  await r.run(["courses", "pull", "base"]);
  await r.run(["courses", "pull", "mine"]);
  const [name = ""] = (await r.run(["courses", "ls", "--fields", "slug"])).stdout.split("\n");
  const path = join(r.folder, "mine", `${name}.yaml`);
  const before = await readFile(path, "utf8");
  const mine = before.replace("pace: self_paced", "pace: instructor_paced # ours");
  await r.write(`mine/${name}.yaml`, mine);
  await r.run(["courses", "update", "https://academy.example/1", "--set", 'level=["advanced"]']);

  const taken = await r.run(["courses", "pull", "mine", "--base", "base"]);
  expect([taken.code, taken.stderr]).toEqual([
    0,
    expect.stringContaining("Courses in files: 1 written.\n"),
  ]);
  const after = await readFile(path, "utf8");
  expect(after).toContain("pace: instructor_paced # ours");
  expect(after).toMatch(/level:\s*(\[advanced\]|\n\s*- advanced)/);

  await r.run(["courses", "update", "https://academy.example/1", "--name", "Theirs"]);
  await r.write(`mine/${name}.yaml`, after.replace("name: Course 1", "name: Ours"));
  const both = await r.run(["courses", "pull", "mine", "--base", "base"]);
  expect(both.code).toBe(1);
  expect(lines(both.stderr)[0]).toContain(
    `mine/${name}.yaml:1:1: error: "Ours" differs from the course in the catalog: name`,
  );
  expect(await readFile(path, "utf8")).toContain("name: Ours");
});
