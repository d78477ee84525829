/** `import`: mappings, rows and sheets as people make them, problems with their rows, existing files, conversion, and limits. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { utils, write } from "@e965/xlsx";
import { expect, test } from "vitest";
import { MAPPING_FUNCTIONS } from "../../src/import/mapping-functions.ts";
import { IS_LONG } from "../long.ts";
import { PROVIDER_ID } from "../rig.ts";
import { workbook } from "../workbooks.ts";
import { jsonMessages, jsonRows, lines, numberedCourse } from "./helpers.ts";
import { importIn, suggested } from "./import-rig.ts";
import { readFolder } from "./pull-rig.ts";

const MAPPING = `{
  "key": id,
  "name": title,
  "url": "https://academy.example/" & id,
  "provider_id": "${PROVIDER_ID}",
  "short_description": title,
  "long_description": $plainText(text),
  "audio": $languages(lang),
  "pace": "self_paced",
  "level": $lowercase(level),
  "duration_in_hours": $hours(length),
  "video": $video(clip)
}`;

const HEADER = "id;title;text;lang;level;length;clip;other";
const ROW =
  '7;"Knit; purl";"<p>Say &quot;a&quot;</p><p>b</p>";English, pt_br;Beginner;1h 30m;https://youtu.be/dQw4w9WgXcQ;=1+1';
const IMPORT = "export.csv --map map.jsonata --out c";

/** Imports rows of an export of another system with a mapping. */
async function importExport(rows: readonly string[] = [ROW], flags = "", map = MAPPING) {
  const table = `\ufeff${[HEADER, ...rows].join("\r\n")}\r\n`;
  return await importIn({ "export.csv": table, "map.jsonata": map }, `${IMPORT}${flags}`);
}

test("import writes a course file for each row and converts texts, languages, durations and videos", async () => {
  const { r, ...ran } = await importExport();
  expect(ran).toMatchObject({ code: 0, requests: [] });
  expect(await r.read("c/knit-purl.yaml")).toBe(
    `key: "7"\nname: Knit; purl\nurl: https://academy.example/7\nshort_description: Knit; purl\nlong_description: |-\n  Say "a"\n\n  b\naudio: [en, pt-BR]\nprovider_id: ${PROVIDER_ID}\npace: self_paced\nvideo:\n  type: youtube\n  id: dQw4w9WgXcQ\nlevel: [beginner]\nduration_in_hours: 1.5\n`,
  );
  expect((await r.run("courses push c")).code).toBe(0);
});

test("import writes courses with problems, and names the source file and row of each problem", async () => {
  const rows = [ROW.replace("English", "Klingonese"), "8;;;en;;;;"];
  const ran = await importExport(rows, " --json");
  for (const said of [
    /row 2, column D \\"lang\\" .*: audio is missing.*"file":"export.csv","line":2,/,
    /row 3, column B \\"title\\": name is missing.*"file":"export.csv","line":3,/,
  ]) {
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringMatching(said) });
  }
  expect(jsonRows(ran)).toMatchObject([{ action: "create" }, { action: "create" }]);
  const counts = { rows: 2, courses: 2, rowsFailed: 0 };
  expect(jsonMessages(ran).at(-1)).toMatchObject({ counts });
});

test("import refuses a mapping that is not an expression, and prints the place and the reason first", async () => {
  const ran = await importExport([ROW], "", '{\n  "name": title,\n}');
  const message =
    'map.jsonata:3:1: error: the symbol "}" cannot be used as a unary operator [mapping]';
  expect([ran.code, lines(ran.stderr)[0]]).toEqual([3, message]);
});

