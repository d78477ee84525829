/** `courses pull` writes the courses in the catalog to files. */

import { renameSync } from "node:fs";
import { readdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { parseSeeds } from "../../src/sandbox/seed.ts";
import { newFolder } from "../folder.ts";
import { IS_LONG } from "../long.ts";
import { type Rig, rig, testClock } from "../rig.ts";
import {
  id,
  lines,
  numberedCourse,
  requestsOf,
  rigWith,
  startCommand,
  storedCourses,
  unreliableService,
} from "./helpers.ts";
import { exists, readFolder } from "./pull-rig.ts";
import { writeRequests } from "./push-files.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
const SOME_EXAMPLES = ["courses/campus.gov.il", "courses/csdiy.wiki"];
const EXAMPLE_FILES = ["every-field.yaml", ...(IS_LONG ? ["courses"] : SOME_EXAMPLES)];

test.each(["yaml", "json"])(
  "pull writes each example course to one %s file named after its slug; pull and push then change nothing",
  async (format) => {
    const providers = JSON.parse(await readFile(join(EXAMPLES, "providers.json"), "utf8"));
    const r = await rig({ seed: parseSeeds([providers], testClock()) });
    const paths = EXAMPLE_FILES.map((name) => join(EXAMPLES, name));
    expect((await r.run(["courses", "create", ...paths])).code).toBe(0);
    const before = await storedCourses(r);
    const words = ["courses", "pull", "out", "--format", format];
    const ran = await r.run(words);
    expect(ran.stderr).toBe(`Courses in files: ${before.length} written.\n`);
    expect(requestsOf(ran).every((line) => line.startsWith("GET /developer/v1/"))).toBe(true);
    const files = await readFolder(r);
    // The rig draws equal suffixes, so some slugs are the same, and their files end with the id.
    for (const { id, slug } of before) {
      const names = [`${slug}.${format}`, `${slug}-${id}.${format}`];
      expect(Object.keys(files).filter((name) => names.includes(name))).toHaveLength(1);
    }
    const check = await r.run("courses check --online out");
    expect(check).toMatchObject({ code: 0 });
    expect(check.stdout).not.toMatch(/read-only/);
    const again = await r.run(words);
    expect(again.stderr).toBe(`Courses in files: ${before.length} up to date.\n`);
    expect(await readFolder(r)).toEqual(files);
    const pushed = await r.run("courses push out");
    expect(pushed).toMatchObject({ code: 0 });
    expect(writeRequests(pushed)).toEqual([]);
    expect(await r.run("courses diff --exit-code out")).toMatchObject({ code: 0 });
    expect(await storedCourses(r)).toEqual(before);
  },
);

test("pull keeps and lists files that differ, and writes the other files", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2), numberedCourse(3));
  await r.run("courses pull out");
  const [first = "", second = "", third = ""] = Object.keys(await readFolder(r));
  const path = `out/${first}`;
  await r.write(path, (await r.read(path)).replace("Course 1", "mine"));
  await r.run(["courses", "update", id(2), "--name", "Course 2, again"]);
  await r.run(`courses rm --yes ${id(3)}`);
  await r.run(["courses", "create", await r.write("four.yaml", numberedCourse(4))]);
  const ran = await r.run("courses pull out");
  expect(ran.code).toBe(1);
  expect(lines(ran.stderr)).toEqual([
    `out/${first}:1:1: error: "mine" differs from the course in the catalog: name`,
    `out/${second}:1:1: error: "Course 2" differs from the course in the catalog: name`,
    "Not in the catalog: the courses of 1 file. To remove such files, pass --prune.",
    "Courses in files: 1 written, 2 left alone. To update files that differ, pass --force.",
  ]);
  const files = await readFolder(r);
  expect(files[first]).toMatch(/^name: mine$/m);
  expect(files[second]).toMatch(/^name: Course 2$/m);
  expect(files[third]).toMatch(/^name: Course 3$/m);
  expect(Object.keys(files)).toHaveLength(4);
});

