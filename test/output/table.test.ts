import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import type { PlainObject } from "../../src/base/values.ts";
import { anyCharacter } from "../any-character.ts";
import { scaleRuns } from "../long.ts";
import { COLORS, courseRow, HOSTILE, NAMES, render, UNSAFE } from "./rig.ts";

const WIDTHS = [40, 60, 80, 200];

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

describe.each(WIDTHS)("tables at %i columns", (terminal) => {
  test(`a table fits ${terminal} columns and aligns its columns in every script`, async () => {
    const lines = linesOf(await render(manyNames, { layout: "table", terminal }));
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(terminal);
    expect(lines).toHaveLength(manyNames.length + 1);
    const signs = lines.slice(1).map((line) => offsetOf(line, /[✓✗]/));
    expect(new Set(signs).size).toBe(1);
    expect(signs[0]).toBe(offsetOf(lines[0] ?? "", /PUB/));
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

describe("ids in a table", () => {
  const id = String(courseRow().id);
  const header = async (row: PlainObject, terminal: number, more = {}) =>
    linesOf(await render([courseRow(row)], { layout: "table", terminal, ...more }))[0];

  test("ids are complete and last in a table where every name is complete or has 24 columns", async () => {
    const [header, ...lines] = linesOf(await render(manyNames, { layout: "table", terminal: 80 }));
    expect(header).toMatch(/^NAME {22}PUBL… +APPROVAL +ID$/);
    for (const line of lines) expect(line).toMatch(new RegExp(`\\S {2,}${id}$`));
  });

  test("ids are omitted from a table where they would shorten a name to less than 24 columns", async () => {
    for (const terminal of [12, 40, 79]) {
      const table = await render(manyNames, { layout: "table", terminal });
      expect(table).not.toContain("ID\n");
      expect(table).not.toContain(id.slice(0, 3));
      expect(linesOf(table)).toHaveLength(manyNames.length + 1);
    }
  });

  test("ids are shown next to short names at any width that has space for both", async () => {
    expect(await header({ name: "Knitting" }, 64)).toMatch(/ID$/);
    expect(await header({ name: "Knitting" }, 63)).not.toMatch(/ID$/);
  });

  test("ids stay at the place that --fields gives them", async () => {
    const fields = ["id", "approval_status", "name"];
    const shown = async (terminal: number) =>
      linesOf(await render([courseRow()], { layout: "table", fields, terminal }));
    expect(await shown(80)).toEqual([
      `ID${" ".repeat(36)}APPROVAL   NAME`,
      `${id}  ● pending  Knitting for Beginners`,
    ]);
    expect((await shown(60))[1]).toBe(`${id}  ● pending  Knitting f…`);
    expect((await shown(50))[1]).toBe(`${id}  ● pending  …`);
  });
});

test("a table of hundreds of rows is aligned from the first to the last row", async () => {
  const given = Array.from({ length: 450 }, (_, index) => manyNames[index % 11] ?? {});
  const [, ...lines] = linesOf(await render(given, { layout: "table", terminal: 120 }));
  expect(lines).toHaveLength(450);
  expect(new Set(lines.map((line) => offsetOf(line, /[✓✗]/))).size).toBe(1);
});

test("a table shortens the widest text column first", async () => {
  const row = { id: "1", name: "short name", url: "https://academy.example/".padEnd(90, "x") };
  const columns = ["id", "name", "url"];
  const table = await render([row], { layout: "table", columns, terminal: 60 });
  expect(linesOf(table)[1]).toMatch(/^short name {2}https:\/\/academy\.example\/x+… {2}1$/);
  expect(stringWidth(linesOf(table)[1] ?? "")).toBe(60);
});

test("a table off a terminal cuts nothing and has the columns of the other formats", async () => {
  const name = "x".repeat(500);
  const [header, line] = linesOf(await render([courseRow({ name })], { layout: "table" }));
  expect(header).toMatch(/^ID +NAME +PUBLISHED {2}APPROVAL_STATUS$/);
  expect(line).toContain(name);
});

test("a table shows symbols next to words, and a dash for null", async () => {
  const given = [
    courseRow({ published: true, approval_status: "pending" }),
    courseRow({ published: false, approval_status: "approved", name: null }),
    courseRow({ published: null, approval_status: "on hold" }),
  ];
  const [header, ...lines] = linesOf(await render(given, { layout: "table", terminal: 120 }));
  expect(header).toMatch(/^NAME +PUBLISHED {2}APPROVAL +ID$/);
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
    error: { kind: "refused", message: "url is blank" },
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
  const options = {
    layout: "table",
    columns: ["id", "file", "error"],
    optional: ["file", "error"],
  };
  const given = [{ id: "1", error: null }, { id: "2" }];
  const table = (some: readonly PlainObject[], more = {}) =>
    render(some, { ...options, layout: "table", ...more });
  expect(await table(given)).toBe("ID\n1\n2\n");
  expect(linesOf(await table([...given, { id: "3", file: "a.yaml" }]))).toEqual([
    "ID  FILE",
    "1   –",
    "2   –",
    "3   a.yaml",
  ]);
  expect(linesOf(await table(given, { fields: ["id", "file"] }))[0]).toBe("ID  FILE");
});

test("times in a table are shown to the minute on a terminal, and unchanged elsewhere", async () => {
  const time = "2026-01-10T12:00:30.123456+00:00";
  const options = { layout: "table", columns: ["last_fetched_at", "name"] } as const;
  const given = [{ last_fetched_at: time, name: time }];
  expect(linesOf(await render(given, { ...options, terminal: 80 }))[1]).toBe(
    `${time}  2026-01-10 12:00`,
  );
  expect(linesOf(await render(given, options))[1]).toBe(`${time}  ${time}`);
});

test("a table with many columns shortens text before ids", async () => {
  const row = courseRow({ url: "https://academy.example/knitting" });
  const fields = ["id", "name", "url", "published", "approval_status", "prices"];
  const lines = linesOf(await render([row], { layout: "table", fields, terminal: 80 }));
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(80);
  const cells = lines[1]?.split(/ {2,}/) ?? [];
  expect(cells).toHaveLength(fields.length);
  expect(cells[0]).toBe(row.id);
  for (const cell of cells) expect(stringWidth(cell)).toBeGreaterThanOrEqual(5);
});

test("a table shows lists and objects as compact JSON", async () => {
  const table = await render([{ a: { b: [1, null] } }], { layout: "table", columns: ["a"] });
  expect(table).toBe('A\n{"b":[1,null]}\n');
});

test("a table has the same layout with and without color", async () => {
  const plainTable = await render(manyNames, { layout: "table", terminal: 80 });
  const colored = await render(manyNames, { layout: "table", terminal: 80, color: true });
  expect(plainTable).not.toContain("\u001b");
  expect(colored.replaceAll(COLORS, "")).toBe(plainTable);
  expect(colored).toContain("\u001b[33m● pending\u001b[39m");
  // No other status has a meaning that a color could show.
  for (const status of ["approved", "rejected"]) {
    expect(colored).toContain(`\u001b[36m${status}\u001b[39m`);
  }
  expect(colored).toContain("\u001b[32m✓ yes\u001b[39m");
  expect(colored).toContain("\u001b[1mNAME\u001b[22m");
});

test("a table escapes control characters in names", async () => {
  const given = [courseRow({ name: HOSTILE }), courseRow({ name: "\u001b[31m".repeat(40) })];
  for (const terminal of [40, 80, 400]) {
    const table = await render(given, { layout: "table", terminal });
    expect(table).not.toMatch(UNSAFE);
    expect(linesOf(table)).toHaveLength(3);
  }
});

test("a table of a thousand rows is printed within seconds", async () => {
  const given = Array.from({ length: 1000 }, (_, index) => manyNames[index % 11] ?? {});
  const table = await render(given, { layout: "table", terminal: 100 });
  expect(linesOf(table)).toHaveLength(1001);
}, 20_000);

describe("the widths of columns", () => {
  const id = String(courseRow().id);
  const of = (width: number) => "x".repeat(width);

  test.each<[string, PlainObject, number, readonly number[]]>([
    ["are those of their cells if they fit", { text: of(12), other: of(11) }, 80, [12, 11]],
    ["shrink from the widest column on", { text: of(90), other: of(30) }, 72, [40, 30]],
    ["become the same if both are wide", { text: of(30), other: of(29) }, 42, [20, 20]],
    ["shrink in headers before text", { [`head${of(26)}`]: of(9), other: of(20) }, 32, [10, 20]],
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
});

test("a table has columns for fields that are named like inherited properties", async () => {
  const fields = ["constructor", "toString", "__proto__", "id"];
  const rows = [JSON.parse('{"id":"1","constructor":"a","toString":"b","__proto__":"c"}')];
  const text = await render(rows, { layout: "table", terminal: 80, fields });
  expect(text.split("\n")[0]).toMatch(/^CONSTRUCTOR +TOSTRING +__PROTO__ +ID$/);
  expect(text).toMatch(/^a +b +c +1$/m);
});