test.runIf(IS_LONG)("import reports an error after 10,000 warnings, and exits with 3", async () => {
  const fields = "Sew\u200bing,Sho\u200brt.,Lo\u200bng.,en,self_paced";
  const rows = Array.from({ length: 3_335 }, (_, n) => `${LINK}${n},${PROVIDER_ID},${fields}`);
  const header = "url,provider_id,name,short_description,long_description,audio,pace";
  const table = [header, ...rows].join("\n").replace(/self_paced$/, "WRONG");
  const ran = await importIn({ "a.csv": table }, "a.csv --out a.json");
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain('error: row 3336, column G "pace"');
});

test("import gives a mapping no access to anything outside its row", async () => {
  const outside = [
    "$.constructor",
    "$.__proto__",
    "$lookup({}, 'constructor')",
    "$string.environment",
    "$eval('process')",
    "process",
    "$require",
    "globalThis",
    '($merge([{"__proto__": {"extra": 1}}]); $.extra)',
    '({} ~> |$|{"__proto__": {"extra": 1}}|; $.extra)',
    '({} ~> |constructor|{"extra": 1}|; $.extra)',
  ];
  const found = outside.map((expression) => `$exists(${expression}) ? "found" : "no"`);
  const map = `{"name": $join([${found.join(", ")}])}`;
  const ran = await importIn({ "a.csv": "id\n7\n", map }, "a.csv --map map");
  expect(ran.stdout).toBe(`- name: ${"no".repeat(outside.length)}\n`);
});

test("import changes only the files whose rows changed, and keeps comments and other fields", async () => {
  const rows = (even: string) =>
    ["Course", even, "Course", even].map((name, n) => `${n + 1};${name} ${n + 1};t;en;;;;`);
  const { r } = await importExport(rows("Course"));
  const own = "# mine\nx-note: kept # here\nfree_content: true\n";
  await r.write("c/course-2.yaml", own + (await r.read("c/course-2.yaml")));
  await r.write("export.csv", [HEADER, ...rows("Renamed")].join("\n"));
  await r.write("c/broken.yaml", "name: [");
  const changed = await r.run(`courses import ${IMPORT} --json`);
  expect([changed.code, changed.stderr]).toEqual([0, expect.stringContaining("c/broken.yaml")]);
  expect(jsonRows(changed).map(({ action, file }) => `${action} ${file}`)).toEqual([
    "unchanged c/course-1.yaml",
    "update c/course-2.yaml",
    "unchanged c/course-3.yaml",
    "update c/course-4.yaml",
  ]);
  const text = await r.read("c/course-2.yaml");
  expect([text.startsWith(own), text.includes("name: Renamed 2\n")]).toEqual([true, true]);
});

test.each(["csv", "json", "ndjson", "yaml"])(
  "import converts course files to one file of each format and back, and adds courses to this file: %s",
  async (format) => {
    const { r } = await importExport();
    const first = await r.read("c/knit-purl.yaml");
    expect((await r.run(`courses import c --out a.${format}`)).code).toBe(0);
    await r.write("more.csv", `${HEADER}\r\n${ROW.replace("7;", "8;")}\r\n`);
    const more = `courses import more.csv --map map.jsonata --out a.${format}`;
    expect((await r.run(more)).code).toBe(0);
    await r.run(`courses import a.${format} --out back`);
    const texts = Object.values(await readFolder(r, "back"));
    expect([texts.length, texts.includes(first)]).toEqual([2, true]);
    const checked = await r.run(`courses check a.${format}`);
    expect(checked.stdout).toContain("1 file, 2 courses: no problems");
  },
);

test("import writes what a file means with its default values, so that the same import again changes nothing", async () => {
  const { pace: _, audio: __, ...own } = numberedCourse(1, { level: null });
  const files = {
    "catalog.defaults.yaml": "pace: self_paced\nlevel: [beginner]\n",
    "src/catalog.defaults.yaml": "audio: [de]\n",
    "src/a.json": own,
    "out/catalog.defaults.yaml": "audio: [en]\n",
  };
  const line = "src/a.json --out out --format json";
  const { r, ...ran } = await importIn(files, line);
  const again = await r.run(`courses import ${line}`);
  expect([ran.stderr, again.stderr]).toEqual([
    expect.stringContaining("1 written"),
    expect.stringContaining("1 up to date"),
  ]);
  expect(JSON.parse(await r.read("out/course-1.json"))).toEqual({ ...own, audio: ["de"] });
});

