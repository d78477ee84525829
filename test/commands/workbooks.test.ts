/** Excel workbooks as course files: what is read, and which cells are refused. */
import { utils, write } from "@e965/xlsx";
import { expect, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { course, rig } from "../rig.ts";
import { pack, rowXml, stylesXml, workbook, workbookParts } from "../workbooks.ts";

const HEADER = Object.keys(course());

/** The cells of a course. */
function cells(name: string): string[] {
  const url = `https://academy.example/${name.toLowerCase()}`;
  return Object.values(course({ name, url })).map(String);
}

async function check(bytes: Buffer, ...flags: string[]) {
  const r = await rig();
  await r.write("c.xlsx", bytes);
  const { code, stdout, stderr } = await r.run(["courses", "check", "c.xlsx", ...flags]);
  return { code, stdout, stderr };
}

/** The check of a workbook whose second row has another cell after those of a course. */
async function checkCell(name: string, cell: string, attributes = "") {
  const rows = rowXml(1, [...HEADER, name]) + rowXml(2, [...cells("Knitting"), cell], attributes);
  return await check(pack(workbookParts(rows)));
}

test("push and diff read a workbook of another program like a CSV file", async () => {
  const r = await rig();
  const prices = [...HEADER, "prices[0].type", "prices[0].price", "prices[0].currency"];
  const row = [...cells("Knitting"), "single_course", 49.9, "EUR"];
  await r.write("c.xlsx", workbook({ Courses: [prices, row, [...cells("Sewing")]] }));
  const pushed = await r.run("courses push c.xlsx");
  expect(pushed).toMatchObject({ code: 0 });
  const { stdout } = await r.run("courses ls --json --fields name,prices");
  expect(JSON.parse(stdout)).toMatchObject([
    { name: "Knitting", prices: [{ price: "49.9", currency: "EUR" }] },
    { name: "Sewing", prices: null },
  ]);
  expect(await r.run("courses diff c.xlsx")).toMatchObject({ code: 0 });
});

test("check names the cell, its value, and the row and column for a problem in a workbook, and the row of another course", async () => {
  const wrong = [...cells("Knitting").slice(0, 6), "fast"];
  const found = await check(workbook({ One: [HEADER, [], wrong, cells("Knitting")] }));
  expect(found.code).toBe(3);
  expect(found.stdout).toContain(
    'c.xlsx:3:7: error: cell G3 ("fast"): pace must be self_paced or instructor_paced',
  );
  expect(found.stdout).toContain("same url as the course at c.xlsx:3 [duplicate-url]");
});

test("check drops digits of floating point from numbers, and reports amounts that became dates as dates", async () => {
  const found = await checkCell("duration_in_hours", '<c r="H2"><v>1.1000000000000001</v></c>');
  expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining("no problems") });
  const dates = workbook({
    One: [
      [...HEADER, "certificate.price"],
      [...cells("Knitting"), new Date(Date.UTC(2027, 4, 3))],
    ],
  });
  expect((await check(dates)).stdout).toContain(
    'cell H2 ("2027-05-03"): certificate.price must be',
  );
});

test.each([
  ["the built-in format of text", 49, "", "no problems"],
  ["the built-in format of exponents", 48, "", "no problems"],
  ["the built-in format of dates", 14, "", 'cell H2 ("1900-04-14 12:00")'],
  ["the built-in format of minutes", 47, "", 'cell H2 ("1900-04-14 12:00")'],
  ["a format that SheetJS does not support", 164, "#,##0.00-", "no problems"],
  ["another format that SheetJS does not support", 164, "[$CHF] #,##0.-", "no problems"],
])("check reads a number in %s", async (_, id, format, found) => {
  const header = [...HEADER, "duration_in_hours"];
  const row = [...cells("Knitting"), '<c r="H2" s="0"><v>105.5</v></c>'];
  const parts = workbookParts(rowXml(1, header) + rowXml(2, row));
  const { stdout } = await check(pack({ ...parts, "xl/styles.xml": stylesXml(id, format) }));
  expect(stdout).toContain(found);
});

