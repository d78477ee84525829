/** Tables as people make them: what their cells, rows and headers mean, and one message for one cause. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CellObject, utils, type WorkSheet, write } from "@e965/xlsx";
import { expect, test } from "vitest";
// The first import bundles the reader, which takes longer than a test.
import "../../src/files/workbook.ts";
import { course, PROVIDER_ID, type Rig, rig } from "../rig.ts";
import { findings, id, jsonRows, numberedCourse, rigWith, storedCourses } from "./helpers.ts";
import { writeRequests } from "./push-files.ts";

const HEADER = "name,url,short_description,long_description,audio,provider_id,pace";

/** A row with the required fields of a course. */
function row(name: string): string {
  return `${name},https://academy.example/${name.toLowerCase()},Short.,Long.,en,${PROVIDER_ID},self_paced`;
}

/** A sheet with a header, rows of texts, and some other cells. */
function sheetOf(rows: readonly string[], cells: Record<string, CellObject> = {}): WorkSheet {
  return { ...utils.aoa_to_sheet(rows.map((each) => each.split(","))), ...cells };
}

async function writeSheet(r: Rig, sheet: WorkSheet): Promise<void> {
  const book = utils.book_new(sheet, "One");
  await r.write("c.xlsx", write(book, { type: "buffer", bookType: "xlsx" }));
}

async function copy(r: Rig, name: string): Promise<void> {
  await r.write(name, await readFile(join(import.meta.dirname, "../workbooks", name)));
}

test("check uses the address of a link whose text is not an address, and names links that it does not use", async () => {
  const r = await rig();
  await copy(r, "link-text.xlsx");
  const given = await r.run("courses check link-text.xlsx");
  expect(given.stdout).not.toContain("[url]");
  const address = "https://academy.example/k?a=1&b=ü";
  const sheet = sheetOf([HEADER, row("Knitting").replace(/,https[^,]*/, ",Open"), row("Sewing")], {
    A3: { t: "s", v: "Sewing", l: { Target: "https://academy.example/other" } },
    B2: { t: "s", v: "Open", l: { Target: address } },
    B3: { t: "s", v: "zum Kurs", f: 'HYPERLINK("https://academy.example/s","zum Kurs")' },
  });
  await writeSheet(r, sheet);
  const pushed = await r.run("courses push c.xlsx");
  expect(pushed.stderr).toContain(
    "c.xlsx: links are used only in columns of URLs, such as url, but not in column A.\n",
  );
  const urls = (await storedCourses(r)).map(({ url }) => url);
  expect(urls.sort()).toEqual([address, "https://academy.example/s"]);
});

test("check keeps the decimals that a workbook shows, and refuses digits that a formula added", async () => {
  const r = await rig();
  const header = `${HEADER},prices[0].type,prices[0].price,prices[0].currency`;
  const rows = [header, `${row("A")},single_course,x,EUR`, `${row("B")},single_course,x,EUR`];
  const price = { t: "n", v: 49.9 * 1.05, f: "49.9*1.05" } as const;
  await writeSheet(r, sheetOf(rows, { I2: { ...price, z: "0.00 €" }, I3: price }));
  const { code, stdout } = await r.run("courses check c.xlsx");
  expect(code).toBe(3);
  expect(stdout).toContain(
    'c.xlsx:3:9: error: cell I3 ("52.395"): prices[0].price must have at most 2 decimals in EUR, not "52.395"',
  );
  expect(stdout).toContain("1 error");
  const { stdout: json } = await r.run("courses import c.xlsx --format json");
  expect(JSON.parse(json)[0].prices[0].price).toBe("52.40");
});

test("import repeats the value of cells that are merged downward, and no other merged cell", async () => {
  const r = await rig();
  const rows = ["Kurse,,", "Titel,Niveau,Link", "A,beginner,a", "B,,b", "C,,c", "D,advanced,d"];
  const merges = ["A1:C1", "B3:B5"].map((area) => utils.decode_range(area));
  await writeSheet(r, { ...sheetOf(rows), "!merges": merges });
  await r.write("map", '{"name": Titel, "level": Niveau}');
  const { stdout } = await r.run("courses import c.xlsx --map map --format json");
  const levels = JSON.parse(stdout).map(({ level }: { level: string[] }) => level[0]);
  expect(levels).toEqual(["beginner", "beginner", "beginner", "advanced"]);
});

test("the cells NULL, \\N, None and NaN have no value, but in quotes they are text", async () => {
  const r = await rig();
  const words = ["NULL", "\\N", "None", "NaN"];
  const table = [`${HEADER},key`, ...words.map((word) => `${row(`"${word}"`)},${word}`)];
  await r.write("c.csv", table.join("\n"));
  await writeSheet(r, sheetOf(table));
  for (const file of ["c.csv", "c.xlsx"]) {
    const courses = jsonRows(await r.run(["courses", "import", file, "--format", "json"]));
    expect(courses.map(({ name, key }) => [name, key])).toEqual(
      words.map((word) => [word, undefined]),
    );
  }
});