test("pull writes files only inside the folder for any slug", async () => {
  const slugs = ["../../escaped", "..\\escaped", null, ".catalogrc", "a\u0000b", "same", "SAME"];
  const r = await rigWith();
  const courses = slugs.map((slug, index) => ({ ...numberedCourse(index + 1), slug }));
  const body = JSON.stringify(courses);
  const { environment } = await unreliableService(r, () => ({ status: 200, body }));
  const ran = await r.run("courses pull out", { environment });
  expect(ran).toMatchObject({ code: 0, stderr: "Courses in files: 7 written.\n" });
  expect(await readdir(r.folder)).toEqual(["out"]);
  const files = await readFolder(r);
  expect(Object.keys(files)).toHaveLength(7);
  for (const name of Object.keys(files)) expect(name).toMatch(/^[^-.~\s].{0,194}\.yaml$/u);
  expect((await r.run("courses check out")).stdout).toContain("7 files, 7 courses");
});

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

test("pull finds a course by its url below the folder and does not write it again", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("out/deep/mine.yml", MINE);
  const ran = await r.run("courses pull out");
  expect(ran).toMatchObject({ code: 0, stderr: "Courses in files: 1 up to date.\n" });
  expect(await r.read("out/deep/mine.yml")).toBe(MINE);
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
  const text = await r.read("out/mine.yaml");
  expect(text).toContain("prices: null\n");
  expect(text).toContain("duration_in_hours: null\n");
  expect(text).toContain("name:   Course 1   # the name\n");
  const pushed = await r.run("courses push out");
  expect(writeRequests(pushed)).toEqual([]);
});

test("pull into a linked folder clears the default values with which its files are read, so that push changes nothing", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("catalog.defaults.yaml", "duration_in_hours: 5\n");
  await symlink(await newFolder(), join(r.folder, "out"));
  expect(await r.run("courses pull out")).toMatchObject({ code: 0 });
  expect(writeRequests(await r.run("courses push out"))).toEqual([]);
});

test("pull --force says which field it wrote again completely, because its layout allows no smaller change", async () => {
  const names = (...all: string[]) => ({ instructors: all.map((name) => ({ name })) });
  const r = await rigWith({ ...numberedCourse(1), ...names("Bob", "Ada") });
  const before = "instructors:\n  - &ada # ours\n    name: Ada\n  - *ada\n";
  await r.write("out/mine.yaml", `${MINE}${before}`);
  const { code, stderr } = await r.run("courses pull out --force");
  expect(code).toBe(0);
  expect(stderr).toContain(
    "out/mine.yaml: instructors cannot be edited in place, so catalog writes the complete field again, without its comments.\n",
  );
  expect(await r.read("out/mine.yaml")).toContain("instructors: [{name: Bob}, {name: Ada}]\n");
});

test("pull leaves a damaged file alone and says where its problem is", async () => {
  const r = await rigWith(numberedCourse(1));
  const text = `${MINE}name: again\n`;
  await r.write("out/mine.yaml", text);
  const ran = await r.run("courses pull out --force");
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(/^warning: skipped out\/mine\.yaml:\d+:1: /);
  expect(await r.read("out/mine.yaml")).toBe(text);
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
  expect(await r.read(`out/${name}`)).toBe("dishes: [soup]\n");
});

/** A folder with the files of so many courses, of which the first no longer exist in the catalog. */
async function withGone(amount: number, gone: number): Promise<{ r: Rig; names: string[] }> {
  const courses = Array.from({ length: amount }, (_, index) => numberedCourse(index + 1));
  const r = await rigWith(...courses);
  await r.run("courses pull out");
  const ids = courses.slice(0, gone).map((course) => String(course.id));
  await r.run(["courses", "rm", "--yes", ...ids]);
  return { r, names: Object.keys(await readFolder(r)) };
}

test("pull --prune asks, and removes the file of a course that no longer exists", async () => {
  const { r, names } = await withGone(2, 1);
  const [gone = "", ...kept] = names;
  await r.write("out/none.yaml", MINE.replace("/1", "/9"));
  const question = "Do you want to remove 1 file of courses that no longer exist?";
  const listed = `- Course 1 (out/${gone}, ${id(1)})`;
  const refused = await r.run("courses pull out --prune");
  const reason = `error: without a terminal, catalog cannot ask: ${question}`;
  expect([refused.code, lines(refused.stderr).slice(0, 2)]).toEqual([2, [listed, reason]]);
  const asked = await r.run("courses pull out --prune", { terminal: true, input: "n\n" });
  expect(asked.stderr).toContain(question);
  expect(await readFolder(r)).toHaveProperty([gone]);
  const ran = await r.run("courses pull out --prune --yes");
  expect([ran.code, lines(ran.stderr)]).toEqual([
    0,
    [listed, "Courses in files: 1 removed, 1 up to date."],
  ]);
  expect(Object.keys(await readFolder(r))).toEqual([...kept, "none.yaml"]);
});

