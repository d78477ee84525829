/** The names of course files are safe on every system, unique and stable. */
import { posix, win32 } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { chooseFileNames } from "../../src/files/file-names.ts";
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
  ["keeps dots and letters of any script", "v1.2-編み物-é", "v1.2-編み物-é"],
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

test.each<[what: string, slug: unknown, stem: string, format: FileFormat]>([
  ["a number", 17, "course", "yaml"],
  ["blank", "  \t", "course", "yaml"],
  ["the name of a device", "PRN", "PRN", "yaml"],
  ["the name of a device with another digit", "com²", "com²", "yaml"],
  ["a name that another tool uses", "package", "package", "json"],
  ["the name of a config file", "catalog.config", "catalog.config", "yaml"],
])("a file name has the id appended if the slug is %s", (_, slug, stem, format) => {
  expect(namesOf([slug], format)).toEqual([`${stem}-${id("1")}.${format}`]);
});

test.each([
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
  ["except for invisible characters", "ab", "a\u200b\u200bb"],
  ["except for a ligature", "ﬁn", "fin"],
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
