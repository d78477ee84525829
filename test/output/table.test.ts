import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import type { PlainObject } from "../../src/base/values.ts";
import { anyCharacter } from "../any-character.ts";
import { scaleRuns } from "../long.ts";
import { COLORS, courseRow, NAMES, render, UNSAFE } from "./rig.ts";

const manyNames = NAMES.map((name, index) =>
  courseRow({
    name,
    published: index % 2 === 0,
    approval_status: ["pending", "approved", "rejected", null][index % 4],
  }),
);

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

/** The number of terminal columns before a character in a line. */
function offsetOf(line: string, mark: RegExp): number {
  const found = mark.exec(line);
  return found === null ? Number.NaN : stringWidth(line.slice(0, found.index));
}

describe.each([40, 80, 200])("tables at %i columns", (terminal) => {
  test(`a table fits ${terminal} columns and aligns its columns in every script`, async () => {
    const lines = linesOf(await render(manyNames, { layout: "table", terminal }));
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(terminal);
    expect(lines).toHaveLength(manyNames.length + 1);
    const signs = lines.slice(1).map((line) => offsetOf(line, /[✓✗]/));
    expect(new Set(signs).size).toBe(1);
    expect(signs[0]).toBe(offsetOf(lines[0] ?? "", /LIVE/));
  });

  test(`a table fits ${terminal} columns for any text, with one line per row`, async () => {
    const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: anyCharacter }));
    const given = fc.array(
      fc.record({ id: fc.uuid(), name: text, url: text, prices: fc.jsonValue() }),
      { minLength: 1, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(given, fc.boolean(), async (some, areNamed) => {
        const columns = ["id", "name", "url", "prices"];
        const fields = areNamed ? columns : undefined;
        const options = { layout: "table", columns, fields, terminal } as const;
        const table = await render(some as PlainObject[], options);
        expect(table).not.toMatch(UNSAFE);
        const lines = linesOf(table);
        expect(lines).toHaveLength(some.length + 1);
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(terminal);
      }),
      { numRuns: scaleRuns(15) },
    );
  });

  test(`each line of a table of ${terminal} columns ends with a symbol if some columns do not fit`, async () => {
    const columns = Array.from({ length: 60 }, (_, index) => `column_${index}`);
    const row = Object.fromEntries(columns.map((name) => [name, "some text"]));
    const lines = linesOf(await render([row], { layout: "table", columns, terminal }));
    for (const line of lines) {
      expect(stringWidth(line)).toBeLessThanOrEqual(terminal);
      expect(line.endsWith("…")).toBe(true);
    }
  });
});

const id = String(courseRow().id);

test("ids are omitted from a table where they would shorten a name to less than 24 columns", async () => {
  for (const terminal of [12, 40, 79]) {
    const table = await render(manyNames, { layout: "table", terminal });
    expect(table).not.toContain("ID\n");
    expect(table).not.toContain(id.slice(0, 3));
    expect(linesOf(table)).toHaveLength(manyNames.length + 1);
  }
});

test("a table without a terminal cuts nothing and has the headers and the order of columns of a terminal", async () => {
  const name = "x".repeat(500);
  const [header, line] = linesOf(await render([courseRow({ name })], { layout: "table" }));
  expect(header).toMatch(/^NAME +LIVE {2,3}APPROVAL +ID$/);
  expect(line).toContain(name);
});

test("a table shows symbols next to words, and a dash for null", async () => {
  const given = [
    courseRow({ published: true, approval_status: "pending" }),
    courseRow({ published: false, approval_status: "approved", name: null }),
    courseRow({ published: null, approval_status: "on hold" }),
  ];
  const [, ...lines] = linesOf(await render(given, { layout: "table", terminal: 120 }));
  expect(lines.map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
    ["Knitting for Beginners", "✓ yes", "● pending"],
    ["–", "✗ no", "approved"],
    ["Knitting for Beginners", "–", "on hold"],
  ]);
});

test("a table separates words of lists by commas, and shows errors by message and changes by field", async () => {
  const row = {
    level: ["beginner", "advanced"],
    empty: [],
    texts: ["One, and more.", "Two."],
    error: { kind: "rejected", message: "url is blank" },
    fields: [
      { path: ["name"], old: null, new: "a" },
      { path: ["prices", 0, "currency"], old: "EUR", new: "USD" },
    ],
  };
  const table = await render([row], { layout: "table", columns: Object.keys(row) });
  expect(linesOf(table)[1]?.split(/ {2,}/)).toEqual([
    "beginner, advanced",
    "[]",
    '["One, and more.","Two."]',
    "url is blank",
    "name, prices[0].currency",
  ]);
});

test("a table omits optional columns if they are empty and not in --fields", async () => {
  const optional = ["file", "error"];
  const options = { columns: ["id", ...optional], optional };
  const given = [{ id: "1", error: null }, { id: "2" }];
  const table = (some: readonly PlainObject[], more = {}) =>
    render(some, { ...options, layout: "table", ...more });
  expect(await table(given)).toBe("ID\n1\n2\n");
  expect(linesOf(await table([...given, { id: "3", file: "a.yaml" }]))).toEqual([
    "FILE    ID",
    "–       1",
    "–       2",
    "a.yaml  3",
  ]);
  expect(linesOf(await table(given, { fields: ["id", "file"] }))[0]).toBe("ID  FILE");
});

test("a table has the same layout with and without color", async () => {
  const plainTable = await render(manyNames, { layout: "table", terminal: 80 });
  const colored = await render(manyNames, { layout: "table", terminal: 80, color: true });
  expect(plainTable).not.toContain("\u001b");
  expect(colored.replaceAll(COLORS, "")).toBe(plainTable);
  // No other status than pending has a meaning that a color could show.
  for (const cell of ["33m● pending", "36mapproved", "36mrejected", "32m✓ yes"]) {
    expect(colored).toContain(`\u001b[${cell}\u001b[39m`);
  }
  expect(colored).toContain("\u001b[1mNAME\u001b[22m");
});

const of = (width: number) => "x".repeat(width);

test.each<[string, PlainObject, number, readonly number[]]>([
  ["are those of their cells if they fit", { text: of(12), other: of(11) }, 80, [12, 11]],
  ["shrink from the widest column on", { text: of(90), other: of(30) }, 72, [40, 30]],
  ["become the same if both are wide", { text: of(30), other: of(29) }, 42, [20, 20]],
  ["never cut a header", { [`head${of(12)}`]: of(2), other: of(20) }, 32, [16, 14]],
  ["shrink in text and not in ids", { text: of(60), id }, 45, [7, 36]],
  ["shrink in other text before names", { name: of(40), text: of(35) }, 40, [24, 14]],
])("the widths of columns %s", async (_, row, terminal, widths) => {
  const fields = Object.keys(row);
  const lines = linesOf(await render([row], { layout: "table", fields, terminal }));
  const start = offsetOf(lines[0] ?? "", /(?<=\S {2,})\S/);
  const first = Math.max(...lines.map((line) => line.search(/ {2}|$/)));
  expect(start - 2).toBe(widths[0]);
  expect(first).toBeLessThanOrEqual(widths[0] ?? 0);
  expect(Math.max(...lines.map((line) => line.length - start))).toBe(widths[1]);
});
