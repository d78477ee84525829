/** Changing courses in place keeps every byte outside of the values that change. */
import { describe, expect, test } from "vitest";
import { editCourses } from "../../src/files/edit.ts";
import type { FileFormat } from "../../src/files/parse.ts";

type Values = Readonly<Record<string, unknown>>;

/** The text after the first course was changed, or the reason for the refusal. */
async function edited(
  text: string,
  change: (course: Values) => Values,
  format: FileFormat = "yaml",
): Promise<string> {
  const result = await editCourses(text, format, ([first, ...others]) => [
    change(first as Values),
    ...others,
  ]);
  return "reason" in result ? `refused: ${result.reason}` : result.text;
}

/** Changes keys; undefined removes one. */
function set(changes: Values): (course: Values) => Values {
  return (course) =>
    Object.fromEntries(
      Object.entries({ ...course, ...changes }).filter(([, value]) => value !== undefined),
    );
}

const PRICE = { type: "single_course", price: "10", currency: "EUR" };

type Row = readonly [layout: string, before: string, changes: Values, after: string];

const YAML: readonly Row[] = [
  ["a plain string", "name: a # c\nurl: u\n", { name: "b c" }, "name: b c # c\nurl: u\n"],
  [
    "a block that ends with a space",
    "name: |-\n  a \nurl: u\n",
    { name: "b c " },
    "name: |-\n  b c \nurl: u\n",
  ],
  [
    "a string in quotes",
    "name: 'a' # c\nurl: u\n",
    { name: "it's" },
    "name: 'it''s' # c\nurl: u\n",
  ],
  ["double quotes", 'name: "a"\nurl: u\n', { name: "b" }, 'name: "b"\nurl: u\n'],
  ["a string that needs quotes", "name: a\n", { name: "no: 1" }, 'name: "no: 1"\n'],
  ["a string in no-break spaces", "name: a\n", { name: "\u00a0b\u00a0" }, "name: \u00a0b\u00a0\n"],
  ["CRLF", "# x\r\nname: a\r\nurl: u\r\n", { name: "b" }, "# x\r\nname: b\r\nurl: u\r\n"],
  ["a number", "n: 1 # c\n", { n: 2.5 }, "n: 2.5 # c\n"],
  [
    "a block of text",
    "long: | # c\n    a\n    b\nurl: u\n",
    { long: "a\n\nc\n" },
    "long: | # c\n    a\n\n    c\nurl: u\n",
  ],
  ["a folded text", "long: >-\n  a\n  b\nurl: u\n", { long: "c" }, "long: >-\n  c\nurl: u\n"],
  [
    "a text of several lines",
    "long: a\nurl: u\n",
    { long: "a\nb" },
    "long: |-\n  a\n  b\nurl: u\n",
  ],
  [
    "a key inside a list",
    "prices:\n  # mine\n  - type: single_course # t\n    price: '10'\n    currency: EUR\nurl: u\n",
    { prices: [{ ...PRICE, price: "12" }] },
    "prices:\n  # mine\n  - type: single_course # t\n    price: '12'\n    currency: EUR\nurl: u\n",
  ],
  [
    "an item in brackets",
    "audio: [en, 'de'] # c\n",
    { audio: ["en", "fr"] },
    "audio: [en, 'fr'] # c\n",
  ],
  ["one more item in brackets", "audio: [en]\n", { audio: ["en", "fr"] }, "audio: [en, fr]\n"],
  ["one item less in brackets", "audio: [en, fr]\n", { audio: ["fr"] }, "audio: [fr]\n"],
  [
    "one more item on a line",
    "audio:\n- en # c\nurl: u\n",
    { audio: ["en", "fr"] },
    "audio:\n- en # c\n- fr\nurl: u\n",
  ],
  [
    "one item less on a line",
    "audio:\n  - en # c\n  - fr # d\nurl: u\n",
    { audio: ["fr"] },
    "audio:\n  - fr # d\nurl: u\n",
  ],
  [
    "a new object in a list",
    "prices:\n  - type: free\nurl: u\n",
    { prices: [{ type: "free" }, PRICE] },
    'prices:\n  - type: free\n  - type: single_course\n    price: "10"\n    currency: EUR\nurl: u\n',
  ],
  ["a removed key", "a: 1\n# b\nb: |\n  x\n\nc: 3\n", { b: undefined }, "a: 1\n# b\n\nc: 3\n"],
  ["the last key", "a: 1\nb: 2", { b: undefined }, "a: 1"],
  ["the first key of an item", "- a: 1 \n  b: 2\n", { a: undefined }, "- b: 2\n"],
  ["a key in brackets", "{a: 1, b: 2, c: 3}", { b: undefined }, "{a: 1, c: 3}"],
  [
    "a renamed key",
    "'titel': x # c\nurl: u\n",
    { titel: undefined, name: "x" },
    "'name': x # c\nurl: u\n",
  ],
  [
    "a new key in its documented place",
    "name: a\nurl: u # c\npace: self_paced\n",
    { short_description: "s", published: false },
    "name: a\nurl: u # c\nshort_description: s\npace: self_paced\npublished: false\n",
  ],
  ["a new key that needs quotes", "name: a\n", { "x-a: b": 1 }, 'name: a\n"x-a: b": 1\n'],
  ["a new key with quotes", "'name': a\n", { "x-'a'": 1 }, "'name': a\n'x-''a''': 1\n"],
  ["a new key in brackets", "{name: a}", { "x-a, b": 1 }, '{name: a, "x-a, b": 1}'],
  [
    "a new list",
    "name: a\nurl: u",
    { prices: [PRICE] },
    'name: a\nurl: u\nprices:\n  - type: single_course\n    price: "10"\n    currency: EUR',
  ],
  ["an alias", "a: &x [1]\nb: *x # c\n", { b: [1, 2] }, "a: &x [1]\nb: [1, 2] # c\n"],
  ["an empty list", "level: []\n", { level: ["beginner"] }, "level: [beginner]\n"],
  ["a list that becomes empty", "level: [x]\nurl: u\n", { level: [] }, "level: []\nurl: u\n"],
  ["null", "level: # c\nurl: u\n", { level: "x" }, "level: x # c\nurl: u\n"],
  [
    "a string that becomes a list",
    "level: Beginner # c\nurl: u\n",
    { level: ["beginner"] },
    "level: [beginner] # c\nurl: u\n",
  ],
];

