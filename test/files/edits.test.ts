/** Changing courses in place keeps every byte outside of the values that change. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isList, isObject, type Path, valueAt } from "../../src/base/values.ts";
import { spanAt } from "../../src/files/diagnostic.ts";
import { editCourses } from "../../src/files/edit.ts";
import type { FileFormat } from "../../src/files/parse.ts";
import { parseAs } from "../../src/files/parse.ts";
import { findCourses } from "../../src/files/parsed.ts";
import { scaleRuns } from "../long.ts";
import { STYLES } from "./text-styles.ts";

type Values = Readonly<Record<string, unknown>>;

/** The text after a course was changed. */
async function edited(
  text: string,
  change: (course: Values) => Values,
  format: FileFormat = "yaml",
  index = 0,
): Promise<string> {
  const old = findCourses(await parseAs(format, text))[index]?.value as Values;
  const replacements = [{ index, old, wanted: change(old) }];
  return (await editCourses(text, format, replacements)).text;
}

/** Changes keys; undefined removes one. */
function set(changes: Values): (course: Values) => Values {
  return (course) =>
    Object.fromEntries(
      Object.entries({ ...course, ...changes }).filter(([, value]) => value !== undefined),
    );
}

const PRICE = { type: "single_course", price: "10", currency: "EUR" };

const NEW_ID = { id: "ID" };

type Row = [layout: string, before: string, changes: Values, after: string, format?: FileFormat];

const LAYOUTS: readonly Row[] = [
  ["CRLF", "# x\r\nname: a\r\nurl: u\r\n", { name: "b" }, "# x\r\nname: b\r\nurl: u\r\n"],
  [
    "a block of text",
    "long: | # c\n    a\n    b\nurl: u\n",
    { long: "a\n\nc\n" },
    "long: | # c\n  a\n\n  c\nurl: u\n",
  ],
  [
    "a new object in a list",
    "prices:\n  - type: free\nurl: u\n",
    { prices: [{ type: "free" }, PRICE] },
    'prices:\n  - type: free\n  - type: single_course\n    price: "10"\n    currency: EUR\nurl: u\n',
  ],
  [
    "a removed item below its dash",
    "instructors:\n  -\n    name: Ada # head\n\n  - # the second\n    # of two\n    name: Bob # left\nurl: u\n",
    { instructors: [{ name: "Ada" }] },
    "instructors:\n  -\n    name: Ada # head\n\nurl: u\n",
  ],
  [
    "a list that becomes empty, whose comments stay",
    "level: # l\n  # for whom\n  - beginner # b\n  -\n    advanced\n  # e\nurl: u # u\n",
    { level: [] },
    "level: [] # l\n  # for whom\n  # e\nurl: u # u\n",
  ],
  [
    "comments in an emptied list in brackets",
    "level: [ # ours\n  beginner, # first\n  advanced\n  ]\nurl: u\n",
    { level: [] },
    "level: [ # ours\n   # first\n  ]\nurl: u\n",
  ],
  ["the first key of an item", "- a: 1 \n  b: 2\n", { a: undefined }, "- b: 2\n"],
  ["the only key in brackets", "v: {a: 1}", { v: {} }, "v: {}"],
  ["a new key in brackets", "{name: a}", { "x-a, b": 1 }, '{name: a, "x-a, b": 1}'],
  ["an alias", "a: &x [1]\nb: *x # c\n", { b: [1, 2] }, "a: &x [1]\nb: [1, 2] # c\n"],
  ["a string that becomes a list", "a: x # c\n", { a: ["x"] }, "a: [x] # c\n"],
  ["a first key below comments", "# a\n\n# b\nurl: u\n", NEW_ID, "# a\n\n# b\nid: ID\nurl: u\n"],
  ["a first key below ---", "--- # c\nurl: u\n", NEW_ID, "--- # c\nid: ID\nurl: u\n"],
  ["a first key of an item", "-\n  # c\n  url: u\n", NEW_ID, "-\n  # c\n  id: ID\n  url: u\n"],
  ["a new key before an anchor", "- &a name: x\n", NEW_ID, "- id: ID\n  &a name: x\n"],
  ["a new key before ?", "? name\n: x\n? url\n: u\n", NEW_ID, "id: ID\n? name\n: x\n? url\n: u\n"],
  ["a new key and CR", "name: x\rurl: u\r", NEW_ID, "id: ID\rname: x\rurl: u\r"],
  ["quotes in a key of JSON", '{"a":1}', { 'x-"a"': 1 }, '{"a":1, "x-\\"a\\"": 1}', "json"],
  ["an invisible character in JSON", '{"a":1}', { a: "\ufeffb" }, '{"a":"\\ufeffb"}', "json"],
  [
    "a new object of JSON on separate lines",
    '{\n\t"url": "u",\n\t"x": 1\n}',
    { video: { type: "youtube" } },
    '{\n\t"url": "u",\n\t"video": {\n\t\t"type": "youtube"\n\t},\n\t"x": 1\n}',
    "json",
  ],
];