test("import refuses HTML with 100,000 nested elements", async () => {
  const deep = "<i>".repeat(100_000) + "</b>".repeat(100_000);
  const ran = await importIn({ "deep.html": deep }, "deep.html --map schema.org");
  expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining("nested elements")]);
});

test("import --from selects the list, and import without --from explains an object with a list", async () => {
  const data = { data: { items: [{ name: "A", color: 1 }] } };
  const { r, ...ran } = await importIn({ "a.json": data }, "a.json --from data.items");
  expect(ran.stdout).toBe("- name: A\n");
  expect(ran.stderr).toContain("not a course field: color");
  const wrapped = await r.run("courses import a.json");
  const advice = "if a field has a list of courses, pass its path with --from";
  expect(wrapped).toMatchObject({ code: 3, stderr: expect.stringContaining(advice) });
  const absent = await r.run("courses import - --from data", { input: "{}" });
  expect(absent).toMatchObject({ code: 2, stderr: "error: <stdin> has no data\n" });
});

const MAP = '{"name": Title, "url": Link}';
const LINK = "https://academy.example/1";

test("import keeps the file of a course whose url became a duplicate, and does not call the course absent", async () => {
  const table = `Title,Link\nA,${LINK}\nB,${LINK}2\n`;
  const line = "a.csv --map map --out c";
  const { r } = await importIn({ "a.csv": table, map: MAP }, line);
  const written = await readFolder(r, "c");
  await r.write("a.csv", table.replace(`${LINK}2`, LINK));
  const ran = await r.run(`courses import ${line}`);
  expect(ran.stderr).toContain("the url is also in row 3");
  expect(ran.stderr).not.toContain("not in the export");
  expect(await readFolder(r, "c")).toEqual(written);
});

test("import skips title lines of a workbook and names problems and columns as the sheet shows them", async () => {
  const rows = [
    ["Courses 2027"],
    [],
    ["No.", "Title", "Picture", "Hours", "", "Hours"],
    ["1", "Knitting", "a.png", "8", "x", "9"],
  ];
  const map =
    '{"key": `No.`, "name": Title, "image_url": Picture, "duration_in_hours": $hours(Hours & " h"), "x-a": `Column E`, "x-b": `Hours (2)`}';
  const book = workbook({ Courses: rows });
  const ran = await importIn({ "a.xlsx": book, map }, "a.xlsx --map map");
  expect(ran.stdout).toBe(
    '- key: "1"\n  name: Knitting\n  image_url: a.png\n  duration_in_hours: 8\n  x-a: x\n  x-b: "9"\n',
  );
  const skipped = "a.xlsx: the header is in row 3; catalog skipped the rows above it.";
  const problem = 'a.xlsx:4:3: error: row 4, column C "Picture" ("a.png"): image_url ';
  for (const said of [skipped, problem]) expect(ran.stderr).toContain(said);
});

test("import omits a field for which the mapping fails and names the cell", async () => {
  const table = "No;Title;Price\n1;Knitting;49.90.00\n2;Purling;5\n";
  const map = `( $zero := 0; {"key": No, "name": Title, "duration_in_hours": $number(Price) + $zero} )`;
  const ran = await importIn({ "a.csv": table, map }, "a.csv --map map");
  const stdout =
    '- key: "1"\n  name: Knitting\n- key: "2"\n  name: Purling\n  duration_in_hours: 5\n';
  expect(ran).toMatchObject({ code: 3, stdout });
  expect(ran.stderr).toContain(
    `a.csv:2:12: error: row 2, column C "Price" ("49.90.00"): duration_in_hours was not imported: the mapping fails at map:1:70: unable to cast value to a number: "49.90.00" [mapping]\n`,
  );
});