test("pull --prune refuses to remove more than the larger of 5 files and 10 %, even with --yes", async () => {
  const { r, names } = await withGone(7, 6);
  const ran = await r.run("courses pull out --prune --yes");
  expect([ran.code, lines(ran.stderr)[0]]).toEqual([
    2,
    "error: this would delete 6 of the 7 course files in out; the limit is 5",
  ]);
  expect(ran.stderr).toContain("--max-deletes 6");
  expect(Object.keys(await readFolder(r))).toEqual(names);
  const allowed = await r.run("courses pull out --prune --yes --max-deletes 90%");
  expect([allowed.code, Object.keys(await readFolder(r))]).toEqual([0, names.slice(6)]);
});

test("pull --prune removes nothing if the catalog is empty, even within the limit", async () => {
  const { r, names } = await withGone(3, 0);
  const empty = await rig();
  const environment = { CATALOG_BASE_URL: empty.sandbox.baseUrl };
  const line = "courses pull out --prune --yes --max-deletes 100%";
  const ran = await r.run(line, { environment });
  expect([ran.code, lines(ran.stderr)[0]]).toEqual([
    2,
    "error: the catalog lists no courses, so --prune would remove 3 files; nothing was removed",
  ]);
  expect(Object.keys(await readFolder(r))).toEqual(names);
});

test("pull --prune keeps the files of providers that are not the user's, whose courses may exist", async () => {
  const { r, names } = await withGone(1, 0);
  const foreign = numberedCourse(9, { provider_id: id(8) });
  await r.write("out/foreign.json", foreign);
  const ran = await r.run("courses pull out --prune --yes");
  expect([ran.code, Object.keys(await readFolder(r))]).toEqual([
    0,
    [...names, "foreign.json"].sort(),
  ]);
});

test("pull --prune removes more than five files only if the user types their number", async () => {
  const { r, names } = await withGone(8, 6);
  const pull = (input: string) =>
    r.run("courses pull out --prune --max-deletes 6", { terminal: true, input });
  const ran = await pull("y\n");
  expect(ran.stderr.replaceAll(/\s+/g, " ")).toContain("Type 6 to confirm:");
  expect([ran.code, Object.keys(await readFolder(r))]).toEqual([2, names]);
  expect([(await pull("6\n")).code, Object.keys(await readFolder(r))]).toEqual([0, names.slice(6)]);
});

test("pull --force shows the values that it would overwrite, and edits nothing without a yes", async () => {
  const r = await rigWith(numberedCourse(1));
  const edited = JSON.stringify(numberedCourse(1, { name: "Mine" }));
  const file = await r.write("out/mine.json", edited);
  const words = ["courses", "pull", "out", "--force"];
  const ran = await r.run(words, { terminal: true, input: "n\n", environment: { NO_COLOR: "1" } });
  expect(ran.stderr).toContain(`~ Course 1 (${file}, ${id(1)})`);
  expect(ran.stderr).toContain('name: "Mine" → "Course 1"');
  expect(ran.stderr).toContain("Do you want to overwrite these values in 1 file?");
  expect([ran.code, await r.read(file)]).toEqual([2, edited]);
  const agreed = await r.run(words, { terminal: true, input: "y\n" });
  expect(agreed.code).toBe(0);
  expect(await r.read(file)).not.toBe(edited);
});

test("pull writes nothing if a page of the listing fails", async () => {
  const r = await rigWith(...Array.from({ length: 150 }, (_, index) => numberedCourse(index)));
  const { environment } = await unreliableService(r, ({ url }) =>
    url.includes("offset=99") ? { status: 400, body: '{"hint": "no"}' } : "pass",
  );
  const ran = await r.run("courses pull out", { environment });
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(await exists(join(r.folder, "out"))).toBe(false);
});