test("check reports error cells and formulas without a result with their cells, only in columns that are fields", async () => {
  const error = 't="e"><f>1/0</f><v>#DIV/0!</v></c>';
  const rows = [
    rowXml(1, [...HEADER, "key", "x-note"]),
    rowXml(2, [...cells("A"), `<c r="H2" ${error}`, `<c r="I2" ${error}`]),
    rowXml(3, [...cells("B"), '<c r="H3"><f>A1</f><v></v></c>']),
    rowXml(4, [...cells("C"), '<c r="H4" t="str"><f>""</f><v></v></c>']),
  ];
  const { code, stdout } = await check(pack(workbookParts(rows.join(""))));
  expect([code, stdout.match(/^c\.xlsx:\d:8: error: cell \w+: [^:]*/gm)]).toEqual([
    3,
    [2, 3].map((row) => {
      return `c.xlsx:${row}:8: error: cell H${row}: the cell contains an error, or a formula without a saved result`;
    }),
  ]);
  expect(stdout).toContain("2 errors");
});

test("check reads hidden rows", async () => {
  const { stdout } = await checkCell("number_of_lessons", "many", 'hidden="1"');
  expect(stdout).toContain("c.xlsx:2:8: error: cell H2");
});

test("check reads the first visible sheet, other sheets with --sheet, and refuses an unknown sheet", async () => {
  const two = workbook({ "Kurse 2027": [HEADER, cells("Knitting")], Other: [["x"], ["y"]] });
  const first = await check(two);
  expect(first).toMatchObject({ code: 0 });
  expect(first.stderr).toBe(
    'c.xlsx: read only the sheet "Kurse 2027"; to read another one ("Other"), pass --sheet.\n',
  );
  expect(await check(two, "--sheet", "Other")).toMatchObject({ code: 3 });
  const missing = await check(two, "--sheet", "2028");
  expect(missing).toMatchObject({ code: 3 });
  expect(missing.stdout).toContain('c.xlsx has no sheet "2028", only "Kurse 2027" and "Other"');
});

test("check does not read a hidden sheet", async () => {
  const book = utils.book_new(utils.aoa_to_sheet([["x"], ["y"]]), "Secret");
  utils.book_append_sheet(book, utils.aoa_to_sheet([HEADER, cells("Knitting")]), "One");
  utils.book_set_sheet_visibility(book, 0, 2);
  const hidden = write(book, { type: "buffer", bookType: "xlsx" });
  expect(await check(hidden)).toMatchObject({ code: 0, stderr: "" });
});

test("import reads null as empty, quoted null as text, and line breaks of a workbook as line feeds", async () => {
  const r = await rig();
  const parts = workbookParts(
    rowXml(1, [...HEADER, "key", "certificate"]) +
      rowXml(2, [...cells("Knitting").with(3, "a_x000D__x000A_b"), '"null"', "null"]),
  );
  await r.write("c.xlsx", pack(parts));
  const { stdout } = await r.run("courses import c.xlsx --format ndjson");
  expect(JSON.parse(stdout)).toMatchObject({ key: "null", long_description: "a\nb" });
});

/** Names as the XML of a workbook has them, and what they mean. */
const NAMES = [
  ["A &amp; B &#228; &#x1F393; &#x20bb7;", "A & B ä \u{1f393} \u{20bb7}"],
  ["<![CDATA[\u{1f393} \u{20bb7}]]>", "\u{1f393} \u{20bb7}"],
  ["_xD83C__xDF93_ _xD842__xDFB7_", "\u{1f393} \u{20bb7}"],
  ["'=1+1", "=1+1"],
  ["''=1+1", "'=1+1"],
  ["'tis", "'tis"],
] as const;

