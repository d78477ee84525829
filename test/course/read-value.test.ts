/** What a text means as the value of a field, by who wrote it: one table of texts and dialects. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { shapeAt } from "../../src/course/fields.ts";
import { type Dialect, readValue } from "../../src/course/read-value.ts";
import { readDecimal } from "../../src/course/string-formats.ts";
import { parseAs } from "../../src/files/parse.ts";
import { course, rig } from "../rig.ts";

const DIALECTS: readonly Dialect[] = ["file", "table", "flag", "program"];

const SHAPES = {
  number: shapeAt(["duration_in_hours"]),
  boolean: shapeAt(["published"]),
  amount: shapeAt(["prices", 0, "price"]),
  text: shapeAt(["name"]),
  codes: shapeAt(["audio"]),
  paragraphs: shapeAt(["syllabus", 0, "description"]),
  objects: shapeAt(["instructors"]),
};
const OBJECTS = '[{"name":"A"}]';

test.each<[keyof typeof SHAPES, text: unknown, ...values: unknown[]]>([
  ["number", "7.5", 7.5, 7.5, 7.5, 7.5],
  ["number", "1e-7", 1e-7, 1e-7, 1e-7, 1e-7],
  ["number", "7,5", 7.5, 7.5, "7,5", "7,5"],
  ["number", "1,299", "1,299", "1,299", "1,299", "1,299"],
  ["number", "1.299,5", 1299.5, 1299.5, "1.299,5", "1.299,5"],
  ["number", "90 min", "90 min", "90 min", "90 min", "90 min"],
  ["boolean", "true", true, true, true, true],
  ["boolean", "FALSE", false, false, "FALSE", "FALSE"],
  ["boolean", "yes", true, "yes", "yes", "yes"],
  ["boolean", "off", false, "off", "off", "off"],
  ["boolean", "1", "1", "1", 1, "1"],
  ["amount", "199,00", "199,00", "199.00", "199,00", "199,00"],
  ["amount", "1.299,00", "1.299,00", "1299.00", "1.299,00", "1.299,00"],
  ["amount", "1,299", "1,299", "1,299", "1,299", "1,299"],
  ["amount", "99,- €", "99,- €", "99,- €", "99,- €", "99,- €"],
  ["amount", 49.9, "49.9", "49.9", "49.9", "49.9"],
  ["text", "7,5", "7,5", "7,5", "7,5", "7,5"],
  ["text", '"A"', '"A"', '"A"', "A", '"A"'],
  ["text", 5, "5", "5", "5", "5"],
  ["codes", "en", ["en"], ["en"], ["en"], ["en"]],
  ["codes", "en, de;", ["en", "de"], ["en", "de"], ["en, de;"], ["en", "de"]],
  ["codes", '["en"]', ['["en"]'], ['["en"]'], ["en"], ['["en"]']],
  ["paragraphs", "A, B", "A, B", "A, B", "A, B", "A, B"],
  ["objects", OBJECTS, [OBJECTS], [OBJECTS], [{ name: "A" }], [OBJECTS]],
])("as %s, %j is read by file, table, flag and program", (kind, text, ...values) => {
  expect(DIALECTS.map((dialect) => readValue(text, SHAPES[kind], dialect))).toEqual(values);
});

test.each([
  ["0,125", "0.125"],
  ["1299,500", "1299.500"],
  ["12.345.678", "12345678"],
  ["12,345.6", "12345.6"],
  ["1 299,500", "1299.500"],
  ["1\u00a0299", "1299"],
  ["1,299", undefined],
  ["1.29,9", undefined],
  ["12,34,56", undefined],
  ["", undefined],
])("readDecimal reads %s as %s", (text, digits) => {
  expect(readDecimal(text)).toBe(digits);
});

test("every number that a table has is read as the same number", async () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  await fc.assert(
    fc.asyncProperty(number, async (value) => {
      const { documents } = await parseAs("csv", `name,duration_in_hours\nA,${value}\n`);
      expect(documents).toEqual([[{ name: "A", duration_in_hours: value === 0 ? 0 : value }]]);
    }),
  );
});

test("check reads amounts with a decimal comma in tables, and names both readings of one that is ambiguous", async () => {
  const r = await rig();
  const rows = ["199,00", "1.299,00", "1,299"].map((price, index) => ({
    ...course({ url: `https://academy.example/${index}`, audio: "en, de" }),
    "prices[0].type": "single_course",
    "prices[0].price": price,
    "prices[0].currency": "EUR",
  }));
  const lines = rows.map((row) =>
    Object.values(row)
      .map((value) => `"${value}"`)
      .join(","),
  );
  await r.write("c.csv", [Object.keys(rows[0] ?? {}), ...lines].join("\n"));
  const { stdout } = await r.run("courses check c.csv");
  expect(stdout.match(/error: .*/g)).toEqual([
    expect.stringMatching(
      /cell \w+4: prices\[0\]\.price is "1,299", which can mean 1299 or 1\.299; write one of them \[amount\]$/,
    ),
  ]);
});
