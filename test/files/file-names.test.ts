/** The names of course files are safe on every system, unique and stable. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix, win32 } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { chooseFileNames } from "../../src/files/file-names.ts";
import { findSources } from "../../src/files/find.ts";
import type { FileFormat } from "../../src/files/parse.ts";
import { anyCharacter } from "../any-character.ts";

/** An id that begins with these digits. */
function id(start: string): string {
  return `${start.padEnd(8, "0")}-0000-4000-8000-000000000000`;
}

/** The file names of courses with these slugs and ids that begin with 1, 2, 3 … */
function namesOf(slugs: readonly unknown[], format: FileFormat = "yaml"): (string | undefined)[] {
  const courses = slugs.map((slug, index) => ({ id: id(`${index + 1}`), slug }));
  const names = chooseFileNames(courses, format);
  return courses.map((course) => names.get(course.id));
}

test.each([
  ["is its slug", "knitting-7f3a", "knitting-7f3a"],
  ["keeps dots inside", "v1.2-notes", "v1.2-notes"],
  ["keeps letters of any script", "วิชา-編み物-é", "วิชา-編み物-é"],
  ["composes letters", "e\u0301te\u0301", "été"],
  ["keeps an emoji", "👩‍🏫-teaching", "👩‍🏫-teaching"],
  ["has no separators", "a/b\\c:d", "a-b-c-d"],
  ["does not lead out of the folder", "../../../etc/passwd", "etc-passwd"],
  ["has no hidden turns of direction", "a\u202eb\u2066c", "a-b-c"],
  ["is not a device with an extension", "con.course", "con-course"],
  ["may begin like a device", "console", "console"],
  ["is not a file of another tool", ".catalogrc", "catalogrc"],
])("a file name %s: %j", (_, slug, stem) => {
  expect(namesOf([slug])).toEqual([`${stem}.yaml`]);
  expect(namesOf([slug], "json")).toEqual([`${stem}.json`]);
});

test.each([
  ["null", null],
  ["a number", 17],
  ["blank", "  \t"],
])("a file name has the id if the slug is %s", (_, slug) => {
  expect(namesOf([slug])).toEqual([`course-${id("1")}.yaml`]);
});

test.each(["con", "PRN", "com²", "conin$"])(
  "a file name has the id appended if the slug is the name of a device: %s",
  (slug) => {
    expect(namesOf([slug])).toEqual([`${slug}-${id("1")}.yaml`]);
  },
);

test.each<[string, FileFormat]>([
  ["package", "json"],
  ["tsconfig", "json"],
  ["catalog.config", "yaml"],
])("a name that another tool uses has the id appended: %s as %s", (slug, format) => {
  expect(namesOf([slug], format)).toEqual([`${slug}-${id("1")}.${format}`]);
});

test.each([
  ["a".repeat(300), `${"a".repeat(195)}.yaml`],
  ["😀".repeat(300), `${"😀".repeat(48)}.yaml`],
  [`${"a".repeat(190)}.....${"b".repeat(10)}`, `${"a".repeat(190)}.yaml`],
  ["a".repeat(10_000_000), `${"a".repeat(195)}.yaml`],
  [`${".".repeat(1_000_000)}a`, `course-${id("1")}.yaml`],
])("a file name that is too long is cut between two characters (case %#)", (slug, name) => {
  const [given = ""] = namesOf([slug]);
  expect(given).toBe(name);
  expect(Buffer.byteLength(given)).toBeLessThanOrEqual(200);
});

test.each([
  ["exactly", "a", "a"],
  ["except for uppercase", "intro", "INTRO"],
  ["except for composed letters", "\u00e9t\u00e9", "e\u0301te\u0301"],
  ["except for invisible characters", "ab", "a\u200b\u200bb"],
  ["except for a ligature", "ﬁn", "fin"],
  ["after unsafe characters were replaced", "a/b", "a:b"],
  ["after they were cut", `${"a".repeat(300)}b`, `${"a".repeat(300)}c`],
])("file names have the ids appended if equal %s", (_, one, other) => {
  const [first = "", second = ""] = namesOf([one, other]);
  expect(first.endsWith(`-${id("1")}.yaml`)).toBe(true);
  expect(second.endsWith(`-${id("2")}.yaml`)).toBe(true);
  expect(Buffer.byteLength(first)).toBeLessThanOrEqual(200);
});

test("a file name with the id of another course gets its own id", () => {
  expect(namesOf(["a", "a", `a-${id("1")}`])).toEqual([
    `a-${id("1")}.yaml`,
    `a-${id("2")}.yaml`,
    `a-${id("1")}-${id("3")}.yaml`,
  ]);
});

test("a file name from an invalid id stays in the folder", () => {
  const courses = ["../../etc", "", "..", "a/b", "x".repeat(500)].map((id) => ({ id, slug: null }));
  const names = [...chooseFileNames(courses, "yaml").values()];
  expect(new Set(names).size).toBe(courses.length);
  for (const name of names) expect(name).toMatch(/^course-[0-9a-f]{32}\.yaml$/);
});

const slug = fc.oneof(
  fc.constantFrom(null, "", "a", "A", "con", "CON.x", "..", "../a", "package", `a-${id("1")}`, "é"),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
  fc.string({ unit: "grapheme", maxLength: 300 }),
);
const courses = fc.uniqueArray(
  fc.record({ id: fc.oneof(fc.uuid(), fc.string({ maxLength: 4 })), slug }),
  { selector: (course) => course.id, maxLength: 30 },
);

test("chooseFileNames gives any courses unique names in the folder, which do not depend on the order", () => {
  fc.assert(
    fc.property(courses, fc.constantFrom<FileFormat>("yaml", "json"), (listed, format) => {
      const names = chooseFileNames(listed, format);
      expect([...names.keys()].sort()).toEqual(listed.map((course) => course.id).sort());
      expect(chooseFileNames(listed.toReversed(), format)).toEqual(names);
      const seen = [...names.values()];
      const folded = seen.map((name) => name.normalize("NFD").toUpperCase());
      expect(new Set(folded).size).toBe(listed.length);
      for (const name of seen) {
        expect(posix.basename(posix.resolve("/in", name))).toBe(name);
        expect(win32.dirname(win32.resolve("C:\\in", name))).toBe("C:\\in");
        expect(name).toMatch(/^[^-.~].*\.(yaml|json)$/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
      }
    }),
    { numRuns: 50 },
  );
});

test("files with any of the chosen names can be created and found on this system", async () => {
  const folder = await mkdtemp(join(tmpdir(), "catalog-names-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const own = ["package", "catalog.config", ".catalogrc", ".x", "node_modules", "😀".repeat(99)];
  const all = [...own, ...fc.sample(slug, { numRuns: 50, seed: 7 })].map((slug, index) => ({
    id: id(`${10_000_000 + index}`),
    slug,
  }));
  const names = [...chooseFileNames(all, "json").values()];
  expect(names).toHaveLength(56);
  for (const name of names) await writeFile(join(folder, name), "{}");
  expect((await readdir(folder)).sort()).toEqual([...names].sort());
  const sources = await findSources(["."], { folder });
  expect(
    sources.map((each) => typeof each === "object" && "name" in each && each.name).sort(),
  ).toEqual([...names].sort());
});
