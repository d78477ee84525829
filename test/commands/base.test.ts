/** `push` and `diff` with a git commit as the base, in real repositories. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commit, git, temporaryFolder, writeAll } from "../git.ts";
import { PROVIDER_ID, type Rig } from "../rig.ts";
import {
  jsonErrors,
  jsonMessages,
  jsonRows,
  numberedCourse,
  rigWith,
  storedCourses,
} from "./helpers.ts";
import { json, push, storedIds, writeRequests } from "./push-files.ts";

/** A machine without records: a CI job. */
const CI = { environment: { PATH: process.env.PATH } };

type Fields = Readonly<Record<string, unknown>>;

/** The file of a course without an id; its number is in its url. */
function file(number: number, fields: Fields = {}): string {
  const { id: _, ...others } = numberedCourse(number, fields);
  return json(others);
}

/** Changes or deletes a course of the catalog without `push`, as a person in a browser does. */
async function changeElsewhere(r: Rig, url: string, fields: Fields | null): Promise<void> {
  const found = (await storedCourses(r)).find((course) => course.url === url);
  const query = `developer/v1/courses?id=${found?.id}`;
  const words = fields === null ? ["DELETE", query] : ["PATCH", query, "-d", json(fields)];
  expect((await r.run(["api", ...words])).code).toBe(0);
}

const urlOf = (number: number): string => `https://academy.example/${number}`;

/** The fields of a course of the catalog. */
async function stored(r: Rig, number: number): Promise<Fields | undefined> {
  return (await storedCourses(r)).find(({ url }) => url === urlOf(number));
}

/** A repository whose tag `v1` equals the catalog; this machine has no undo record of the push. */
async function repository(files: Readonly<Record<string, string>>): Promise<Rig> {
  const r = await rigWith();
  await commit(r.folder, files);
  git(r.folder, "tag", "v1");
  const pushed = await push(r, ["."], { environment: { XDG_STATE_HOME: await temporaryFolder() } });
  expect(pushed).toMatchObject({ code: 0 });
  return r;
}

const diff = (r: Rig, ...words: string[]) => r.run(["courses", "diff", ...words], CI);
const pushBase = (r: Rig, ...words: string[]) => push(r, [...words, "--base", "v1"], CI);

/** Which side changed each field of each course, by the name of the course. */
function sidesOf(rows: readonly Fields[]): Record<string, unknown> {
  return Object.fromEntries(
    rows.map(({ name, action, fields }) => {
      const sides = (fields as { path: unknown[]; changedIn?: string }[]).map(
        ({ path, changedIn }) => [path[0], changedIn],
      );
      return [name, action === "update" ? Object.fromEntries(sides) : action];
    }),
  );
}

