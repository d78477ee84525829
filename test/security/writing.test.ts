/** What is written: regular files, never through a link that a project has at their path. */
import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
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

const WRITERS: readonly (readonly [what: string, line: string])[] = [
  ["a report", "courses check c --report junit=FILE.xml"],
  ["a report of a dry run", "courses push c --dry-run --report html=FILE.html"],
  ["a plan", "courses diff c --out FILE.ndjson"],
  ["a page", "courses preview c --out FILE.html"],
  ["a page of a dry run", "courses preview c --dry-run --out FILE.html"],
  ["a record", `courses unpublish ${ID} --record FILE.ndjson`],
  ["a listing", "courses ls --out FILE.csv"],
  ["a template", "courses init FILE.yaml"],
  ["an import to a file", "courses import c/1.json --out FILE.yaml"],
  ["a suggested mapping", "courses import c/1.json --suggest --out FILE.jsonata"],
  ["the sandbox's data", "sandbox --data FILE.data -- true"],
];

test.each(WRITERS)(
  "%s is written neither through a link to a file outside nor through a link that leads out of the current folder",
  async (_, line) => {
    const [, ending = ""] = /FILE(\.\w+)/.exec(line) ?? [];
    for (const file of ["target", "absent", `${LINK}/a`, "/"]) {
      const { r, outside } = await rigWithOutside();
      await mkdir(join(r.folder, "out"));
      await symlink(outside, join(r.folder, LINK));
      for (const name of ["target", "absent"])
        await symlink(join(outside, name), join(r.folder, `${name}${ending}`));
      const path = file === "/" ? join(r.folder, LINK, "a/b") : file;
      const ran = await r.run(line.replace("FILE", path));
      expect([path, ran.code]).not.toEqual([path, 0]);
      expect(ran.stderr.replace(/\s+/g, " ")).toMatch(
        /is a symbolic link|exists|cannot read|a link in its path leads out of/,
      );
      // What needs no file was not sent either.
      expect(["POST", "PATCH", "DELETE"].flatMap((method) => requestsOf(ran, method))).toEqual([]);
      expect(await readdir(outside)).toEqual(["target"]);
      expect(await readFile(join(outside, "target"), "utf8")).toBe("mine\n");
    }
  },
);

test("a workbook is not written through a link to a file outside", async () => {
  const { r, outside } = await rigWithOutside();
  await mkdir(join(r.folder, "out"));
  await symlink(join(outside, "target"), join(r.folder, "out/courses.xlsx"));
  expect((await r.run("courses pull out --format xlsx --force")).code).toBe(1);
  expect(await readFile(join(outside, "target"), "utf8")).toBe("mine\n");
});

test.each([
  ["check --fix", { pace: "self-paced" }],
  ["push --write-ids", { id: undefined }],
])(
  "%s edits a course file neither through a link that was named nor through a link that leads out of the current folder",
  async (command, changes) => {
    const { r, outside } = await rigWithOutside();
    const text = json(numberedCourse(2, changes));
    await writeFile(join(outside, "a.json"), text);
    await symlink(join(outside, "a.json"), join(r.folder, "link.json"));
    await symlink(outside, join(r.folder, "out"));
    for (const [file, reason] of [
      ["link.json", "cannot write link.json: it is a symbolic link"],
      ["out/a.json", "a link in its path leads out of"],
    ] as const) {
      const ran = await r.run(`courses ${command} ${file}`);
      expect(ran.code).not.toBe(0);
      expect((ran.stdout + ran.stderr).replace(/\s+/g, " ")).toContain(reason);
      expect(await readFile(join(outside, "a.json"), "utf8")).toBe(text);
    }
  },
);

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