test.each([
  ["pull", ["pull", "out", "--json"]],
  ["import", ["import", "a.json", "--out", "out", "--json"]],
])(
  "%s does not write over a file that another run writes while it reads the folder",
  async (_, words) => {
    const r = await rigWith(numberedCourse(1));
    await r.write("a.json", [numberedCourse(1)]);
    await r.run(["courses", ...words]);
    const [name = ""] = Object.keys(await readFolder(r));
    renameSync(join(r.folder, "out"), join(r.folder, "later"));
    await r.write("out/broken.yaml", "{");
    const running = startCommand(r, ["courses", ...words]);
    // The folder has been listed when its first file is warned of.
    vi.spyOn(running.err, "write").mockImplementationOnce(async () => {
      renameSync(join(r.folder, "later", name), join(r.folder, "out", name));
    });
    expect(await running.code).toBe(1);
    expect(running.err.text).toContain(
      `"kind":"output","message":"cannot write out/${name}: it was`,
    );
    expect(Object.keys(await readFolder(r))).toEqual(["broken.yaml", name]);
  },
);

test("pull --base writes what only the catalog changed, leaves what only the file changed, and lists what both changed", async () => {
  const r = await rigWith(numberedCourse(1, { level: ["beginner"] }));
  for (const folder of ["base", "mine"]) await r.run(["courses", "pull", folder]);
  const path = `mine/${Object.keys(await readFolder(r, "mine"))}`;
  const edit = async (from: string, to: string) =>
    await r.write(path, (await r.read(path)).replace(from, to));
  await edit("pace: self_paced", "pace: instructor_paced # ours");
  await r.run(`courses update ${id(1)} --set level=["advanced"]`);
  const taken = await r.run("courses pull mine --base base");
  expect(taken.stderr).toContain("Courses in files: 1 written.\n");
  expect(await r.read(path)).toMatch(/pace: instructor_paced # ours\n.*level: \[advanced\]\n/s);
  await r.run(`courses update ${id(1)} --name Theirs`);
  await edit("name: Course 1", "name: Ours");
  const both = await r.run("courses pull mine --base base");
  expect([both.code, lines(both.stderr)[0]]).toEqual([
    1,
    `${path}:1:1: error: "Ours" differs from the course in the catalog: name`,
  ]);
  expect(await r.read(path)).toContain("name: Ours");
});

test("pull --base lists what one side removed and the other one changed, writes no removed file again, counts both, and prunes no new file", async () => {
  const r = await rigWith(...[1, 2, 3, 4].map((number) => numberedCourse(number)));
  for (const folder of ["base", "mine"]) await r.run(["courses", "pull", folder]);
  const names = async () => Object.keys(await readFolder(r, "mine"));
  const [first = "", second = "", third = "", fourth = ""] = await names();
  // In the catalog, 1 and 2 are deleted, and 3 changes; here, 1 changes, and 3 and 4 are removed.
  await r.run(`courses rm ${id(1)} ${id(2)} --yes`);
  await r.run(`courses update ${id(3)} --name Theirs`);
  const mine = await r.read(`mine/${first}`);
  await r.write(`mine/${first}`, mine.replace("name: Course 1", "name: Ours"));
  for (const name of [third, fourth]) await rm(join(r.folder, "mine", name));
  await r.write("mine/new.json", numberedCourse(9));
  const ran = await r.run("courses pull mine --base base");
  expect(ran.code).toBe(1);
  expect(lines(ran.stderr)).toEqual([
    expect.stringContaining(`"Theirs" (${id(3)}) is no longer in any file`),
    expect.stringMatching(/:1: error: "Ours" was deleted in the catalog, but changed in the file$/),
    "Removed from the files since the base, so not written: 1 course.",
    "Not in the catalog: the courses of 1 file. To remove such files, pass --prune.",
    "Courses in files: 2 left alone. To update files that differ, pass --force.",
  ]);
  expect(await names()).toEqual([first, second, "new.json"]);
  const pruned = await r.run("courses pull mine --base base --prune --yes");
  expect([pruned.code, await names()]).toEqual([1, [first, "new.json"]]);
});
