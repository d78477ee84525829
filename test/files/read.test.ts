/** Finding and reading course files: YAML and JSON, several courses, syntax errors, positions. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { CatalogError } from "../../src/base/errors.ts";
import type { CourseFile } from "../../src/files/course-file.ts";
import { findSources } from "../../src/files/find.ts";
import { loadCourses } from "../../src/files/load.ts";
import { newFolder } from "../folder.ts";

async function folderOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await newFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

async function load(
  paths: readonly string[],
  folder: string,
  input = "",
): Promise<readonly CourseFile[]> {
  const files: CourseFile[] = [];
  const stream = Readable.from([input]);
  for await (const file of loadCourses(paths, { folder, input: { stream } })) files.push(file);
  return files;
}

async function read(name: string, content: string | Uint8Array): Promise<CourseFile> {
  const [file] = await load([name], await folderOf({ [name]: content }));
  if (file === undefined) throw new Error("nothing was loaded");
  return file;
}

async function found(folder: string, path = "."): Promise<string[]> {
  const sources = await findSources([path], { folder });
  return sources.flatMap((each) => {
    if (each instanceof CatalogError && each.facts.rule !== "not-read") throw each;
    return typeof each === "object" && "path" in each ? each.name : [];
  });
}

function errorsOf({ diagnostics }: CourseFile): string[] {
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ line, column, rule }) => `${line}:${column} ${rule}`);
}

test("a folder includes every course file below it, in the order of their names", async () => {
  const folder = await folderOf({
    "b.yaml": "",
    "a/z.yml": "",
    "a/c.json": "",
    "d.txt": "",
    "e.YAML": "",
  });
  expect(await found(folder)).toEqual(["a/c.json", "a/z.yml", "b.yaml", "e.YAML"]);
});

test("a search skips hidden folders, node_modules and the files of other tools", async () => {
  const folder = await folderOf({
    ".git/a.yaml": "",
    "node_modules/b/c.json": "",
    "package.json": "",
    "package-lock.json": "",
    "tsconfig.json": "",
    ".catalogrc.yaml": "",
    "catalog.config.json": "",
    "course.yaml": "",
  });
  expect(await found(folder)).toEqual(["course.yaml"]);
});

test("a search follows a symbolic link only to a file inside the folder, and a file counts once, where it is", async () => {
  const folder = await folderOf({ "in/a.yaml": "", "outside.yaml": "" });
  for (const name of ["0", "b"]) await symlink("a.yaml", join(folder, `in/${name}.yaml`));
  await symlink(join(folder, "outside.yaml"), join(folder, "in/c.yaml"));
  await symlink(join(folder, "in"), join(folder, "in/loop"));
  expect(await found(folder, "in")).toEqual(["in/a.yaml"]);
});

test("a file can contain one course, a list of courses or several documents", async () => {
  expect((await read("a.yaml", "name: A")).courses).toHaveLength(1);
  expect((await read("a.yaml", "- name: A\n- name: B")).courses).toHaveLength(2);
  expect((await read("a.yaml", "name: A\n---\nname: B\n---\n- name: C\n")).courses).toHaveLength(3);
  expect((await read("a.json", '[{"name":"A"},{"name":"B"}]')).courses).toHaveLength(2);
});

test.each([
  ["# c\n---\n# one\nname: A\n---\nname: B\n", [4, 6]],
  ["---\nname: A\n...\n# c\n---\n\nname: B\n", [2, 7]],
  ["%YAML 1.2\n---\nname: A\n--- # c\n- name: B\n- name: C\n", [3, 5, 6]],
  ["name: A\n---\nname: B\n", [1, 3]],
  ["--- {name: A}\n--- {name: B}\n", [1, 2]],
])("the courses of the documents %j begin in the lines %j", async (text, lines) => {
  expect((await read("a.yaml", text)).courses.map(({ line }) => line)).toEqual(lines);
});

test("YAML is read as YAML 1.2 with the core schema: dates and the word no stay strings", async () => {
  const { courses } = await read("a.yaml", "a: no\nb: 2026-01-01\nc: on\nd: true\ne: 0o17\nf: ~\n");
  const values = { a: "no", b: "2026-01-01", c: "on", d: true, e: 15, f: null };
  expect(courses[0]?.value).toEqual(values);
});

test("a byte order mark and CRLF do not change the values", async () => {
  const { courses } = await read("a.yaml", "\ufeffname: A\r\npace: b\r\n");
  expect(courses[0]?.value).toEqual({ name: "A", pace: "b" });
  expect((await read("a.json", '\ufeff{"name":"A"}')).courses[0]?.value).toEqual({ name: "A" });
});

test("the other problems of a file with a duplicate key are also reported", async () => {
  const text = "name: A\nname: B\npace: slow\n";
  expect(errorsOf(await read("a.yaml", text))).toContain("3:7 choice");
});

test("a value that begins with # is missing, with the hint that a comment begins there", async () => {
  const { diagnostics } = await read(
    "a.yaml",
    "name: #1 Course\nurl: # later\nsyllabus:\n  - title: #2 Kneading\n",
  );
  const hints = diagnostics.filter(({ notes }) => notes?.[0]?.startsWith("# begins a comment"));
  expect(hints.map(({ line, rule }) => [line, rule])).toEqual([
    [1, "required"],
    [2, "required"],
    [4, "incomplete"],
  ]);
});

test("closing brackets of YAML need no indentation, with a comment above them too", async () => {
  const { courses, diagnostics } = await read(
    "a.yaml",
    "name: A\nurl: b\nprices: [\n  {type: x, # c, ]\n  }, # d\n]\nvideo: {\n  type: y\n}\n",
  );
  expect(courses[0]?.value).toMatchObject({ prices: [{ type: "x" }], video: { type: "y" } });
  const choices = diagnostics.filter(({ rule }) => rule === "choice");
  expect(choices.map(({ line, column }) => [line, column])).toEqual([
    [4, 10],
    [8, 9],
  ]);
});

const yaml = "name: A\npace: slow\nprices:\n  - type: single_course\n";

test("a place is found after the text has left the memory, also where others moved it, except of a course that has changed since", async () => {
  const folder = await folderOf({
    "a.yaml": `# one\n${yaml}`,
    "b.yaml": `# two\n${yaml}`,
    "c.yaml": `# three\n${yaml}`,
  });
  const courses = (await load(["."], folder)).flatMap((file) => file.courses);
  await writeFile(join(folder, "b.yaml"), `# two\n\n${yaml}`);
  await writeFile(join(folder, "c.yaml"), `# three\n\n${yaml}x-new: 1\n`);
  setFlagsFromString("--expose-gc");
  await setImmediate();
  runInNewContext("gc")();
  const places = await Promise.all(courses.map((each) => each.place(["pace"])));
  expect(places.map(({ file, line, column }) => `${file}:${line}:${column}`)).toEqual([
    "a.yaml:3:7",
    "b.yaml:4:7",
    "c.yaml:2:1",
  ]);
});
