/** CSV, TSV and NDJSON as course files: values by the schema, positions of cells, malformed tables. */
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unprotectCell } from "../../src/base/spreadsheet-cells.ts";
import type { PlainObject } from "../../src/base/values.ts";
import { parseTable } from "../../src/files/csv.ts";
import { LineIndex, oneAt } from "../../src/files/diagnostic.ts";
import { editCourses } from "../../src/files/edit.ts";
import { formatOf, parseAs } from "../../src/files/parse.ts";
import { findCourses } from "../../src/files/parsed.ts";
import type { Row } from "../../src/files/table.ts";
import { scaleRuns } from "../long.ts";

async function courses(text: string, name = "c.csv"): Promise<unknown> {
  const { documents, problems } = await parseAs(formatOf(name), text);
  expect(problems).toEqual([]);
  return documents.flat();
}

async function problems(text: string, name = "c.csv"): Promise<string[]> {
  const parsed = await parseAs(formatOf(name), text);
  const lines = new LineIndex(text);
  return parsed.problems.map(({ message, span }) => {
    const { line, column } = lines.range(span ?? oneAt(0));
    return `${line}:${column} ${message}`;
  });
}

test("a CSV file is read as csv-parse reads it, and the span of a cell contains its text", () => {
  const cell = fc.oneof(
    fc.constantFrom("", "a", "null", 'say "x"', "1\n2", "1\r\n2", ";", ",", "é😀"),
    fc.string(),
  );
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 });
  const any = fc.record({
    rows: table,
    delimiter: fc.constantFrom(",", ";", "\t"),
    end: fc.constantFrom("\n", "\r\n"),
  });
  fc.assert(
    fc.property(any, ({ rows, delimiter, end }) => {
      const write = (text: string): string =>
        /^$|["\r\n,;\t]|^null$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
      const text = rows.map((row) => `${row.map(write).join(delimiter)}${end}`).join("");
      const read = parseTable(text, delimiter);
      expect(read.problems).toEqual([]);
      const records: string[][] = parse(text, {
        delimiter,
        relax_column_count: true,
        record_delimiter: ["\r\n", "\n"],
      });
      expect(read.rows.map(({ cells }) => cells)).toEqual(
        records.map((record) => record.map((cell) => unprotectCell(cell.replace(/\r\n?/g, "\n")))),
      );
      for (const [row, cells] of rows.entries()) {
        for (const [column, content] of cells.entries()) {
          const { start, end: stop } = read.spanOf(read.rows[row] as Row, column);
          expect(text.slice(start, stop)).toBe(write(content));
        }
      }
    }),
    { numRuns: scaleRuns(40) },
  );
});

test("CSV cells have the types of their fields, and empty cells are absent", async () => {
  const text = [
    "id,name,audio,level,published,duration_in_hours,prices[0].price,prices[0].type,video,slug",
    '7,49.90,"en, pt-BR",beginner,FALSE,\'-7.50,49.90,subscription,"{""type"":""vimeo"",""id"":""1""}",null',
    '"null","null",[],"[""beginner""]",maybe,7h,,,,',
  ].join("\n");
  expect(await courses(text)).toEqual([
    {
      id: "7",
      name: "49.90",
      audio: ["en", "pt-BR"],
      level: ["beginner"],
      published: false,
      duration_in_hours: -7.5,
      prices: [{ price: "49.90", type: "subscription" }],
      video: { type: "vimeo", id: "1" },
      slug: null,
    },
    {
      id: "null",
      name: "null",
      audio: [],
      level: ["beginner"],
      published: "maybe",
      duration_in_hours: "7h",
    },
  ]);
});

test("semicolons, CRLF, a line sep=; and empty rows of CSV are read as spreadsheets write them", async () => {
  const expected = [{ name: "A; B", url: "https://a.example" }];
  const rows = '"name";url;\r\n"A; B";https://a.example;\r\n;;\r\n\r\n';
  expect(await courses(rows)).toEqual(expected);
  expect(await courses(`sep=;\r\n${rows}`)).toEqual(expected);
  expect(await courses("name\turl\nA; B\thttps://a.example\n", "c.tsv")).toEqual(expected);
});

test.each([...`]^\\-|`])("a line sep=%s names the delimiter of a CSV file", async (sign) => {
  const text = `sep=${sign}\nname${sign}key\na.b${sign}c`;
  expect(await courses(text)).toEqual([{ name: "a.b", key: "c" }]);
});

describe("edits in place", () => {
  async function edited(name: string, text: string, ...desired: PlainObject[]): Promise<string> {
    const before = findCourses(await parseAs(formatOf(name), text));
    const replacements = desired.map((wanted, index) => {
      return { index, old: before[index]?.value, wanted };
    });
    return (await editCourses(text, formatOf(name), replacements)).text;
  }

  test("an edit of CSV changes only the cells that differ", async () => {
    const text = 'id;name;audio;prices[0].price\r\n;"a";en, de;1\r\n;b;"[""en""]";2\r\n';
    const wanted = [
      { id: "1", name: 'say "a"', audio: ["en", "pt-BR"], prices: [{ price: "1" }] },
      { name: "b", audio: ["en"], prices: [{ price: "3;5" }] },
    ];
    expect(await edited("c.csv", text, ...wanted)).toBe(
      'id;name;audio;prices[0].price\r\n1;"say ""a""";"en, pt-BR";1\r\n;b;"[""en""]";"3;5"\r\n',
    );
    // An empty cell would be an absent field.
    expect(await edited("c.csv", "name,level\na,beginner\n", { name: "a", level: [] })).toBe(
      "name,level\na,[]\n",
    );
    expect(await edited("c.csv", "name,url", { name: "a", url: "x" })).toBe("name,url\na,x\n");
    const nested = "name,prices[0].price\na,1\n";
    const currency = { name: "a", prices: [{ price: "1", currency: "EUR" }] };
    await expect(edited("c.csv", nested, currency)).rejects.toThrow("cannot edit this layout");
  });

  test("an edit of CSV adds a column at the end for a field without a column", async () => {
    const text = 'sep=;\r\nname;"url";\r\n"a;b";x;\r\n;;\r\n\r\nb;y;;';
    const wanted = [
      { name: "a;b", url: "x" },
      { name: "b", url: "y", audio: ["en", "de"], id: "1" },
    ];
    expect(await edited("c.csv", text, ...wanted)).toBe(
      'sep=;\r\nname;"url";;audio;id\r\n"a;b";x;;;\r\n;;\r\n\r\nb;y;;"en, de";1',
    );
    expect(await edited("c.tsv", "name\na", { name: "a", id: "1" })).toBe("name\tid\na\t1");
  });

  test("an edit of NDJSON changes only the line of the course", async () => {
    const text = '{"name": "a"}\n{ "name":"b", "audio": ["en"] }\n';
    expect(await edited("c.ndjson", text, { name: "a" }, { name: "c", audio: ["en"] })).toBe(
      '{"name": "a"}\n{ "name":"c", "audio": ["en"] }\n',
    );
  });
});

test("each line of NDJSON is a course, and problems have the position in their line", async () => {
  expect(await courses('{"name":"a"}\r\n\n{"name":"b"}', "c.jsonl")).toEqual([
    { name: "a" },
    { name: "b" },
  ]);
  expect(await problems('{"name":"a"}\n{"a":1,"a":2}\n{"name":', "c.ndjson")).toEqual([
    "3:9 not valid JSON: expected a value; remove the comma before a closing bracket",
    '2:8 duplicate field "a"',
  ]);
});