test("push of a list with names that read as no value changes nothing", async () => {
  const names = ["NULL", "\\N", "None", "NaN", "null", '"None"'];
  const r = await rigWith(...names.map((name, index) => numberedCourse(index + 1, { name })));
  for (const format of ["csv", "xlsx"]) {
    const { stdout } = await r.run(["courses", "ls", "--all", "-o", format]);
    await r.write(`c.${format}`, Buffer.from(stdout, format === "csv" ? "utf8" : "latin1"));
    const diff = await r.run(`courses diff c.${format}`);
    expect(diff.stdout).toBe("Already up to date: 6 courses.\n");
  }
});

test("line breaks in cells are line feeds, and are equal to the line breaks of a web form", async () => {
  const r = await rigWith(numberedCourse(1, { long_description: "One.\r\nTwo." }));
  await r.write("c.csv", `id,long_description\r\n${id(1)},"One.\r\nTwo."\r\n`);
  const { stdout } = await r.run("courses import c.csv --format json");
  expect(JSON.parse(stdout)[0].long_description).toBe("One.\nTwo.");
  const updated = await r.run("courses update c.csv");
  expect(writeRequests(updated)).toEqual([]);
});

const SHORT = `${HEADER},image_url,key\n${row("Knitting")}\n${row("Lace")},https://academy.example/l.jpg,L1\n`;

test("check and import read cells that are missing at the end of a row as empty", async () => {
  const r = await rig();
  await r.write("c.csv", SHORT);
  expect(await r.run("courses check c.csv")).toMatchObject({ code: 0 });
  const ran = await r.run("courses import c.csv --format json");
  expect(JSON.parse(ran.stdout)).toMatchObject([{ name: "Knitting" }, { name: "Lace", key: "L1" }]);
});

test("spaces around the quotes of a cell are not part of it, and a vertical bar also separates cells", async () => {
  const r = await rig();
  const lines = [HEADER, row("Knitting").replace("Short.", "Knit | purl.")];
  const spaced = lines.map((line) => `"${line.replaceAll(",", '", "')}" \n`);
  const bars = lines.join("\n").replace(" | ", " or ").replaceAll(",", "|");
  for (const [path, text] of [
    ["spaced.csv", spaced.join("")],
    ["bars.csv", bars],
    ["bars.txt", bars],
  ] as const) {
    await r.write(path, text);
    const checked = await r.run(["courses", "check", path, "--strict"]);
    expect(checked).toMatchObject({ code: 0, stdout: "1 file, 1 course: no problems\n" });
  }
});

test("check says that a web page with the extension of a workbook is not one, and how to get one", async () => {
  const r = await rig();
  await copy(r, "export.xls");
  const { code, stdout } = await r.run("courses check export.xls");
  expect(code).toBe(3);
  expect(stdout).toContain(
    "export.xls is text or a web page: open it in Excel and save it as .xlsx",
  );
});

test("check advises --out instead of > for a workbook that Windows PowerShell damaged", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.run("courses ls --out a.xlsx");
  const bytes = await readFile(join(r.folder, "a.xlsx"));
  // The shell decodes the bytes with an old code page, and writes UTF-16 with a byte order mark.
  const text = `\ufeff${bytes.toString("latin1").replaceAll("\n", "\r\n")}`;
  await r.write("b.xlsx", Buffer.from(text, "utf16le"));
  const { code, stdout } = await r.run("courses check b.xlsx");
  expect(code).toBe(3);
  expect(stdout).toContain("b.xlsx is text or a web page: use --out instead of >");
});

test("check reports a row of a total as one problem", async () => {
  const r = await rig();
  await r.write("c.csv", `${HEADER},duration_in_hours\n${row("A")},5\n,,,,,,,5\nTotal,,,,,,,\n`);
  const { stdout } = await r.run("courses check c.csv");
  const text =
    "this row has no url and almost no other values; if it is a total or a title, delete it";
  expect(stdout.match(/error: .*/g)).toEqual([
    `error: row 3: ${text} [required]`,
    `error: row 4: ${text} [required]`,
  ]);
});

