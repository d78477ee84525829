/** What is written: regular files, never through a link that a project has at their path. */
import { execFileSync } from "node:child_process";
import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { numberedCourse, requestsOf, rigWith } from "../commands/helpers.ts";
import { json } from "../commands/push-files.ts";
import { newFolder } from "../folder.ts";

const ID = String(numberedCourse(1).id);

/** A link in the current folder. */
const LINK = "out/link";

/** A rig with a course file, and a folder outside of it with one file. */
async function rigWithOutside() {
  const r = await rigWith(numberedCourse(1));
  const outside = await newFolder();
  await writeFile(join(outside, "target"), "mine\n");
  await r.write("c/1.json", json(numberedCourse(1, { name: "New" })));
  return { r, outside };
}

const WRITERS: readonly [what: string, name: string, words: readonly string[]][] = [
  ["a page", "preview.html", ["courses", "preview", "c", "--out", "preview.html"]],
  ["a report", "report.xml", ["courses", "check", "c", "--report", "junit=report.xml"]],
  ["a plan", "plan.json", ["courses", "diff", "c", "--out", "plan.json"]],
  ["an undo record", "run.ndjson", ["courses", "publish", ID, "--record", "run.ndjson"]],
  ["an import", "out.yaml", ["courses", "import", "c/1.json", "--out", "out.yaml"]],
  ["a template", "new.yaml", ["courses", "init", "new.yaml"]],
  ["a workbook", "out/courses.xlsx", ["courses", "pull", "out", "--format", "xlsx", "--force"]],
  ["the sandbox's data", "data", ["sandbox", "--data", "data", "--", "true"]],
];

describe.each(WRITERS)("%s", (what, name, words) => {
  test.each(["target", "absent"])(
    `${what} is not written through a link to a file outside (%s)`,
    async (target) => {
      const { r, outside } = await rigWithOutside();
      await mkdir(join(r.folder, "out"));
      await symlink(join(outside, target), join(r.folder, name));
      const ran = await r.run(words);
      expect([1, 2, 3]).toContain(ran.code);
      expect(ran.stderr).toMatch(/is a symbolic link|exists|contains no course|cannot read/);
      expect(["POST", "PATCH", "DELETE"].flatMap((method) => requestsOf(ran, method))).toEqual([]);
      expect(await readdir(outside)).toEqual(["target"]);
      expect(await readFile(join(outside, "target"), "utf8")).toBe("mine\n");
      expect((await lstat(join(r.folder, name))).isSymbolicLink()).toBe(true);
    },
  );
});

test.each([
  ["check --fix", ["courses", "check", "--fix", "link.json"], { pace: "self-paced" }],
  ["push --write-ids", ["courses", "push", "--write-ids", "link.json"], { id: undefined }],
])("%s does not edit a course file through a link that was named", async (_, words, changes) => {
  const { r, outside } = await rigWithOutside();
  const text = json(numberedCourse(2, changes));
  await writeFile(join(outside, "target"), text);
  await symlink(join(outside, "target"), join(r.folder, "link.json"));
  const ran = await r.run(words);
  expect(ran.code).not.toBe(0);
  expect(ran.stdout + ran.stderr).toContain("cannot write link.json: it is a symbolic link");
  expect(await readFile(join(outside, "target"), "utf8")).toBe(text);
});