describe("diff --base", () => {
  test("diff --base shows what changed in the files, in the catalog and in both, even if files moved", async () => {
    const r = await repository({
      "courses/1.json": file(1),
      "courses/2.json": file(2, { level: ["beginner"] }),
      "courses/3.json": file(3, { key: "three", provider_id: PROVIDER_ID }),
      "courses/list.json": `[${file(4)}, ${file(5)}]`,
      "courses/6.json": json(numberedCourse(6)),
      "courses/catalog.defaults.yaml": "published: false\n",
    });
    await changeElsewhere(r, urlOf(1), { short_description: "Theirs." });
    await changeElsewhere(r, urlOf(2), { name: "Theirs", level: null });
    await changeElsewhere(r, urlOf(5), null);
    const elsewhere = file(7, { name: "Theirs 7" });
    await r.run(["courses", "create", "-"], { input: elsewhere });
    await writeAll(r.folder, {
      // Renamed, moved and split files; a course that got another url, and one that got an id.
      "courses/1.json": null,
      "courses/renamed.json": file(1, { long_description: "Ours." }),
      "courses/2.json": file(2, { name: "Ours", level: ["beginner"] }),
      "courses/3.json": null,
      "courses/3.yaml": `# Now YAML\n${file(3, { key: "three", url: `${urlOf(3)}/new` })}`,
      "courses/list.json": null,
      "courses/4.json": file(4, { name: "Ours 4" }),
      "courses/5.json": file(5),
      "courses/6.json": json(numberedCourse(6, { url: `${urlOf(6)}/new` })),
      "courses/7.json": file(7),
      "courses/8.json": file(8),
      "courses/catalog.defaults.yaml": "published: true\n",
    });
    const ran = await diff(r, "courses", "--base", "v1", "--json");
    expect(ran.code).toBe(0);
    expect(sidesOf(jsonRows(ran))).toEqual({
      "Course 1": { short_description: "catalog", long_description: "file", published: "file" },
      Ours: { name: "both", level: "catalog", published: "file" },
      "Course 3": { url: "file", published: "file" },
      "Ours 4": { name: "file", published: "file" },
      "Course 5": "create",
      "Course 6": { url: "file", published: "file" },
      // The base has no such course.
      "Course 7": { name: "both" },
      "Course 8": "create",
    });
    const first = jsonRows(ran).find(({ name }) => name === "Course 1");
    expect(first?.fields).toContainEqual({
      path: ["short_description"],
      old: "Theirs.",
      new: "Knit your first scarf.",
      changedIn: "catalog",
      base: "Knit your first scarf.",
    });
    const text = await diff(r, "courses/2.json", "--base", "v1");
    expect(text.stdout).toContain(`  changed in the file:
    published: false → true
  changed in the catalog:
    level: [] → ["beginner"]
  changed in both:
    name: "Theirs" → "Ours" (base: "Course 2")
`);
    expect(text.stderr).toMatch(
      /^1 course changed in the catalog since v1: "Ours" \(\S+\): .*; push sends nothing\. To keep what/,
    );
    // A plan is executed as it is.
    const plan = join(await temporaryFolder(), "plan.json");
    const planned = await diff(r, "courses/2.json", "--base", "v1", "--out", plan);
    expect(planned.stderr).toContain("; the plan sends the values of the files. To keep what");
    // Standard input has the folder of the command as its place.
    const input = file(1, { long_description: "Ours.", published: true });
    const piped = await r.run(["courses", "diff", "-", "--base", "HEAD", "--json"], {
      ...CI,
      input,
    });
    expect(sidesOf(jsonRows(piped))).toEqual({
      "Course 1": { short_description: "catalog", long_description: "file", published: "file" },
    });
  });

  test("diff --base finds a course whose file was in a folder that is not compared, with its default values", async () => {
    const r = await repository({
      "old/catalog.defaults.yaml": "level: [beginner]\n",
      "old/1.json": file(1),
      "courses/2.json": file(2),
    });
    await writeAll(r.folder, {
      "old/1.json": null,
      "courses/1.json": file(1, { level: ["advanced"] }),
    });
    const ran = await diff(r, "courses", "--base", "v1", "--json");
    expect(sidesOf(jsonRows(ran))).toEqual({ "Course 1": { level: "file" } });
  });

  test("push --base does not use a file of another folder as the base if that file still exists", async () => {
    const r = await repository({ "production/2.json": file(2), "staging/readme.md": "" });
    await commit(r.folder, { "staging/1.json": file(1, { name: "Staging" }) });
    git(r.folder, "tag", "--force", "v1");
    await writeAll(r.folder, { "production/1.json": file(1) });
    const ran = await pushBase(r, "production");
    expect(ran.code).toBe(0);
    expect(await stored(r, 1)).toMatchObject({ name: "Course 1" });
  });

  test("diff --base --complete --prune shows where each removed value and course was changed", async () => {
    const r = await repository({
      "1.json": file(1, { level: ["beginner"], image_url: "https://i.example/1" }),
      "2.json": file(2),
      "3.json": file(3),
    });
    await changeElsewhere(r, urlOf(1), { image_url: "https://i.example/2", duration_in_hours: 2 });
    await changeElsewhere(r, urlOf(3), { name: "Theirs" });
    await writeAll(r.folder, { "1.json": file(1), "2.json": null, "3.json": null });
    const ran = await diff(r, ".", "--base", "v1", "--complete", "--prune", "--json");
    expect(sidesOf(jsonRows(ran))).toEqual({
      "Course 1": { level: "file", image_url: "both", duration_in_hours: "catalog" },
      "Course 2": "delete",
      Theirs: "delete",
    });
    const [, second, third] = jsonRows(ran);
    const sides = ({ fields }: Fields = {}) =>
      new Set((fields as Fields[]).map(({ changedIn }) => changedIn));
    expect([sides(second), sides(third)]).toEqual([new Set(["file"]), new Set(["file", "both"])]);
  });
});