test("import lists ten values that it does not understand and counts the rest, with escapes", async () => {
  const rows = ["a\u001b", ..."bcdefghijkl"].map((text) => `A;"${text}\n${text}"`);
  const text = `Name;Length\n${rows.join("\n")}\n`;
  const map = '{"name": Name, "duration_in_hours": $hours(Length)}';
  const { stderr } = await importIn({ "a.csv": text, map }, "a.csv --map map");
  expect(stderr).toMatch(
    /Length: used 0 of 12 values; not understood: "a\\u001b\\na\\u001b" \(1\), ("[b-j]\\n[b-j]" \(1\),? ){9}and 2 more\.\n/,
  );
});

test("import reports one error if a mapping finds no name and no url in any row", async () => {
  const map = '{"name": Name, "url": "", "audio": [], "pace": "self_paced"}';
  const ran = await importIn({ "a.csv": "No;Title\n1;Knitting\n", map }, "a.csv --map map");
  expect([ran.code, ran.stdout]).toEqual([3, "[]\n"]);
  expect(lines(ran.stderr)[0]).toBe(
    `a.csv:1:1: error: the mapping returns no name and no url for any row [mapping]`,
  );
});

test("import skips rows without a name and a url, lists them with their key, and names the cell of a problem", async () => {
  const text =
    "name;level;prices[0].price;key\nA;beginer;;\n;beginner;;K-2\n\n;;;\nB;;x;\nTotal: 2 courses;;;\n";
  const ran = await importIn({ "a.csv": text }, "a.csv");
  expect(ran.stderr).toContain('a.csv:2:3: error: row 2, column B "level" ("beginer"): level[0] ');
  expect(ran.stderr).toContain('row 6, column C "prices[0].price" ("x"): prices[0]');
  expect(ran.stderr).toContain(
    'Skipped 2 rows without a name and url: row 3 of a.csv ("K-2") and row 7 of a.csv ("Total: 2 courses").\n4 rows: 2 courses, 2 skipped, 0 failed.\n',
  );
});

test.each([
  ["https://academy.example/a.mp4", { type: "self_hosted", url: "https://academy.example/a.mp4" }],
  ["https://www.youtube.com/playlist?list=PLexample", undefined],
  ["https://www.youtube.com/@academy", undefined],
  ["https://drive.google.com/file/d/abc/view", undefined],
])("import reads the address of a video %s as %j", async (address, video) => {
  const files = { "a.json": [{ address }], map: '{"name": "A", "video": $video(address)}' };
  const { stdout } = await importIn(files, "a.json --map map --format json");
  expect(JSON.parse(stdout)).toEqual([{ name: "A", ...(video && { video }) }]);
});

const TABLE = [
  ["No.", "Title", "Online?"],
  ["1", "Knitting", "ja"],
];
const COVER = [["Courses 2027"], ["Author", "A. Editor"]];
const FIELDS = [["url"], ["https://a.example/"]];

test.each([
  ["with a table", { Cover: COVER, Courses: TABLE }, "Courses", "Cover"],
  ["that names a field", { First: FIELDS, Other: TABLE }, "First", "Other"],
  ["if no other sheet has a table", { First: COVER, Other: [["Notes"]] }, "First", "Other"],
])("import --suggest reads the first sheet %s, and says so", async (_, sheets, read, other) => {
  const { stderr } = await importIn({ "a.xlsx": workbook(sheets) }, "a.xlsx --suggest");
  const said = `a.xlsx: read only the sheet "${read}"; to read another one ("${other}"), pass --sheet`;
  expect(stderr).toContain(said);
});