describe("a link above the file that leads out of the current folder", () => {
  const page = `--out ${LINK}/a/page.html`;

  test.each([
    ["a report", `courses check c --report junit=${LINK}/r.xml`],
    ["a report of a dry run", `courses push c --dry-run --report html=${LINK}/r.html`],
    ["a plan", `courses diff c --out ${LINK}/plan.ndjson`],
    ["a page", `courses preview c ${page}`],
    ["a page of a dry run", `courses preview c --dry-run ${page}`],
    ["a record", `courses unpublish ${ID} --record ${LINK}/a/r.ndjson`],
    ["a listing", `courses ls --out ${LINK}/a.csv`],
    ["a template", `courses init ${LINK}/a.yaml`],
    ["an import to a file", `courses import c/1.json --out ${LINK}/a.yaml`],
    ["a suggested mapping", `courses import c/1.json --suggest --out ${LINK}/a.jsonata`],
    ["the sandbox's data", `sandbox --data ${LINK}/data -- true`],
    ["a fixed course file", `courses check --fix ${LINK}/wrong.json`],
    ["ids in a course file", `courses push --write-ids ${LINK}/new.json`],
  ])("%s is not written through a link that leads out of the current folder", async (_, line) => {
    for (const isAbsolute of [false, true]) {
      const { r, outside } = await rigWithOutside();
      const files = {
        "wrong.json": json(numberedCourse(2, { pace: "self-paced" })),
        "new.json": json(numberedCourse(2, { id: undefined })),
      };
      for (const [name, text] of Object.entries(files)) await writeFile(join(outside, name), text);
      await mkdir(join(r.folder, "out"));
      await symlink(outside, join(r.folder, LINK));
      const typed = isAbsolute ? line.replaceAll(LINK, join(r.folder, LINK)) : line;
      const ran = await r.run(typed.split(" "));
      expect([typed, ran.code]).not.toEqual([typed, 0]);
      expect(ran.stderr.replace(/\s+/g, " ")).toContain("a link in its path leads out of");
      expect((await readdir(outside)).sort()).toEqual(["new.json", "target", "wrong.json"]);
      for (const [name, text] of Object.entries(files)) {
        expect(await readFile(join(outside, name), "utf8")).toBe(text);
      }
      // What needs no file was not sent either.
      if (line.includes("--record")) expect(requestsOf(ran, "PATCH")).toEqual([]);
    }
  });

  test("a link above the file is followed if it is the folder of pull or of import --out", async () => {
    const { r, outside } = await rigWithOutside();
    await symlink(outside, join(r.folder, "courses"));
    for (const line of ["courses pull courses", "courses pull courses/a --format xlsx"]) {
      expect([line, (await r.run(line)).code]).toEqual([line, 0]);
    }
    expect((await r.run("courses import c/1.json --out courses/b")).code).toBe(0);
    expect(await readdir(outside)).toHaveLength(4);
    expect(await readdir(join(outside, "a"))).toEqual(["courses.xlsx"]);
    expect(await readdir(join(outside, "b"))).toHaveLength(1);
  });

  test("a link within the current folder is followed, and so is a path outside of it", async () => {
    const { r, outside } = await rigWithOutside();
    await mkdir(join(r.folder, "real"));
    await symlink("real", join(r.folder, "near"));
    await symlink(join(outside, "target"), join(outside, "link"));
    await mkdir(join(outside, "reports"));
    await symlink("reports", join(outside, "linked"));
    for (const file of ["near/r.xml", join(outside, "linked/r.xml")]) {
      const ran = await r.run(["courses", "check", "c", "--report", `junit=${file}`]);
      expect([file, ran.code]).toEqual([file, 0]);
    }
    expect(await readdir(join(r.folder, "real"))).toEqual(["r.xml"]);
    expect(await readdir(join(outside, "reports"))).toEqual(["r.xml"]);
  });
});

test("a link in a folder of courses leads pull and check --fix to no other file", async () => {
  const { r, outside } = await rigWithOutside();
  const text = json(numberedCourse(1, { pace: "self-paced" }));
  await writeFile(join(outside, "target"), text);
  await symlink(outside, join(r.folder, "c/folder"));
  await symlink(join(outside, "target"), join(r.folder, "c/2.json"));
  expect((await r.run("courses check --fix c")).stdout).toContain("not read");
  expect((await r.run("courses pull c --force")).code).toBe(0);
  expect(await readFile(join(outside, "target"), "utf8")).toBe(text);
  expect(await readdir(outside)).toEqual(["target"]);
});

// Only root can make a device, whose replacement would break the machine.
test.skipIf(process.getuid?.() !== 0)("a device is not replaced by a file", async ({ skip }) => {
  const { r } = await rigWithOutside();
  const path = join(r.folder, "null");
  try {
    execFileSync("mknod", ["-m", "666", path, "c", "1", "3"], { stdio: "ignore" });
  } catch {
    skip("no device can be made here");
  }
  for (const words of [
    ["courses", "check", "c", "--report", "junit=null"],
    ["courses", "diff", "c", "--out", "null"],
    ["courses", "preview", "c", "--out", "null"],
  ]) {
    const ran = await r.run(words);
    expect(ran.stderr).toContain("cannot write null: it is not a regular file");
    expect((await stat(path)).isCharacterDevice()).toBe(true);
  }
});

test("--out and --report replace what they name, and --record replaces nothing", async () => {
  const { r } = await rigWithOutside();
  await r.write("old", "old");
  expect((await r.run("courses diff c --out old")).code).toBe(0);
  expect(await readFile(join(r.folder, "old"), "utf8")).toContain('{"catalog":"plan"');
  await r.run("courses check c --report junit=old");
  expect(await readFile(join(r.folder, "old"), "utf8")).toContain("<testsuites");
  await r.write("empty", "");
  const ran = await r.run(["courses", "publish", ID, "--record", "empty"]);
  expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([2, []]);
  expect(ran.stderr).toContain("empty already exists, and --record never overwrites a file");
});

test("records, their folder, named records and temporary pages are private", async () => {
  const { r } = await rigWithOutside();
  const temporary = join(r.folder, "tmp");
  await mkdir(temporary);
  await r.run("courses preview c", { environment: { TMPDIR: temporary } });
  await r.run(["courses", "unpublish", ID]);
  await r.run(["courses", "publish", ID, "--record", "run.ndjson"]);
  const history = join(r.folder, ".local/state/catalog/history");
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
  const [page = ""] = await readdir(temporary);
  const [record = ""] = await readdir(history);
  expect(await modeOf(history)).toBe(0o700);
  for (const path of [join(history, record), join(temporary, page), join(r.folder, "run.ndjson")]) {
    expect([path, await modeOf(path)]).toEqual([path, 0o600]);
  }
});