describe("push --base", () => {
  test("push --base sends nothing if the catalog changed, even with --yes, unless --on-drift is keep or overwrite", async () => {
    const files = { "1.json": file(1), "2.json": file(2), "3.json": file(3), "4.json": file(4) };
    const r = await repository(files);
    await changeElsewhere(r, urlOf(1), { short_description: "Theirs." });
    await changeElsewhere(r, urlOf(2), null);
    await changeElsewhere(r, urlOf(3), { name: "Theirs 3" });
    await writeAll(r.folder, {
      "1.json": file(1, { long_description: "Ours." }),
      "3.json": null,
      "4.json": null,
      "5.json": file(5),
    });
    const ids = await storedIds(r);
    const terminal = { ...CI, terminal: true, columns: 400, input: "stop\n" };
    const asked = await push(r, [".", "--base", "v1", "--prune"], terminal);
    expect([asked.code, writeRequests(asked)]).toEqual([2, []]);
    expect(asked.stderr).toMatch(/short_description: .*"Theirs\..*Overwrite what changed in the/s);
    for (const more of [["--yes"], ["--dry-run", "--on-drift", "stop"], ["--on-drift", "stop"]]) {
      const stopped = await pushBase(r, ".", "--prune", "--json", ...more);
      expect([stopped.code, writeRequests(stopped)]).toEqual([7, []]);
      expect(jsonErrors(stopped)).toEqual([
        {
          kind: "drift",
          message: expect.stringMatching(
            /^3 courses changed in the catalog since v1: "Course 1" .*: short_description, "Course 2" .*: deleted and "Theirs 3" .*: .*; nothing was sent$/,
          ),
          next: expect.any(String),
        },
      ]);
    }
    const dry = await pushBase(r, ".", "--prune", "--dry-run", "--max-deletes", "9");
    expect([dry.code, writeRequests(dry)]).toEqual([0, []]);
    const kept = await pushBase(
      r,
      ".",
      "--prune",
      "--yes",
      "--on-drift",
      "keep",
      "--max-deletes",
      "9",
    );
    expect(kept.code).toBe(0);
    expect(await stored(r, 1)).toMatchObject({
      short_description: "Theirs.",
      long_description: "Ours.",
    });
    expect([await stored(r, 2), await stored(r, 4)]).toEqual([undefined, undefined]);
    expect([await stored(r, 3), await stored(r, 5)]).toMatchObject([{ name: "Theirs 3" }, {}]);
    expect((await storedIds(r)).length).toBe(ids.length);
    const overwritten = await pushBase(
      r,
      ...[".", "--prune", "--yes", "--on-drift", "overwrite", "--max-deletes", "9"],
    );
    expect(overwritten.code).toBe(0);
    expect(await stored(r, 1)).toMatchObject({ short_description: "Knit your first scarf." });
    expect(await stored(r, 2)).toMatchObject({ name: "Course 2" });
    expect(await stored(r, 3)).toBeUndefined();
    // The catalog now equals the files, so the base makes no difference.
    const again = await pushBase(r, ".", "--prune", "--yes");
    expect([again.code, writeRequests(again)]).toEqual([0, []]);
  });

  test("push --base sends the changes of the files without asking if the catalog did not change since the base", async () => {
    const r = await repository({ "1.json": file(1), "2.json": file(2) });
    await writeAll(r.folder, { "1.json": file(1, { name: "Ours" }), "3.json": file(3) });
    const ran = await pushBase(r, ".");
    expect([ran.code, writeRequests(ran).length]).toEqual([0, 2]);
    expect(ran.stderr).not.toContain("changed in the catalog");
    expect(await stored(r, 1)).toMatchObject({ name: "Ours" });
  });

  test("push --base and diff --base exit with 2 and send nothing if the base cannot be read", async () => {
    const r = await repository({ "1.json": file(1) });
    await writeAll(r.folder, { "1.json": file(1, { name: "Ours" }) });
    const outside = await temporaryFolder();
    await writeAll(outside, { "1.json": file(1, { name: "Ours" }) });
    await mkdir(join(r.folder, "none"));
    for (const [words, environment, message] of [
      [["1.json", "--base", "v2"], {}, "there is no commit v2 in this clone"],
      [["1.json", "--base=--help"], {}, '--base must be a commit, not "--help"'],
      [["1.json", "--base", "v1"], { PATH: join(r.folder, "none") }, "cannot find git"],
      [[join(outside, "1.json"), "--base", "v1"], {}, `${outside} is not in a git repository`],
    ] as const) {
      for (const command of ["push", "diff"]) {
        const all = { environment: { ...CI.environment, ...environment } };
        const ran = await r.run(["courses", command, ...words, "--json"], all);
        expect([ran.code, writeRequests(ran)]).toEqual([2, []]);
        expect(jsonErrors(ran)).toMatchObject([{ kind: "usage", message }]);
      }
    }
    const empty = await push(r, ["1.json", "--base="], CI);
    expect([empty.code, empty.requests]).toEqual([2, []]);
  });
});

describe("diff --drift --base", () => {
  test("diff --drift --base shows and counts only changes in the catalog since the commit", async () => {
    const files = [1, 2, 3, 4].map((number) => [`${number}.json`, file(number)]);
    const r = await repository({ ...Object.fromEntries(files), "6.json": file(6) });
    await changeElsewhere(r, urlOf(1), { short_description: "Theirs." });
    await changeElsewhere(r, urlOf(2), { published: false });
    await changeElsewhere(r, urlOf(3), null);
    await r.run(["courses", "create", "-"], { input: file(9) });
    await writeAll(r.folder, {
      "1.json": file(1, { name: "Ours" }),
      "4.json": file(4, { name: "Ours" }),
      "5.json": file(5),
      "6.json": null,
    });
    const ran = await diff(r, ".", "--drift", "--base", "v1", "--exit-code", "--json");
    expect(ran.code).toBe(7);
    expect(
      jsonRows(ran).map(({ name, action, status, fields }) => {
        const changes = (fields as { path: string[]; old: unknown; new: unknown }[]).map(
          ({ path, old, new: value }) => [path[0], old, value],
        );
        return [
          name,
          action,
          status,
          ...(action === "deleted" || action === "added" ? [] : changes),
        ];
      }),
    ).toEqual([
      ["Course 1", "changed", "drift", ["short_description", "Knit your first scarf.", "Theirs."]],
      ["Course 2", "unpublished", "drift", ["published", true, false]],
      ["Course 3", "deleted", "drift"],
      ["Course 9", "added", "drift"],
    ]);
    // What changed in the files only is no drift.
    const own = await diff(r, "4.json", "5.json", "--base", "v1", "--exit-code", "--json");
    expect(own.code).toBe(7);
    // Without a path, the repository is that of the current folder.
    const words = ["--prune", "--provider", "example-academy", "--max-deletes", "100%"];
    const closing = await diff(r, ...words, "--base", "v1");
    expect(closing.stdout).toMatch(/- Course 1 \(\S+, changed in the catalog\)/);
    expect(closing.stdout).toMatch(/- Course 9 \(\S+, added in the catalog\)/);
    expect(closing.stderr).toMatch(/"Course 9" \(\S+\): added/);
    expect(closing.stdout).toMatch(/- Course 4 \(\S+\)/);
    await changeElsewhere(r, urlOf(9), null);
    const quiet = await diff(r, "4.json", "5.json", "--drift", "--base", "v1", "--exit-code");
    expect(quiet.stdout).not.toMatch(/Course (4|5|6)/);
  });
});

test("diff --base warns once about all files that cannot be read at the commit; their courses have no base", async () => {
  const r = await repository({ "1.json": file(1), "2.json": file(2) });
  await commit(r.folder, { "1.json": "{", "2.json": "[" });
  await commit(r.folder, { "1.json": file(1), "2.json": file(2) });
  await changeElsewhere(r, urlOf(1), { name: "Theirs" });
  const ran = await r.run(["courses", "diff", ".", "--base", "HEAD~1", "--json"], CI);
  expect(jsonMessages(ran).flatMap(({ warning }) => warning ?? [])).toEqual([
    "cannot read 1.json and 1 other file at the commit HEAD~1, so their courses have no base",
  ]);
});
