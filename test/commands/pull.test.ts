/** `courses pull` writes the courses in the catalog to files. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { parseSeed } from "../../src/sandbox/seed.ts";
import type { Seed } from "../../src/sandbox/store.ts";
import { course, type Rig, rig, testClock } from "../rig.ts";
import {
  expectRefused,
  id,
  jsonErrors,
  jsonMessages,
  jsonRows,
  lines,
  numberedCourse,
  requestsOf,
  rigWith,
  storedCourses,
} from "./helpers.ts";
import { listedCourse, readFolder, rigListing } from "./pull-rig.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

describe("example courses", () => {
  let seed: Seed;
  beforeAll(async () => {
    const text = await readFile(join(EXAMPLES, "providers.json"), "utf8");
    seed = parseSeed(JSON.parse(text), testClock());
  });

  async function created(): Promise<Rig> {
    const r = await rig({ seed });
    const paths = ["courses", "every-field.yaml"].map((name) => join(EXAMPLES, name));
    const ran = await r.run(["courses", "create", ...paths]);
    expect(ran).toMatchObject({ code: 0 });
    expect(lines(ran.stdout)).toHaveLength(16);
    return r;
  }

  test.each(["yaml", "json"])(
    "pull writes each example course to one %s file named after its slug; pull and push then change nothing",
    async (format) => {
      const r = await created();
      const before = await storedCourses(r);
      const words = ["courses", "pull", "out", "--format", format];
      const ran = await r.run(words);
      expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "Wrote 16 files.\n" });
      expect(requestsOf(ran).every((line) => line.startsWith("GET /developer/v1/"))).toBe(true);
      const files = await readFolder(r);
      // The rig draws equal suffixes, so some slugs are the same, and their files end with a part of the id.
      for (const { id, slug } of before) {
        const names = [`${slug}.${format}`, `${slug}-${String(id).slice(0, 8)}.${format}`];
        expect(Object.keys(files).filter((name) => names.includes(name))).toHaveLength(1);
      }
      const check = await r.run(["courses", "check", "--online", "out"]);
      expect(check).toMatchObject({ code: 0 });
      expect(check.stdout).not.toMatch(/read-only/);
      const again = await r.run(words);
      expect(again.stderr).toBe("Already up to date: 16 courses.\n");
      expect(await readFolder(r)).toEqual(files);
      const pushed = await r.run(["courses", "push", "out"]);
      expect(pushed).toMatchObject({ code: 0 });
      expect(requestsOf(pushed).filter((line) => !line.startsWith("GET "))).toEqual([]);
      expect(await r.run(["courses", "diff", "--exit-code", "out"])).toMatchObject({ code: 0 });
      expect(await storedCourses(r)).toEqual(before);
    },
  );

  test.each(["yaml", "json"])("create recreates the examples from pulled %s", async (format) => {
    const r = await created();
    await r.run(["courses", "pull", "out", "--format", format]);
    const other = await rig({ seed });
    const ran = await other.run(["courses", "create", join(r.folder, "out")]);
    expect(ran).toMatchObject({ code: 0 });
    const bare = async (from: Rig) =>
      (await storedCourses(from))
        .map(({ slug, last_fetched_at, ...rest }) => rest)
        .sort((one, two) => (String(one.id) < String(two.id) ? -1 : 1));
    expect(await bare(other)).toEqual(await bare(r));
  });
});

describe("results", () => {
  test("pull --json prints one result per course with the file and the action", async () => {
    const { r, pull } = await rigListing(
      listedCourse(3, "c"),
      listedCourse(1, "a"),
      listedCourse(2, "b"),
    );
    expect(jsonRows(await pull("--json"))).toMatchObject(
      ["a", "b", "c"].map((slug, index) => ({
        id: id(index + 1),
        file: `out/${slug}.yaml`,
        action: "create",
        status: "done",
      })),
    );
    const path = join(r.folder, "out/b.yaml");
    await writeFile(path, (await readFile(path, "utf8")).replace("Course 2", "Mine"));
    const again = await pull("--json");
    expect(again.code).toBe(1);
    const error = {
      kind: "output",
      message: "out/b.yaml differs from the course in the catalog: name",
      file: "out/b.yaml",
    };
    expect(jsonRows(again)).toMatchObject([
      { file: "out/a.yaml", action: "unchanged", status: "unchanged" },
      { file: "out/b.yaml", action: "update", status: "failed", error },
      { file: "out/c.yaml", action: "unchanged", status: "unchanged" },
    ]);
    expect(jsonErrors(again)).toEqual([error]);
    expect(jsonMessages(again).at(-1)).toMatchObject({
      notice:
        "Nothing was written. 2 courses were up to date. 1 was left alone. To update files that differ, pass --force.",
    });
    const forced = await pull("--json", "--force");
    expect(jsonRows(forced)[1]).toMatchObject({ action: "update", status: "done" });
  });

  test("pull -o id prints only ids, and --quiet prints no messages", async () => {
    const { pull } = await rigListing(listedCourse(1, "a"), listedCourse(2, "b"));
    const ran = await pull("-q", "-o", "id");
    expect(ran).toMatchObject({ code: 0, stdout: `${id(1)}\n${id(2)}\n`, stderr: "" });
  });

  test("pull of an empty catalog prints an empty list and creates an empty folder", async () => {
    const r = await rig();
    const ran = await r.run(["courses", "pull", "out/in/there", "--json"]);
    expect(ran).toMatchObject({ code: 0, stdout: "[]\n" });
    expect(jsonMessages(ran)).toMatchObject([{ notice: "No courses.", counts: { created: 0 } }]);
    expect(await readFolder(r, "out/in/there")).toEqual({});
  });
});

describe("usage errors", () => {
  test.each([
    ["a file instead of a folder", ["there.yaml"]],
    ["a folder below a file", ["there.yaml/in"]],
    ["an empty folder name", [""]],
    ["standard output", ["-"]],
    ["an unknown format", ["out", "--format", "toml"]],
    ["a filter of ls", ["out", "--name", "Knitting"]],
    ["an unknown column", ["out", "--fields", "slug"]],
    ["two folders", ["out", "other"]],
  ])("pull exits with 2 before any request for %s", async (_, words) => {
    const r = await rigWith(numberedCourse(1));
    await r.write("there.yaml", JSON.stringify(course()));
    expectRefused(await r.run(["courses", "pull", ...words]), 2);
    expect(await readdir(r.folder)).toEqual(["there.yaml"]);
  });
});
