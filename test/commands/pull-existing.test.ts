/** `courses pull` into a folder with files that people wrote by hand. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Rig } from "../rig.ts";
import { id, jsonRows, lines, numberedCourse, rigWith } from "./helpers.ts";
import { exists, readFolder } from "./pull-rig.ts";

/** Course 1 as a person would write it. */
const MINE = `# Ours
pace: "self_paced"
name:   Course 1   # the name
url: https://academy.example/1
provider: academy.example
level: [ ]
short_description: |-
  Knit your first scarf.
long_description: From casting on to binding off.
audio:
- en # English
x-owner: ada
`;

async function read({ folder }: Rig, name: string): Promise<string> {
  return await readFile(join(folder, name), "utf8");
}

test("pull finds a course by its url below the folder and does not write it again", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("out/deep/mine.yml", MINE);
  const ran = await r.run("courses pull out");
  expect(ran).toMatchObject({ code: 0, stderr: "Courses in files: 1 up to date.\n" });
  expect(await read(r, "out/deep/mine.yml")).toBe(MINE);
  expect(Object.keys(await readFolder(r))).toEqual(["deep"]);
});

test("pull finds a course by its key, although its url has changed", async () => {
  const r = await rigWith();
  await r.write("out/mine.yaml", `${MINE}key: SKU-1\n`);
  expect(await r.run("courses push out")).toMatchObject({ code: 0 });
  await r.write("out/mine.yaml", `${MINE}key: SKU-1\n`.replace("example/1", "example/new"));
  const ran = await r.run("courses pull out");
  expect(ran.code).toBe(1);
  expect(lines(ran.stderr)[0]).toContain("differs from the course in the catalog: url");
});

test("pull --force writes null for a field that only a defaults file sets, so that push changes nothing", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("out/mine.yaml", MINE);
  await r.write("out/catalog.defaults.yaml", "duration_in_hours: 5\nprices: [{price: '5'}]\n");
  expect(await r.run("courses pull out --force")).toMatchObject({ code: 0 });
  const text = await read(r, "out/mine.yaml");
  expect(text).toContain("prices: null\n");
  expect(text).toContain("duration_in_hours: null\n");
  expect(text).toContain("name:   Course 1   # the name\n");
  const pushed = await r.run("courses push out");
  expect(pushed.requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
});

test("pull --force says which field it wrote again on one line, because its layout allows no smaller change", async () => {
  const names = (...all: string[]) => ({ instructors: all.map((name) => ({ name })) });
  const r = await rigWith({ ...numberedCourse(1), ...names("Bob", "Ada") });
  const before = "instructors:\n  - &ada # ours\n    name: Ada\n  - *ada\n";
  await r.write("out/mine.yaml", `${MINE}${before}`);
  const { code, stderr } = await r.run("courses pull out --force");
  expect(code).toBe(0);
  expect(stderr).toContain(
    "out/mine.yaml: instructors cannot be edited in place, so the whole field is written on one line, without its comments.\n",
  );
  expect(await read(r, "out/mine.yaml")).toContain("instructors: [{name: Bob}, {name: Ada}]\n");
});

test("pull leaves a damaged file alone and says where its problem is", async () => {
  const r = await rigWith(numberedCourse(1));
  const text = `${MINE}name: again\n`;
  await r.write("out/mine.yaml", text);
  const ran = await r.run("courses pull out --force");
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(/^warning: skipped out\/mine\.yaml:\d+:1: /);
  expect(await read(r, "out/mine.yaml")).toBe(text);
});

test("pull names the provider by its slug, and --no-ids omits the id", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.run("courses pull out --no-ids");
  const [text = ""] = Object.values(await readFolder(r));
  expect(text).toMatch(/^provider: example-academy$/m);
  expect(text).not.toMatch(/^(id|provider_id):/m);
  expect(await r.run("courses pull out")).toMatchObject({ code: 0 });
  expect(await r.run("courses push out")).toMatchObject({ code: 0 });
});

test("pull never replaces a file without courses, and adds the id to the name of the new file", async () => {
  const r = await rigWith(numberedCourse(1, { name: "Menu" }));
  await r.run("courses pull first");
  const [name = ""] = Object.keys(await readFolder(r, "first"));
  await r.write(`out/${name}`, "dishes: [soup]\n");
  expect(await r.run("courses pull out --force")).toMatchObject({ code: 0 });
  expect(Object.keys(await readFolder(r)).sort()).toEqual(
    [name, name.replace(".yaml", `-${id(1)}.yaml`)].sort(),
  );
  expect(await read(r, `out/${name}`)).toBe("dishes: [soup]\n");
});

async function withLeftover(): Promise<{ r: Rig; names: string[] }> {
  const r = await rigWith(numberedCourse(1), numberedCourse(2, { published: false }));
  await r.run("courses pull out");
  await r.write("out/none.yaml", MINE.replace("/1", "/9"));
  await r.run(`courses rm --yes ${id(1)}`);
  return { r, names: Object.keys(await readFolder(r)) };
}

test("pull --prune asks, and removes the file of a course that no longer exists", async () => {
  const { r, names } = await withLeftover();
  const refused = await r.run("courses pull out --prune");
  expect(refused.code).toBe(2);
  expect(lines(refused.stderr).slice(0, 2)).toEqual([
    `- Course 1 (out/${names[0]}, ${id(1)})`,
    "error: without a terminal, catalog cannot ask: Do you want to remove 1 file of courses that no longer exist?",
  ]);
  const asked = await r.run("courses pull out --prune", {
    terminal: true,
    input: "n\n",
  });
  expect(asked.stderr).toContain(`out/${names[0]}`);
  expect(asked.stderr).toContain("Do you want to remove 1 file of courses that no longer exist?");
  const planned = await r.run("courses pull out --prune --dry-run --json");
  expect(jsonRows(planned)).toContainEqual(
    expect.objectContaining({ id: id(1), action: "delete", status: "planned" }),
  );
  expect(Object.keys(await readFolder(r))).toEqual(names);
  const ran = await r.run("courses pull out --prune --yes");
  expect([ran.code, lines(ran.stderr)]).toEqual([
    0,
    [`- Course 1 (out/${names[0]}, ${id(1)})`, "Courses in files: 1 removed, 1 up to date."],
  ]);
  expect(await exists(join(r.folder, "out", names[0] ?? ""))).toBe(false);
  expect(await exists(join(r.folder, "out/none.yaml"))).toBe(true);
});
