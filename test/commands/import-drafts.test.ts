/** Imports as editors meet them: covers, links, statuses, equal rows and names of files, without a surprise. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { utils, write } from "@e965/xlsx";
import { expect, test } from "vitest";
import { MAPPING_FUNCTIONS } from "../../src/import/mapping-functions.ts";
import { workbook } from "../workbooks.ts";
import { rigWith } from "./helpers.ts";
import { suggested } from "./import-exports.ts";

const TABLE = [
  ["No.", "Title", "Online?"],
  ["1", "Knitting", "ja"],
  ["2", "Purling", "nein"],
];

const cover = [["Courses 2027"], [], ["As of", "12.01.2027"], ["Author", "A. Editor"]];

test("import and --suggest read the sheet with a table, and say so", async () => {
  const book = workbook({ Cover: cover, Courses: TABLE, Prices: TABLE });
  const { mapping, courses, warnings, ran } = await suggested(await rigWith(), "a.xlsx", book);
  expect(mapping).toContain('"name": Title, /* Knitting | Purling */');
  expect(courses).toMatchObject([{ name: "Knitting" }, { name: "Purling" }]);
  for (const messages of [warnings, ran.stderr]) {
    expect(messages).toContain(
      'a.xlsx: read only the sheet "Courses"; to read another one ("Cover" and "Prices"), pass --sheet',
    );
  }
});

test.each([
  [
    "that names a field",
    [
      ["url", "Price"],
      ["https://a.example/", "5"],
    ],
    "Price",
  ],
  ["if no other sheet has a table", cover, "As of"],
])("import reads the first sheet %s", async (_, first, column) => {
  const other = column === "Price" ? TABLE : [["Notes"]];
  const r = await rigWith();
  await r.write("a.xlsx", workbook({ First: first, Other: other }));
  const { stderr } = await r.run("courses import a.xlsx --suggest");
  expect(stderr).toContain('read only the sheet "First"');
});

const sheet = utils.aoa_to_sheet([
  ["Title", "Link"],
  ["A", "zum Kurs"],
  ["B", "https://academy.example/b"],
  ["C", "zum Kurs"],
  ["D", "folgt"],
  ["E", "folgt"],
]);
for (const cell of ["B2", "B4"]) sheet[cell].l = { Target: `https://academy.example/${cell}` };
const book = utils.book_new();
utils.book_append_sheet(book, sheet, "Courses");
const bytes: Buffer = write(book, { type: "buffer", bookType: "xlsx" });

test("import --suggest uses the links and addresses of a mixed column, and says how many cells have none", async () => {
  const { mapping, courses, ran } = await suggested(await rigWith(), "a.xlsx", bytes);
  expect(mapping).toMatch(/"url": \[`Link \(link\)`, .* 2 cells without a link \*\//);
  expect(courses.map(({ url }) => url)).toEqual([
    "https://academy.example/B2",
    "https://academy.example/b",
    "https://academy.example/B4",
    undefined,
    undefined,
  ]);
  expect(ran.stderr).not.toContain("[url]");
});

test("import says that a mapping does not use the links of a column, and reports each text once", async () => {
  const r = await rigWith();
  await r.write("a.xlsx", bytes);
  await r.write("map", '{"name": Title, "url": Link}');
  const { stderr } = await r.run("courses import a.xlsx --map map");
  expect(stderr).toContain(
    "The mapping uses the texts of cells with links. To use the links, write `Link (link)`.\n",
  );
  expect(stderr).not.toContain("duplicate-url");
});

test("import --suggest names the column of a status that it does not understand", async () => {
  const { mapping } = await suggested(await rigWith(), "a.xlsx", workbook({ A: TABLE }));
  expect(mapping).toContain(
    '"published": false /* ja | nein; write which of these are published, such as `Online?` = "…" */',
  );
});

const MAP = '{"name": Title, "url": Link}';

test("import counts rows that give the same course once, and says which", async () => {
  const r = await rigWith();
  await r.write(
    "events.csv",
    "Title,Link,Event\nA,https://academy.example/1,Mon\nA,https://academy.example/1,Tue\nB,https://academy.example/2,Mon\n",
  );
  await r.write("map", MAP);
  const words = "courses import events.csv --map map --out c".split(" ");
  for (const counts of ["2 written", "2 up to date"]) {
    const { stderr } = await r.run(words);
    expect(stderr).toContain("1 row is the same as row 2: row 3 of events.csv.\n");
    expect(stderr).toContain(
      `3 rows: 2 courses, 1 skipped, 0 failed. Courses in files: ${counts}.\n`,
    );
  }
  expect(await readdir(join(r.folder, "c"))).toHaveLength(2);
});

test("import writes none of two different rows whose urls differ in a slash, and counts the others that are equal", async () => {
  const r = await rigWith();
  const link = "https://academy.example/1";
  await r.write("a.csv", `Title,Link\nA,${link}\nA,${link}\nB,${link}/\nC,${link}2\nC,${link}2\n`);
  await r.write("map", MAP);
  const { stdout, stderr } = await r.run("courses import a.csv --map map");
  expect(stdout).toBe(`- name: C\n  url: ${link}2\n`);
  expect(stderr).toContain(
    "2 rows are the same as earlier rows: row 3 of a.csv and row 6 of a.csv.",
  );
  expect(stderr).toContain("5 rows: 1 course, 2 skipped, 2 failed.\n");
});

test("import names files after the url, the name or the key, and not after a program of the website", async () => {
  const r = await rigWith();
  const rows = [
    ["7", "Knitting", "https://academy.example/course/view.php?id=7"],
    ["8", "Purling", "https://academy.example/course/view.php?id=8"],
    ["9", "Purling", "https://academy.example/course/view.php?id=9"],
    ["10", "Sewing", "https://academy.example/a/index.html"],
    ["11", "Dyeing", "https://academy.example/b/index.html"],
    ["12", "Weaving", "https://academy.example/looms.html"],
    ["", "Spinning", "https://academy.example/view.php?id=1"],
    ["", "Spinning", "https://academy.example/view.php?id=2"],
  ];
  await r.write("a.csv", `key,name,url\n${rows.map((row) => row.join(",")).join("\n")}\n`);
  await r.run("courses import a.csv --out c");
  expect(await readdir(join(r.folder, "c"))).toEqual([
    ...["dyeing.yaml", "knitting.yaml", "looms.yaml"],
    ...["purling-8.yaml", "purling-9.yaml", "sewing.yaml"],
    ...["spinning-id-1.yaml", "spinning-id-2.yaml"],
  ]);
});

test("the help of import lists every function of mappings", async () => {
  const { stdout } = await (await rigWith()).run("courses import --help");
  const listed = Array.from(stdout.matchAll(/\$(\w+)\(/g), ([, name]) => name);
  expect(listed.sort()).toEqual(Object.keys(MAPPING_FUNCTIONS).sort());
});
