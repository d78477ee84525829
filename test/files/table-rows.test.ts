/** Tables of other systems: their header, the names of their columns, and the numbers of their rows. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTable } from "../../src/files/csv.ts";
import { oneAt } from "../../src/files/diagnostic.ts";
import { tableRows } from "../../src/files/rows.ts";
import type { Table } from "../../src/files/table.ts";
import { scaleRuns } from "../long.ts";

function read(text: string) {
  const { rows, columns, notices = [], problems } = tableRows(parseTable(text));
  return { names: [...(columns?.keys() ?? [])], rows, notices, problems };
}

const TITLES = "Courses 2027;;;;\nFrom 12 January;;;;\n;;;;\n";
const TABLE = "No.;Title;Hours;Price;Link\n1;Excel;8;49,90;https://a.example/1\n";

test.each([
  ["in the first row", TABLE, 1, []],
  ["below title lines", TITLES + TABLE, 4, ["row 4; catalog skipped the rows above it"]],
  ["below a title", `Courses;;;;\n${TABLE}`, 2, ["row 2"]],
  ["below a title with two values", `Courses;2027;;;\n${TABLE}`, 2, ["row 2"]],
  ["below a title without a delimiter", `Courses 2027\n${TABLE}`, 2, ["row 2"]],
  ["below a title with another delimiter", `Courses, 2027\n\n${TABLE}`, 3, ["row 3"]],
  ["below empty rows, which need no notice", `;;;;\n\n${TABLE}`, 3, []],
  ["after a line with the delimiter", `sep=;\r\n${TITLES}${TABLE}`, 4, ["row 4"]],
])("the header of another system's table is found %s", (_, text, number, notices) => {
  const found = read(text);
  expect(found.names).toEqual(["No.", "Title", "Hours", "Price", "Link"]);
  expect(found.rows.map((row) => row.number)).toEqual([number + 1]);
  expect(found.notices).toEqual(notices.map((notice) => expect.stringContaining(notice)));
});

test.each([
  ["of one column", "name\nA; B; C\nD, E, F\n", ["name"]],
  ["of two columns", "Title;\nExcel;Tables\n", ["Title", "Column B"]],
  ["with a field of courses", "name;;\nA;B;C\n", ["name", "Column B", "Column C"]],
  ["whose rows have few values", "a;b;c;d\nx;;;\ny;;;\n", ["a", "b", "c", "d"]],
  ["without rows", "a;b;c\n", ["a", "b", "c"]],
])("the header is the first row of a table %s", (_, text, names) => {
  expect(read(text).names).toEqual(names);
});

test("equal names of columns get a number, and a column without a name gets its letter", () => {
  const found = read("Price;Price;;Price (2); ;Price\n1;2;3;4;;6\n");
  expect(found.rows[0]?.value).toEqual({
    Price: "1",
    "Price (2)": "2",
    "Column C": "3",
    "Price (2) (2)": "4",
    "Price (3)": "6",
  });
  expect(found.problems).toEqual([]);
});

test("a row with more cells than the header is a problem, and missing cells at its end are empty", () => {
  const found = read("a;b;c\n1;2\n3;4;5;6\nSection\n7;8;9\n");
  expect(found.problems.map(({ message }) => message)).toEqual([
    expect.stringContaining("this row has 4 cells, but the header has 3"),
  ]);
  expect(found.rows.map(({ number, value }) => [number, value])).toEqual([
    [2, { a: "1", b: "2" }],
    [4, { a: "Section" }],
    [5, { a: "7", b: "8", c: "9" }],
  ]);
});

test("rows of a sheet may be shorter and longer than the header", async () => {
  const row = (number: number, ...cells: string[]) => ({ number, cells });
  const sheet: Table = {
    rows: [row(1, "Courses"), row(4, "a", "b", "c"), row(5, "1"), row(9, "2", "", "3", "4")],
    spanOf: ({ number }, column) => oneAt(number * 10 + column),
    problems: [],
  };
  const { rows, notices = [] } = tableRows(sheet);
  expect(rows.map(({ number, value }) => [number, value])).toEqual([
    [5, { a: "1" }],
    [9, { a: "2", c: "3", "Column D": "4" }],
  ]);
  expect(notices[0]).toContain("the header is in row 4; catalog skipped the rows above it");
  expect(await rows[1]?.span("c")).toEqual({ start: 92, end: 93 });
});

test("rows have the numbers that a spreadsheet shows, with any cells", () => {
  const cell = fc.constantFrom("", "x", "a\nb", "a\r\nb\n", '"', ";", " ");
  const row = fc.oneof(fc.constant([]), fc.array(cell, { minLength: 2, maxLength: 2 }));
  const property = fc.property(
    fc.array(row, { maxLength: 8 }),
    fc.constantFrom("\n", "\r\n", "\r"),
    (rows, lineEnd) => {
      const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
      const lines = [["name", "url"], ...rows].map((cells) => cells.map(quote).join(";"));
      const numbers = rows.flatMap((cells, index) =>
        cells.every((each) => each.trim() === "") ? [] : [index + 2],
      );
      const found = tableRows(parseTable(lines.join(lineEnd), ";"));
      expect(found.rows.map(({ number }) => number)).toEqual(numbers);
    },
  );
  fc.assert(property, { numRuns: scaleRuns(100) });
});