test("import reads the texts of a workbook in every spelling, without the apostrophe before a formula", async () => {
  const r = await rig();
  const rows = NAMES.map(([written], index) =>
    rowXml(index + 2, [written, ...cells(`x${index}`).slice(1)]),
  );
  await r.write("c.xlsx", pack(workbookParts(rowXml(1, HEADER) + rows.join(""))));
  const { stdout } = await r.run("courses import c.xlsx --format json");
  expect(JSON.parse(stdout)).toMatchObject(NAMES.map(([, name]) => ({ name })));
});

const DAMAGED =
  "c.xlsx:1:1: error: cannot read the workbook c.xlsx: it is damaged, password-protected or not a workbook (";
test.each([
  ["the parts of another format", pack({ "word/document.xml": "<a/>" })],
  ["a missing sheet", pack({ ...workbookParts(""), "xl/worksheets/sheet1.xml": "" })],
  ["a damaged archive", pack(workbookParts("")).subarray(0, 200)],
  ["a row beyond the last one", pack(workbookParts(rowXml(99_999_999_999, ["a"])))],
  ["a document type", pack({ ...workbookParts(""), "xl/styles.xml": "<!DOCTYPE a><a/>" })],
])("check refuses a workbook with %s, with a sentence and advice", async (_, bytes) => {
  const stdout = expect.stringContaining(DAMAGED);
  expect(await check(bytes)).toEqual({ code: 3, stdout, stderr: "" });
});

test.each(["xls", "ods", "xlsb"] as const)(
  "import reads a workbook in the format .%s that is named",
  async (type) => {
    const r = await rig();
    const sheet = utils.aoa_to_sheet([
      [...HEADER, "key", "duration_in_hours"],
      [...cells("Knitting"), "K", 1.5],
    ]);
    sheet.H2 = { t: "n", v: 123, z: "00000" };
    const book = utils.book_new(sheet, "One");
    await r.write(`c.${type}`, write(book, { type: "buffer", bookType: type }));
    const ran = await r.run(`courses import c.${type} --format json`);
    expect(JSON.parse(ran.stdout)).toMatchObject([{ key: "00123", duration_in_hours: 1.5 }]);
  },
);

test("check refuses a workbook that unpacks to more than 64 MiB, and one that unpacks to more than it declares", async () => {
  const bytes = pack(workbookParts(rowXml(1, HEADER) + rowXml(2, cells("Knitting"))));
  const at = bytes.lastIndexOf("xl/worksheets/sheet1.xml");
  // In the directory of the archive, the size is 22 bytes before the name.
  const bomb = Buffer.from(bytes);
  bomb.writeUInt32LE(65 * 1024 * 1024, at - 22);
  expect((await check(bomb)).stdout).toContain("c.xlsx is larger than 64 MiB when unpacked");
  const liar = Buffer.from(bytes);
  liar.writeUInt32LE(10, at - 22);
  expect((await check(liar)).stdout).toContain("error: c.xlsx contains no course");
});

test.runIf(IS_LONG)(
  "check counts the empty cells before a cell as values, so that a small workbook cannot fill memory",
  async () => {
    const rows = Array.from(
      { length: 310 },
      (_, index) => `<row r="${index + 2}"><c r="XFD${index + 2}"><v>1</v></c></row>`,
    );
    const { code, stdout } = await check(pack(workbookParts(rowXml(1, HEADER) + rows.join(""))));
    expect(code).toBe(3);
    expect(stdout).toContain("too many values (over 5,000,000): split the file");
    const far = workbookParts(rowXml(1, HEADER) + rowXml(1_048_576, cells("Knitting")));
    expect(await check(pack(far))).toMatchObject({ code: 0 });
  },
);

test("check accepts a workbook with a number format of a million characters in 1,000 styles", async () => {
  const code = `0${"[".repeat(1_000_000)}`;
  const styles = stylesXml(164, code).replace("<xf", `${'<xf numFmtId="164"/>'.repeat(1000)}<xf`);
  const parts = workbookParts(rowXml(1, HEADER) + rowXml(2, cells("Knitting")));
  expect(await check(pack({ ...parts, "xl/styles.xml": styles }))).toMatchObject({ code: 0 });
});
