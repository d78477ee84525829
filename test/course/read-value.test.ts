/** What a text means as the value of a field, by who wrote it: one table of texts and dialects. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shapeAt } from "../../src/course/fields.ts";
import { type Dialect, readValue } from "../../src/course/read-value.ts";
import { readDecimal } from "../../src/course/string-formats.ts";
import { parseAs } from "../../src/files/parse.ts";
import { course, rig } from "../rig.ts";

const NUMBER = shapeAt(["duration_in_hours"]);
const BOOLEAN = shapeAt(["published"]);
const AMOUNT = shapeAt(["prices", 0, "price"]);
const TEXT = shapeAt(["name"]);
const CODES = shapeAt(["audio"]);
const OBJECTS = shapeAt(["instructors"]);
const PARAGRAPHS = shapeAt(["syllabus", 0, "description"]);

const DIALECTS: readonly Dialect[] = ["file", "table", "flag", "program"];

/** A text, and its value in the dialects file, table, flag and program. */
type Row = readonly [text: unknown, ...values: readonly unknown[]];

const TABLE: readonly (readonly [title: string, shape: typeof NUMBER, rows: readonly Row[]])[] = [
  [
    "a number",
    NUMBER,
    [
      ["7.5", 7.5, 7.5, 7.5, 7.5],
      ["1e-7", 1e-7, 1e-7, 1e-7, 1e-7],
      ["7,5", 7.5, 7.5, "7,5", "7,5"],
      ["1,299", "1,299", "1,299", "1,299", "1,299"],
      ["1.299,5", 1299.5, 1299.5, "1.299,5", "1.299,5"],
      ["90 min", "90 min", "90 min", "90 min", "90 min"],
    ],
  ],
  [
    "true or false",
    BOOLEAN,
    [
      ["true", true, true, true, true],
      ["FALSE", false, false, "FALSE", "FALSE"],
      ["yes", true, "yes", "yes", "yes"],
      ["off", false, "off", "off", "off"],
      ["1", "1", "1", 1, "1"],
    ],
  ],
  [
    "an amount",
    AMOUNT,
    [
      ["199.00", "199.00", "199.00", "199.00", "199.00"],
      ["199,00", "199,00", "199.00", "199,00", "199,00"],
      ["1.299,00", "1.299,00", "1299.00", "1.299,00", "1.299,00"],
      ["1,299", "1,299", "1,299", "1,299", "1,299"],
      ["99,- €", "99,- €", "99,- €", "99,- €", "99,- €"],
      [49.9, "49.9", "49.9", "49.9", "49.9"],
    ],
  ],
  [
    "a text",
    TEXT,
    [
      ["7,5", "7,5", "7,5", "7,5", "7,5"],
      ['"A"', '"A"', '"A"', "A", '"A"'],
      [5, "5", "5", "5", "5"],
    ],
  ],
  [
    "codes",
    CODES,
    [
      ["en", ["en"], ["en"], ["en"], ["en"]],
      ["en, de;", ["en", "de"], ["en", "de"], ["en, de;"], ["en", "de"]],
      ['["en"]', ['["en"]'], ['["en"]'], ["en"], ['["en"]']],
    ],
  ],
  ["paragraphs", PARAGRAPHS, [["A, B", "A, B", "A, B", "A, B", "A, B"]]],
  [
    "objects",
    OBJECTS,
    [
      [
        '[{"name":"A"}]',
        ['[{"name":"A"}]'],
        ['[{"name":"A"}]'],
        [{ name: "A" }],
        ['[{"name":"A"}]'],
      ],
    ],
  ],
];

describe.each(TABLE)("%s", (title, shape, rows) => {
  test.each(rows)(`as ${title}, %j is read by file, table, flag and program`, (text, ...values) => {
    expect(DIALECTS.map((dialect) => readValue(text, shape, dialect))).toEqual(values);
  });
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
  const { audio: _, prices: _prices, ...fields } = course();
  const names = [
    ...Object.keys(fields),
    "audio",
    "prices[0].type",
    "prices[0].price",
    "prices[0].currency",
  ];
  const row = (index: number, price: string) => {
    const values = { ...fields, url: `https://academy.example/${index}` };
    return [...Object.values(values), '"en, de"', "single_course", `"${price}"`, "EUR"].join(",");
  };
  await r.write(
    "c.csv",
    `${names}\n${row(1, "199,00")}\n${row(2, "1.299,00")}\n${row(3, "1,299")}\n`,
  );
  const { stdout } = await r.run("courses check c.csv");
  expect(stdout.match(/error: .*/g)).toEqual([
    expect.stringMatching(
      /cell \w+4: prices\[0\]\.price is "1,299", which can mean 1299 or 1\.299; write one of them \[amount\]$/,
    ),
  ]);
});