test("check reports a column of a value inside a field that a table does not have once, at the header", async () => {
  const r = await rig();
  const rows = ["A", "B", "C"].map((name) => `${row(name)},5,free`).join("\n");
  await r.write("c.csv", `${HEADER},prices[0].price,certificate.price\n${rows}\n`);
  const { stdout } = await r.run("courses check c.csv");
  const missing = stdout.split("\n").filter((line) => line.includes("has no column"));
  expect(missing.map((line) => line.replace(/^c\.csv:1:\d+: /, ""))).toEqual([
    expect.stringMatching(/^warning: cell \w1: the table has no column prices\[0\]\.type /),
    expect.stringMatching(/^error: cell \w1: the table has no column certificate\.type /),
  ]);
});

test("check --report csv gives back each cell of a table as it was written", async () => {
  const r = await rig();
  await r.write("catalog.defaults.yaml", "number_of_lessons: 3\n");
  const rows = [`${HEADER},level,prices[0].price,x-note,number_of_lessons`];
  rows.push(`${row("A")},"beginner,advanced","49,90",007,`);
  await r.write("c.csv", `${rows.join("\n")}\n`);
  await r.run("courses check c.csv --report csv=given.csv");
  const [header, given] = (await readFile(join(r.folder, "given.csv"), "utf8")).split("\r\n");
  expect(header).toBe(`problems,${rows[0]}`);
  expect(given?.endsWith(`,${rows[1]}`)).toBe(true);
});

test("check --report csv of several files has a row for each course, and all of their fields in the documented order", async () => {
  const r = await rig();
  await r.write("a.csv", `x-note,${HEADER},prices[0].price\n007,${row("A")},49\n`);
  await r.write("b.json", course({ key: "B", level: ["beginner"] }));
  await r.run("courses check a.csv b.json --report csv=given.csv");
  const [header, ...given] = (await r.read("given.csv")).trimEnd().split("\r\n");
  expect(header).toBe(`problems,key,${HEADER},prices,level,x-note`);
  expect(given).toHaveLength(2);
});

test("check reports a required column that a table does not have once, at its header", async () => {
  const r = await rig();
  await r.write("c.csv", `${HEADER}\n${row("A")}\n${row("B")}\n`.replace("name", "Titel"));
  const { stdout } = await r.run("courses check c.csv");
  expect(stdout).toContain("c.csv:1:1: error: cell A1: the table has no column name [required]");
  expect(stdout).toContain('c.csv:1:1: error: cell A1: unknown field "Titel"');
  expect(stdout).toContain("2 errors");
});

const CONFLICT = "name,url\n\n<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> spring\n";
const UNRESOLVED = "this file has an unresolved merge conflict: resolve it";
const POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
const NOT_PULLED = 'this is a pointer of Git LFS, not the file itself: run "git lfs pull"';

test.each<[name: string, line: number, message: string, text: string]>([
  ["c.yaml", 3, UNRESOLVED, CONFLICT],
  ["c.json", 3, UNRESOLVED, CONFLICT],
  ["c.csv", 3, UNRESOLVED, CONFLICT],
  ["c.yaml", 1, NOT_PULLED, POINTER],
  ["c.csv", 1, NOT_PULLED, POINTER],
  ["c.xlsx", 1, NOT_PULLED, POINTER],
])("check reports what git left in %s once, at line %i: %s", async (name, line, message, text) => {
  const r = await rig();
  await r.write(name, text);
  const { code, stdout } = await r.run(["courses", "check", name]);
  expect(code).toBe(3);
  expect(stdout).toContain(`${name}:${line}:1: error: ${message} [syntax]`);
  expect(stdout).toContain("1 error");
});

test("ls and get --excel write a byte order mark, semicolons and no cell that Excel would execute", async () => {
  const catalog = await rigWith(numberedCourse(1, { name: "=1+1; 2" }));
  const list = ["courses", "ls", "-o", "csv", "--fields", "name,provider_rating,prices"];
  const header = "name;provider_rating;prices\r\n";
  expect((await catalog.run(list)).stdout).toContain(`\r\n"=1+1; 2",`);
  const excel = await catalog.run([...list, "--excel"]);
  expect(excel.stdout).toBe(`\ufeff${header}"'=1+1; 2";;\r\n`);
  const get = ["courses", "get", id(1), "-o", "csv", "--fields", "name,provider_rating,prices"];
  expect((await catalog.run([...get, "--excel"])).stdout).toBe(excel.stdout);
});

test("check reports an unknown column once, and a missing value at its cell", async () => {
  const r = await rig();
  const rows = ["A", "B"].map((name) => `${row(name).slice(1)},x\n`);
  await r.write("c.csv", `${HEADER},levle\n${rows.join("")}`);
  const checked = await r.run("courses check c.csv --json");
  expect(checked.code).toBe(3);
  expect(findings(checked)).toMatchObject([
    { line: 1, column: 68, rule: "unknown-field", suggestion: "level" },
    { line: 2, column: 1, rule: "required" },
    { line: 3, column: 1, rule: "required" },
  ]);
});