/** A course with a comment on everything. */
const COMMENTED = `# about the file
name: Knitting # c1
# c2
audio: [en, de] # c3
# c4
prices: # c5
  # c6
  - type: single_course # c7
    # c8
    price: "10" # c9
    currency: EUR # c10
  # c11
  - type: subscription # c12
    price: "5" # c13
# c14
instructors:
  # head of school
  - name: Ada # c15
  # assistant, on leave until March
  - name: Bob # c16
  # new
  - name: Cy # c17
# c18
syllabus:
  - title: A # keep in sync with slides
# the end
`;

const ADA = { name: "Ada" };
const AL = { name: "Al" };
const BOB = { name: "Bob" };
const CY = { name: "Cy" };
const TEN = { type: "single_course", price: "10", currency: "EUR" };
const FIVE = { type: "subscription", price: "5" };

/** Changes, and the text that each changes. */
const KEPT: readonly (readonly [change: string, changes: Values, before: string, after: string])[] =
  [
    ["one language less", { audio: ["de"] }, "[en, de]", "[de]"],
    ["another price", { prices: [{ ...TEN, price: "12" }, FIVE] }, '"10"', '"12"'],
    ["an item removed in the middle", { instructors: [ADA, CY] }, "  - name: Bob # c16\n", ""],
    ["a new item", { instructors: [ADA, AL, BOB, CY] }, "# c15\n", "# c15\n  - name: Al\n"],
    ["a new field", { pace: "self_paced" }, "# c3\n", "# c3\npace: self_paced\n"],
  ];

test.each(KEPT)(
  "editCourses keeps every comment outside of what changes: %s",
  async (_, changes, before, after) => {
    expect(await edited(COMMENTED, set(changes))).toBe(COMMENTED.replace(before, after));
  },
);

test.each(LAYOUTS)(
  "editCourses changes only the text that differs, with %s",
  async (_, before, changes, after, format) => {
    expect(await edited(before, set(changes), format)).toBe(after);
  },
);

test("editCourses replaces the value of an anchor, and courses that use the anchor keep the old value", async () => {
  const before = "- provider: &p a # c\n- provider: *p\n---\nprovider: z\n";
  expect(await edited(before, set({ provider: "b" }))).toBe(
    "- provider: &p b # c\n- provider: a\n---\nprovider: z\n",
  );
});

test.each([
  ["an alias, which has no text to edit", "- x: &a {url: v}\n- *a\n", 1],
  ["a course that an alias repeats", "- &a\n  url: u\n- *a\n", 0],
  ["a layout without a place for an entry", "[url: u]", 0],
])("editCourses refuses %s", async (_, text, index) => {
  const refused = edited(text, set({ id: "ID" }), "yaml", index);
  await expect(refused).rejects.toThrow("catalog cannot edit this layout");
});

/** The paths of all values in a value. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  const inner = isList(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([step, each]) => pathsIn(each, [...path, step]))].filter(
    ({ length }) => length > 0,
  );
}

/** Puts a value at a path of a copy; undefined removes what is there, and `isNew` inserts before it. */
function changed(root: unknown, [step, ...rest]: Path, value: unknown, isNew: boolean): unknown {
  const isLast = rest.length === 0;
  if (isList(root) && typeof step === "number") {
    const inner = isLast ? value : changed(root[step], rest, value, isNew);
    const items = isLast && value === undefined ? [] : [inner];
    return root.toSpliced(step, isLast && isNew ? 0 : 1, ...items);
  }
  if (!isObject(root) || typeof step !== "string") return root;
  if (!isLast) return { ...root, [step]: changed(root[step], rest, value, isNew) };
  const { [step]: _, ...others } = root;
  if (value === undefined) return others;
  return isNew ? { ...root, "x-new": value } : { ...root, [step]: value };
}

/** A change of a value somewhere in a course, or a new value or key before it. */
type Change = readonly [number: number, value: unknown, isNew: boolean];