const JSONS: readonly Row[] = [
  [
    "a string",
    '{\n  "name" : "a",\n  "n": 1\n}\n',
    { name: "b" },
    '{\n  "name" : "b",\n  "n": 1\n}\n',
  ],
  ["a new key with quotes", '{"name":"a"}', { 'x-"a"': 1 }, '{"name":"a","x-\\"a\\"":1}'],
  ["an invisible character", '{"name":"a"}', { name: "\ufeffb" }, '{"name":"\\ufeffb"}'],
  ["a removed key", '{"a":1,"b":2}', { b: undefined }, '{"a":1}'],
  [
    "a new object on separate lines",
    '{\n\t"url": "u",\n\t"x": 1\n}',
    { video: { type: "youtube" } },
    '{\n\t"url": "u",\n\t"video": {\n\t\t"type": "youtube"\n\t},\n\t"x": 1\n}',
  ],
  ["a new list on one line", '{"url": "u"}', { audio: ["en"] }, '{"url": "u", "audio": ["en"]}'],
];

describe("edits in place", () => {
  test.each(YAML)(
    "editCourses changes only the text that differs, in YAML with %s",
    async (_, before, changes, after) => {
      expect(await edited(before, set(changes))).toBe(after);
    },
  );

  test.each(JSONS)(
    "editCourses changes only the text that differs, in JSON with %s",
    async (_, before, changes, after) => {
      expect(await edited(before, set(changes), "json")).toBe(after);
    },
  );

  test("editCourses replaces the value of an anchor, and courses that use the anchor keep the old value", async () => {
    const before = "- provider: &p a # c\n- provider: *p\n---\nprovider: z\n";
    expect(await edited(before, set({ provider: "b" }))).toBe(
      "- provider: &p b # c\n- provider: a\n---\nprovider: z\n",
    );
  });
});
