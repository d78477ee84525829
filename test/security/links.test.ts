/** Symbolic links in a cloned project: nothing is written through them to a file outside of it. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { numberedCourse, rigWith } from "../commands/helpers.ts";
import { json } from "../commands/push-files.ts";
import { type Rig, rig } from "../rig.ts";

/** A rig with a course file, and a folder outside of it with one file, to which the links lead. */
async function rigWithLinks() {
  const r = await rigWith(numberedCourse(1));
  const outside = await mkdtemp(join(tmpdir(), "catalog-outside-"));
  onTestFinished(() => rm(outside, { recursive: true, force: true }));
  await writeFile(join(outside, "target"), "mine\n");
  for (const name of ["report.xml", "plan.json", "run.ndjson", "courses.yaml"]) {
    await symlink(join(outside, "target"), join(r.folder, name));
  }
  await symlink(join(outside, "absent"), join(r.folder, "new.ndjson"));
  await symlink("new.ndjson", join(r.folder, "chain.ndjson"));
  await symlink(outside, join(r.folder, "folder"));
  await symlink("circle", join(r.folder, "circle"));
  await r.write("c/1.json", json(numberedCourse(1, { name: "New" })));
  return { r, outside };
}

const DIFF = ["courses", "diff", "c"];
const PUBLISH = ["courses", "publish", String(numberedCourse(1).id)];
const IMPORT = ["courses", "import", "c/1.json"];

describe("links that lead out of the current folder", () => {
  test.each<[what: string, name: string, words: readonly string[]]>([
    ["a report", "report.xml", ["courses", "check", "c", "--report", "junit=report.xml"]],
    ["a report", "folder/new.xml", ["courses", "check", "c", "--report", "junit=folder/new.xml"]],
    ["a plan", "plan.json", [...DIFF, "--out", "plan.json"]],
    ["a plan", "folder/a/plan.json", [...DIFF, "--out", "folder/a/plan.json"]],
    ["an undo record", "run.ndjson", [...PUBLISH, "--record", "run.ndjson"]],
    ["an undo record", "new.ndjson", [...PUBLISH, "--record", "new.ndjson"]],
    ["an undo record", "chain.ndjson", [...PUBLISH, "--record", "chain.ndjson"]],
    ["an import", "courses.yaml", [...IMPORT, "--out", "courses.yaml"]],
    ["a template", "folder/new.yaml", ["courses", "init", "folder/new.yaml"]],
    ["an import", "folder", [...IMPORT, "--out", "folder"]],
    ["a pulled course", "folder", ["courses", "pull", "folder"]],
    ["a pulled course", "folder/a", ["courses", "pull", "folder/a", "--force"]],
    ["the sandbox's data", "folder/d.json", ["sandbox", "--data", "folder/d.json", "--", "true"]],
  ])("%s is not written through a link out of the folder: %s", async (_, name, words) => {
    const { r, outside } = await rigWithLinks();
    const ran = await r.run(words);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(
      `error: cannot write ${name}: a symbolic link leads to ${outside}`,
    );
    expect(ran.requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
    expect(await readdir(outside)).toEqual(["target"]);
    expect(await readFile(join(outside, "target"), "utf8")).toBe("mine\n");
  });

  test("a link out of the folder is refused for any links and spelling that lead to the folder", async () => {
    const { r, outside } = await rigWithLinks();
    const other = join(outside, "other");
    await symlink(r.folder, other);
    await symlink(join(outside, "target"), join(r.folder, "c/link"));
    const part = join(outside, "part");
    await symlink(join(r.folder, "c"), part);
    for (const name of ["other/plan.json", "other/folder/plan.json", "part/link"].map((each) =>
      join(outside, each),
    )) {
      const ran = await r.run([...DIFF, "--out", name]);
      expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(`cannot write ${name}`)]);
    }
    expect((await readdir(outside)).sort()).toEqual(["other", "part", "target"]);
    expect(await readFile(join(outside, "target"), "utf8")).toBe("mine\n");
  });

  test("a link that leads to itself is refused", async () => {
    const { r } = await rigWithLinks();
    const ran = await r.run([...DIFF, "--out", "circle"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("cannot write circle: a symbolic link leads in a circle");
  });
});

describe("course files behind links that lead out of the current folder", () => {
  const TEXT = json(numberedCourse(1, { pace: "self-paced" }));
  const WITHOUT_ID = json({ ...numberedCourse(2), id: undefined });

  test.each<[text: string, words: readonly string[], code: number, message: string]>([
    [TEXT, ["courses", "check", "--fix", "."], 0, "is a link that leads out of the folder"],
    [
      TEXT,
      ["courses", "check", "--fix", "link.json"],
      3,
      "cannot write link.json: a symbolic link",
    ],
    [
      WITHOUT_ID,
      ["courses", "push", "--write-ids", "link.json"],
      1,
      "cannot write link.json: a symbolic link",
    ],
  ])("an outside target of a link is not changed (case %#)", async (text, words, code, message) => {
    const r = await rig();
    const outside = await mkdtemp(join(tmpdir(), "catalog-outside-"));
    onTestFinished(() => rm(outside, { recursive: true, force: true }));
    const target = join(outside, "target");
    await writeFile(target, text);
    await symlink(target, join(r.folder, "link.json"));
    await r.write("own.json", json(numberedCourse(3)));
    const ran = await r.run(words);
    expect(ran.code).toBe(code);
    expect(ran.stdout + ran.stderr).toContain(message);
    expect(await readFile(target, "utf8")).toBe(text);
  });
});

describe("links that are followed", () => {
  test("a link to a file in the current folder is followed", async () => {
    const { r } = await rigWithLinks();
    await mkdir(join(r.folder, "plans"));
    await symlink("plans/latest.json", join(r.folder, "latest"));
    await r.write("plans/latest.json", "");
    expect(await r.run([...DIFF, "--out", "latest"])).toMatchObject({ code: 0 });
    expect(await readPlan(r, "plans/latest.json")).toContain('"formatVersion"');
  });

  test("a link is followed if the path that the user gave is not below the current folder", async () => {
    const { r, outside } = await rigWithLinks();
    await writeFile(join(outside, "target"), "");
    await symlink(join(outside, "target"), join(outside, "link"));
    expect(await r.run([...DIFF, "--out", join(outside, "link")])).toMatchObject({ code: 0 });
    expect(await readFile(join(outside, "target"), "utf8")).toContain('"formatVersion"');
  });
});

async function readPlan(r: Rig, name: string): Promise<string> {
  return await readFile(join(r.folder, name), "utf8");
}