const VALUES = fc.constantFrom<unknown>(
  ...["x", "it's", "a: b # c", "two\nlines\n", "- {", "no", "", " a ", "編🧶", "long ".repeat(30)],
  ...[null, true, 4.5, [], ["en", "pt-BR"], { a: "b" }, [{ title: "T", description: ["D"] }]],
);
const REMOVING = fc.option(VALUES, { nil: undefined, freq: 4 });
const CHANGES: fc.Arbitrary<Change> = fc.tuple(fc.nat(), REMOVING, fc.boolean());

function changeOf(course: Values, [number, value, isNew]: Change) {
  const paths = pathsIn(course);
  const path = paths[number % paths.length] ?? [];
  return { path, value, desired: changed(course, path, value, isNew) as Values };
}

/** A course with entries of every kind. */
const COURSES = fc
  .tuple(
    fc.dictionary(fc.constantFrom("name", "url", "audio", "video", "x-a"), VALUES, {
      minKeys: 2,
      noNullPrototype: true,
    }),
    fc.array(
      fc.record(
        { title: VALUES, description: VALUES },
        { requiredKeys: ["title"], noNullPrototype: true },
      ),
      { maxLength: 4 },
    ),
  )
  .map(([fields, syllabus]): Values => ({ ...fields, syllabus }));

test.each(STYLES.filter(({ style }) => style !== "YAML with tags"))(
  "editCourses makes any change in the style $style",
  async ({ extension, write }) => {
    const property = fc.asyncProperty(COURSES, CHANGES, async (course, change) => {
      const { desired } = changeOf(course, change);
      const written = [course, { name: "kept", url: "u" }];
      const result = await edited(write(written), () => desired, extension);
      const { documents, problems } = await parseAs(extension, result);
      expect({ courses: documents.flat(), problems }).toEqual({
        courses: [desired, ...written.slice(1)],
        problems: [],
      });
    });
    await fc.assert(property, { numRuns: scaleRuns(8) });
  },
);

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

const TEXTS = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml") && name !== "broken.yaml")
  .map((name) => withComments(readFileSync(join(EXAMPLES, name), "utf8")));

/** The text with a numbered comment above each entry and each item that is not in a block of text. */
function withComments(text: string): string {
  let block: number | undefined;
  return text
    .split("\n")
    .map((line, number) => {
      const indentation = line.search(/\S/);
      if (block !== undefined && (indentation === -1 || indentation > block)) return line;
      block = /:\s*[|>][-+]?$/.test(line) ? indentation : undefined;
      if (!/^\s*(?:- )?[a-z_]+:/.test(line)) return line;
      return `${" ".repeat(indentation)}# comment ${number};\n${line}`;
    })
    .join("\n");
}

const commentsIn = (text: string): string[] => text.match(/# comment \d+;/g) ?? [];

test("random changes of the examples are made in place, and lose no comment outside of the changed entry", async () => {
  const runs = scaleRuns(10);
  let rewritten = 0;
  const property = fc.asyncProperty(fc.constantFrom(...TEXTS), CHANGES, async (text, change) => {
    const parsed = await parseAs("yaml", text);
    const [course, ...others] = parsed.documents as [Values, ...Values[]];
    const { path, value, desired } = changeOf(course, change);
    const after = await edited(text, () => desired);
    expect((await parseAs("yaml", after)).documents).toEqual([desired, ...others]);
    const place = await parsed.place({ document: 0 });
    // A list or an object that becomes empty is written again.
    const around = valueAt(desired, path.slice(0, -1));
    const isEmptied = path.length > 1 && Object.keys(around ?? {}).length === 0;
    const smallest = isEmptied ? path.slice(0, -1) : path;
    const { start } = spanAt(place, smallest, "key");
    const { end } = spanAt(place, smallest, "value");
    const outside = `${text.slice(0, start)}\n${text.slice(end)}`;
    const kept = commentsIn(after);
    const lost = commentsIn(outside).filter((comment) => !kept.includes(comment));
    expect([path, value, lost]).toEqual([path, value, []]);
    const lines = new Set(after.split("\n"));
    const isChanged = (line: string): boolean => !lines.has(line);
    if (outside.split("\n").filter(isChanged).length > 2) rewritten++;
  });
  await fc.assert(property, { numRuns: runs });
  expect(rewritten).toBeLessThanOrEqual(runs / 20);
}, 300_000);