test("import --suggest uses the links and addresses of a mixed column, and import says if a mapping does not", async () => {
  const texts = ["zum Kurs", "https://academy.example/b", "zum Kurs", "folgt", "folgt"];
  const sheet = utils.aoa_to_sheet([["Title", "Link"], ...texts.map((text) => ["A", text])]);
  for (const cell of ["B2", "B4"]) sheet[cell].l = { Target: `https://academy.example/${cell}` };
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, "Courses");
  const file: Buffer = write(book, { type: "buffer", bookType: "xlsx" });
  const { mapping, courses } = await suggested("a.xlsx", file);
  expect(mapping).toMatch(/"url": \[`Link \(link\)`, .* 2 cells without a link \*\//);
  const found = ["B2", "b", "B4"].map((name) => `https://academy.example/${name}`);
  expect(courses.map(({ url }) => url)).toEqual([...found, undefined, undefined]);
  const { stderr } = await importIn({ "a.xlsx": file, map: MAP }, "a.xlsx --map map");
  const advice = "To use the links, write `Link (link)`.\n";
  expect(stderr).toContain(`The mapping uses the texts of cells with links. ${advice}`);
  expect(stderr).not.toContain("duplicate-url");
});

test("import counts rows that give the same course once, and says which", async () => {
  const text = `Title,Link,Event\nA,${LINK},Mon\nA,${LINK},Tue\nB,${LINK}2,Mon\n`;
  const line = "a.csv --map map --out c";
  const { r, stderr: first } = await importIn({ "a.csv": text, map: MAP }, line);
  const { stderr: second } = await r.run(`courses import ${line}`);
  const said =
    "1 row is the same as row 2: row 3 of a.csv.\n3 rows: 2 courses, 1 skipped, 0 failed.";
  expect(first).toContain(`${said} Courses in files: 2 written.\n`);
  expect(second).toContain(`${said} Courses in files: 2 up to date.\n`);
});

test("import writes none of two different rows whose urls differ in a slash, and counts the others that are equal", async () => {
  const text = `Title,Link\nA,${LINK}\nA,${LINK}\nB,${LINK}/\nC,${LINK}2\nC,${LINK}2\n`;
  const { stdout, stderr } = await importIn({ "a.csv": text, map: MAP }, "a.csv --map map");
  expect(stdout).toBe(`- name: C\n  url: ${LINK}2\n`);
  const same = "2 rows are the same as earlier rows: row 3 of a.csv and row 6 of a.csv.";
  expect(stderr).toContain(`${same}\n5 rows: 1 course, 2 skipped, 2 failed.\n`);
});

test("import names files after the url, the name or the key, and not after a program of the website", async () => {
  const rows = [
    ["7", "Knitting", "course/view.php?id=7", "knitting.yaml"],
    ["8", "Purling", "course/view.php?id=8", "purling-8.yaml"],
    ["9", "Purling", "course/view.php?id=9", "purling-9.yaml"],
    ["10", "Sewing", "a/index.html", "sewing.yaml"],
    ["11", "Dyeing", "b/index.html", "dyeing.yaml"],
    ["12", "Weaving", "looms%20and%20yarn.html", "looms-and-yarn.yaml"],
    ["", "Spinning", "view.php?id=1", "spinning-id-1.yaml"],
    ["", "Spinning", "view.php?id=2", "spinning-id-2.yaml"],
  ];
  const lines = rows.map(([key, name, path]) => `${key},${name},https://academy.example/${path}\n`);
  const { r } = await importIn({ "a.csv": `key,name,url\n${lines.join("")}` }, "a.csv --out c");
  const files = rows.map(([, , , file]) => file).sort();
  expect((await readdir(join(r.folder, "c"))).sort()).toEqual(files);
});

test("the help of import lists every function of mappings", async () => {
  const { stdout } = await importIn({}, "--help");
  const listed = Array.from(stdout.matchAll(/\$(\w+)\(/g), ([, name]) => name);
  expect(listed.sort()).toEqual(Object.keys(MAPPING_FUNCTIONS).sort());
});
