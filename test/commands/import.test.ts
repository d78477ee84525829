/** `import`: mappings, rows and sheets as people make them, problems with their rows, existing files, conversion, and limits. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { utils, write } from "@e965/xlsx";
import { expect, test } from "vitest";
import { MAPPING_FUNCTIONS } from "../../src/import/mapping-functions.ts";
import { IS_LONG } from "../long.ts";
import { PROVIDER_ID, type Rig } from "../rig.ts";
import { workbook } from "../workbooks.ts";
import { rigWith } from "./helpers.ts";
import { GERMAN_LIST, suggested } from "./import-exports.ts";
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

async function rigWithExport(rows = `${HEADER}\r\n${ROW}\r\n`): Promise<Rig> {
  const r = await rigWith();
  await r.write("export.csv", `\ufeff${rows}`);
  await r.write("map.jsonata", MAPPING);
  return r;
}

/** Imports in a folder with these files. */
async function importIn(files: Readonly<Record<string, string | Buffer | object>>, line: string) {
  const r = await rigWith();
  for (const [name, content] of Object.entries(files)) await r.write(name, content);
  return { r, ...(await r.run(`courses import ${line}`)) };
}

const IMPORT = ["courses", "import", "export.csv", "--map", "map.jsonata", "--out", "c"];

test("import writes a course file for each row and converts texts, languages, durations and videos", async () => {
  const r = await rigWithExport();
  expect(await r.run(IMPORT)).toMatchObject({ code: 0, requests: [] });
  expect(await r.read("c/knit-purl.yaml")).toBe(
    `key: "7"\nname: Knit; purl\nurl: https://academy.example/7\nshort_description: Knit; purl\nlong_description: |-\n  Say "a"\n\n  b\naudio: [en, pt-BR]\nprovider_id: ${PROVIDER_ID}\npace: self_paced\nvideo:\n  type: youtube\n  id: dQw4w9WgXcQ\nlevel: [beginner]\nduration_in_hours: 1.5\n`,
  );
  expect((await r.run("courses push c")).code).toBe(0);
});

test.each([
  [HEADER, 0],
  [`${HEADER}\r\n${ROW}\r\n`, 1],
])("import without --out counts the rows of %j in its last line: %i", async (rows, courses) => {
  const r = await rigWithExport(rows);
  const ran = await r.run([...IMPORT.slice(0, 5), "--json"]);
  const last = JSON.parse(ran.stderr.trimEnd().split("\n").at(-1) ?? "");
  expect([ran.code, last.counts]).toMatchObject([0, { rows: courses, courses, rowsFailed: 0 }]);
});

test("import exits with 3 for a folder without courses", async () => {
  const ran = await importIn({ "empty/.keep": "" }, "empty");
  expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining("contains no course")]);
});

test("import writes courses with problems, and names the source file and row of each problem", async () => {
  const r = await rigWithExport(
    `${HEADER}\r\n${ROW.replace("English", "Klingonese")}\r\n8;;;en;;;;\r\n`,
  );
  const ran = await r.run([...IMPORT, "--json"]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toMatch(
    /row 2, column D \\"lang\\" .*: audio is missing.*"file":"export.csv","line":2,/,
  );
  expect(ran.stderr).toMatch(
    /row 3, column B \\"title\\": name is missing.*"file":"export.csv","line":3,/,
  );
  expect(JSON.parse(ran.stdout)).toMatchObject([{ action: "create" }, { action: "create" }]);
});

test.each([
  ['{"name": title', 'map.jsonata:1:14: error: expected "}" before end of expression'],
  ['{"name" title}', 'map.jsonata:1:13: error: expected ":", got "title"'],
  [
    '{\n  "name": title,\n}',
    'map.jsonata:3:1: error: the symbol "}" cannot be used as a unary operator',
  ],
])(
  "import refuses the mapping %s, and prints the place and the reason first",
  async (text, message) => {
    const r = await rigWithExport();
    await r.write("map.jsonata", text);
    const ran = await r.run(IMPORT);
    expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining(`${message} [mapping]\n`)]);
  },
);

test("import gives a mapping no access to anything outside its row", async () => {
  const r = await rigWithExport();
  const outside = [
    "$.constructor",
    "$.__proto__",
    "$lookup({}, 'constructor')",
    "$string.constructor",
    "$string.environment",
    "$eval('process')",
    "process",
    "$process",
    "$require",
    "globalThis",
    '($merge([{"__proto__": {"extra": 1}}]); $.extra)',
    '({} ~> |$|{"__proto__": {"extra": 1}}|; $.extra)',
    '({} ~> |constructor|{"extra": 1}|; $.extra)',
  ];
  const found = outside.map((expression) => `$exists(${expression}) ? "found" : "no"`);
  await r.write("map.jsonata", `{"name": $join([${found.join(", ")}])}`);
  const ran = await r.run("courses import export.csv --map map.jsonata");
  expect(ran.stdout).toBe(`- name: ${"no".repeat(outside.length)}\n`);
});

test("import --suggest prints a mapping that import accepts", async () => {
  const r = await rigWithExport();
  const { stdout, code } = await r.run("courses import export.csv --suggest");
  expect(code).toBe(0);
  expect(stdout).toContain('"audio": $languages(lang)');
  expect(stdout).toContain('"long_description": $plainText(text)');
  await r.write("map.jsonata", stdout);
  const ran = await r.run("courses import export.csv --map map.jsonata");
  expect(ran.stdout).toContain("audio: [en, pt-BR]");
});

test("import names a file after the end of the url, and writes a number in a field of text as text", async () => {
  const rows = [{ title: 1984, url: "https://a.example/c/knit%20scarfs.html" }];
  const map = '{"name": title, "url": url}';
  const { r } = await importIn({ "rows.json": rows, map }, "rows.json --map map --out c");
  expect(await r.read("c/knit-scarfs.yaml")).toContain('name: "1984"\n');
});

test("import changes only the files whose rows changed, and keeps comments and other fields", async () => {
  const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
  const isChanged = (n: number): boolean => [2, 4, 5, 9, 12].includes(n);
  const rows = (name: string): string =>
    [HEADER, ...numbers.map((n) => `${n};${isChanged(n) ? name : "Course"} ${n};t;en;;;;`)].join(
      "\n",
    );
  const r = await rigWithExport(rows("Course"));
  await r.run(IMPORT);
  const own = "# mine\nx-note: kept # here\nfree_content: true\n";
  await r.write("c/course-2.yaml", own + (await r.read("c/course-2.yaml")));
  const again = await r.run([...IMPORT, "--json"]);
  expect(JSON.parse(again.stdout).map(({ action }: { action: string }) => action)).toEqual(
    Array(12).fill("unchanged"),
  );
  await r.write("export.csv", rows("Renamed"));
  await r.write("c/broken.yaml", "name: [");
  const changed = await r.run([...IMPORT, "--json"]);
  expect(changed.code).toBe(0);
  expect(changed.stderr).toContain("c/broken.yaml");
  expect(JSON.parse(changed.stdout)).toMatchObject(
    numbers.map((n) => ({
      action: isChanged(n) ? "update" : "unchanged",
      file: `c/course-${n}.yaml`,
      line: expect.any(Number),
    })),
  );
  const text = await r.read("c/course-2.yaml");
  expect(text.startsWith(own)).toBe(true);
  expect(text).toContain("name: Renamed 2\n");
});

test("import converts course files to one file of each format and back, and adds courses to this file", async () => {
  const r = await rigWithExport();
  await r.run(IMPORT);
  const first = await r.read("c/knit-purl.yaml");
  for (const name of ["a.csv", "a.json", "a.ndjson", "a.yaml"]) {
    expect((await r.run(`courses import c --out ${name}`)).code).toBe(0);
    await r.write("more.csv", `${HEADER}\r\n${ROW.replace("7;", "8;")}\r\n`);
    const more = `courses import more.csv --map map.jsonata --out ${name}`;
    expect(await r.run(more)).toMatchObject({ code: 0 });
    const back = `back-${name.slice(2)}`;
    await r.run(`courses import ${name} --out ${back}`);
    const files = await readdir(join(r.folder, back));
    const texts = await Promise.all(files.map((file) => r.read(`${back}/${file}`)));
    expect(texts).toHaveLength(2);
    expect(texts).toContain(first);
    const checked = await r.run(["courses", "check", name]);
    expect(checked.stdout).toContain("1 file, 2 courses: no problems");
  }
});

test.each([
  ["a.xlsx", "import cannot write .xlsx files such as a.xlsx", "Choose a folder, or a file that"],
  ["a.csv --format json", "--format json cannot be combined with --out a.csv", "Omit --format"],
  ["a --format csv", "--format csv writes one file for all courses, but --out a is a", "Pass the"],
])(
  "import --out %s writes nothing, and says what import can write",
  async (words, problem, advice) => {
    const r = await rigWithExport();
    const ran = await r.run(`courses import - --out ${words}`);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(`error: ${problem}`);
    expect(ran.stderr).toContain(`\n  ${advice}`);
  },
);

test.runIf(IS_LONG)("import reports an error after 10,000 warnings, and exits with 3", async () => {
  const r = await rigWith();
  // Each row has a warning for each of three texts.
  const table = Array.from({ length: 3_335 }, (_, index) =>
    ["Sew\u200bing", `https://academy.example/${index}`, "Sho\u200brt.", "Lo\u200bng.", "en"]
      .concat(PROVIDER_ID, "self_paced")
      .join(","),
  );
  const header = "name,url,short_description,long_description,audio,provider_id,pace";
  await r.write("a.csv", [header, ...table].join("\n").replace(/self_paced$/, "WRONG"));
  const ran = await r.run("courses import a.csv --out a.json");
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain('error: row 3336, column G "pace"');
});

test("import refuses HTML with 100,000 nested elements", async () => {
  const deep = "<i>".repeat(100_000) + "</b>".repeat(100_000);
  const ran = await importIn({ "deep.html": deep }, "deep.html --map schema.org");
  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toContain("nested elements");
});

test("import --from selects the list, and import without --from explains an object with a list", async () => {
  const data = { data: { items: [{ name: "A", color: 1 }] } };
  const { r, ...ran } = await importIn({ "a.json": data }, "a.json --from data.items");
  expect(ran.stdout).toBe("- name: A\n");
  expect(ran.stderr).toContain("not a course field: color");
  await r.write("b.json", { items: [{ name: "A" }] });
  const wrapped = await r.run("courses import b.json");
  expect(wrapped.code).toBe(3);
  expect(wrapped.stderr).toContain("if a field has a list of courses, pass its path with --from");
  const absent = await r.run("courses import b.json --from data");
  expect(absent).toMatchObject({ code: 2, stderr: "error: b.json has no data\n" });
  const empty = await r.run("courses import - --from data", { input: "{}" });
  expect(empty).toMatchObject({ code: 2, stderr: "error: <stdin> has no data\n" });
});

const LIST_MAPPING = `{
  "key": \`Kurs-Nr.\`,
  "name": Titel,
  "url": Link,
  "provider_id": "${PROVIDER_ID}",
  "short_description": Beschreibung,
  "long_description": Langtext,
  "audio": $languages(Sprache),
  "pace": Kursart = "Präsenz" ? "instructor_paced" : "self_paced",
  "level": $choice(Niveau, { "Anfänger": "beginner", "Mittelstufe": "intermediate", "Alle Stufen": ["beginner", "advanced"], "Fortgeschrittene": "advanced" }),
  "duration_in_hours": $hours(Dauer, { "Std": 1 }),
  "image_url": Bild
}`;

test("import keeps the file of a course whose url became a duplicate, and does not call the course absent", async () => {
  const unique = GERMAN_LIST.text.replace("kurse/excel-2\r\nK-0006", "kurse/excel-1\r\nK-0006");
  const { file } = GERMAN_LIST;
  const line = `${file} --map map --out n`;
  const { r } = await importIn({ [file]: unique, map: LIST_MAPPING }, line);
  const written = await readFolder(r, "n");
  expect(Object.keys(written)).toHaveLength(9);
  await r.write(file, GERMAN_LIST.text.replace("Mit Prüfung.", "Neu."));
  const ran = await r.run(`courses import ${line}`);
  expect(ran.stderr).toContain("the url is also in row 11");
  expect(ran.stderr).not.toContain("not in the export");
  expect(await readFolder(r, "n")).toEqual(written);
});

test("import skips title lines of a workbook and names problems and columns as the sheet shows them", async () => {
  const rows = [
    ["Courses 2027"],
    [],
    ["No.", "Title", "Picture", "Hours", "", "Hours"],
    ["IT"],
    ["1", "Knitting", "a.png", "8", "x"],
    [],
    ["2", "Purling", "", "soon", "", "9"],
  ];
  const map =
    '{"key": `No.`, "name": Title, "image_url": Picture, "duration_in_hours": $hours(Hours & " h"), "x-a": `Column E`, "x-b": `Hours (2)`}';
  const book = workbook({ Courses: rows });
  const ran = await importIn({ "a.xlsx": book, map }, "a.xlsx --map map");
  expect(ran.stdout).toBe(
    '- key: "1"\n  name: Knitting\n  image_url: a.png\n  duration_in_hours: 8\n  x-a: x\n- key: "2"\n  name: Purling\n  x-b: "9"\n',
  );
  expect(ran.stderr).toContain(
    "a.xlsx: the header is in row 3; catalog skipped the rows above it.",
  );
  expect(ran.stderr).toContain(
    'a.xlsx:5:3: error: row 5, column C "Picture" ("a.png"): image_url ',
  );
  expect(ran.stderr).toContain('Skipped 1 row: row 4 of a.xlsx ("IT").\n');
  expect(ran.stderr).toContain('Hours: 1 of 2 values is used; not understood: "soon" (1).\n');
});

const ROWS = "No;Title;Price;Hours\n1;Knitting;49.90.00;8\n2;Purling;5;8\nIT;;;\n";

const importTable = (map: string) => importIn({ "a.csv": ROWS, map }, "a.csv --map map");

test("import omits a field for which the mapping fails and names the cell", async () => {
  const ran = await importTable(
    `( $zero := 0; {"key": No, "name": Title, "duration_in_hours": $number(Price) + $zero, "pace": "self_paced"} )`,
  );
  expect(ran.stdout).toBe(
    '- key: "1"\n  name: Knitting\n  pace: self_paced\n- key: "2"\n  name: Purling\n  pace: self_paced\n  duration_in_hours: 5\n',
  );
  expect(ran.stderr).toContain(
    `a.csv:2:12: error: row 2, column C "Price" ("49.90.00"): duration_in_hours was not imported: the mapping fails at map:1:70: unable to cast value to a number: "49.90.00" [mapping]\n`,
  );
  expect(ran.stderr).toContain(`Skipped 1 row: row 4 of a.csv ("IT").\n`);
  expect(ran.stderr).toContain("3 rows: 2 courses, 1 skipped, 0 failed.\n");
  expect(ran.code).toBe(3);
});

test("import lists ten values that it does not understand and counts the rest, with escapes", async () => {
  const rows = ["a\u001b", ..."bcdefghijkl"].map((text) => `${text};"${text}\n${text}";x`);
  const text = `Name;Length;Kind\n${rows.join("\n")}\n`;
  const map = '{"name": Name, "duration_in_hours": $hours(Length)}';
  const { stderr } = await importIn({ "a.csv": text, map }, "a.csv --map map");
  expect(stderr).toContain(
    'Length: 0 of 12 values are used; not understood: "a\\u001b\\na\\u001b" (1), "b\\nb" (1), "c\\nc" (1), "d\\nd" (1), "e\\ne" (1), "f\\nf" (1), "g\\ng" (1), "h\\nh" (1), "i\\ni" (1), "j\\nj" (1) and 2 more.\n',
  );
});

test.each([
  '{"name": Name, "url": "", "pace": "self_paced"}',
  '{"name": "", "url": "", "audio": []}',
])(
  "import reports one error if the mapping %s finds no name and no url in any row",
  async (mapping) => {
    const ran = await importTable(mapping);
    expect([ran.code, ran.stdout]).toEqual([3, "[]\n"]);
    expect(ran.stderr.split("\n")[0]).toBe(
      `a.csv:1:1: error: the mapping returns no name and no url for any row [mapping]`,
    );
  },
);

test("import skips rows without a name and a url, lists them with their key, and names the cell of a problem", async () => {
  const text =
    "name;level;prices[0].price;key\nA;beginer;;\n;beginner;;K-2\n\n;;;\nB;;x;\nTotal: 2 courses;;;\n";
  const ran = await importIn({ "a.csv": text }, "a.csv");
  expect(ran.stderr).toContain('a.csv:2:3: error: row 2, column B "level" ("beginer"): level[0] ');
  expect(ran.stderr).toContain('row 6, column C "prices[0].price" ("x"): prices[0]');
  expect(ran.stderr).toContain(
    'Skipped 2 rows: row 3 of a.csv ("K-2") and row 7 of a.csv ("Total: 2 courses").\n4 rows: 2 courses, 2 skipped, 0 failed.\n',
  );
});

test.each([
  [
    '"prices": { "currency": $substring(Value, 0, 3), "price": $price(Value) }',
    ["KWD 12.500", "BHD 9.900", "EUR 1.299"],
    [
      { prices: [{ currency: "KWD", price: "12.500" }] },
      { prices: [{ currency: "BHD", price: "9.900" }] },
      { prices: [{ currency: "EUR", price: "1299.00" }] },
    ],
    "",
  ],
  [
    '"audio": $languages(Value)',
    ['["en","de"]', "['en', 'de']", "{en,de}", "English, Klingon"],
    [{ audio: ["en", "de"] }, { audio: ["en", "de"] }, { audio: ["en", "de"] }, {}],
    'Value: 3 of 4 values are used; not understood: "English, Klingon" (1).\n',
  ],
  [
    '"video": $video(Value)',
    [
      "https://www.youtube.com/playlist?list=PLexample",
      "https://www.youtube.com/@academy",
      "https://drive.google.com/file/d/abc/view",
      "https://academy.example/media/intro.mp4",
    ],
    [
      {},
      {},
      {},
      { video: { type: "self_hosted", url: "https://academy.example/media/intro.mp4" } },
    ],
    "Value: 1 of 4 values is used; not understood: ",
  ],
  [
    '"prices": $offers(Value).prices, "duration_in_hours": $number("an hour")',
    [{ price: "on request", priceCurrency: "EUR" }],
    [{}],
    'Value: 0 of 1 values are used; not understood: "on request" (1).\n',
  ],
])(
  "import with %s uses what it understands, and counts the rest",
  async (field, values, courses, said) => {
    const files = { "a.json": values.map((Value) => ({ Value })), map: `{"name": "A", ${field}}` };
    const ran = await importIn(files, "a.json --map map --format json");
    expect(JSON.parse(ran.stdout)).toEqual(courses.map((course) => ({ name: "A", ...course })));
    expect(ran.stderr).toContain(said);
  },
);

const TABLE = [
  ["No.", "Title", "Online?"],
  ["1", "Knitting", "ja"],
  ["2", "Purling", "nein"],
];

const COVER = [["Courses 2027"], [], ["As of", "12.01.2027"], ["Author", "A. Editor"]];

test("import and --suggest read the sheet with a table, and say so", async () => {
  const book = workbook({ Cover: COVER, Courses: TABLE, Prices: TABLE });
  const { mapping, courses, warnings, ran } = await suggested(await rigWith(), "a.xlsx", book);
  expect(mapping).toContain('"name": Title, /* Knitting | Purling */');
  expect(courses).toMatchObject([{ name: "Knitting" }, { name: "Purling" }]);
  for (const messages of [warnings, ran.stderr]) {
    expect(messages).toContain(
      'a.xlsx: read only the sheet "Courses"; to read another one ("Cover" and "Prices"), pass --sheet',
    );
  }
});

const FIELDS = [
  ["url", "Price"],
  ["https://a.example/", "5"],
];

test.each([
  ["that names a field", FIELDS, TABLE],
  ["if no other sheet has a table", COVER, [["Notes"]]],
])("import reads the first sheet %s", async (_, first, other) => {
  const book = workbook({ First: first, Other: other });
  const { stderr } = await importIn({ "a.xlsx": book }, "a.xlsx --suggest");
  expect(stderr).toContain('read only the sheet "First"');
});

const MAP = '{"name": Title, "url": Link}';

const linkSheet = utils.aoa_to_sheet([
  ["Title", "Link"],
  ["A", "zum Kurs"],
  ["B", "https://academy.example/b"],
  ["C", "zum Kurs"],
  ["D", "folgt"],
  ["E", "folgt"],
]);
for (const cell of ["B2", "B4"]) linkSheet[cell].l = { Target: `https://academy.example/${cell}` };
const linkBook = utils.book_new();
utils.book_append_sheet(linkBook, linkSheet, "Courses");
const LINKS: Buffer = write(linkBook, { type: "buffer", bookType: "xlsx" });

test("import --suggest uses the links and addresses of a mixed column, and says how many cells have none", async () => {
  const { mapping, courses, ran } = await suggested(await rigWith(), "a.xlsx", LINKS);
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
  const { stderr } = await importIn({ "a.xlsx": LINKS, map: MAP }, "a.xlsx --map map");
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

test("import counts rows that give the same course once, and says which", async () => {
  const rows = [
    "A,https://a.example/1,Mon",
    "A,https://a.example/1,Tue",
    "B,https://a.example/2,Mon",
  ];
  const text = `Title,Link,Event\n${rows.join("\n")}\n`;
  const line = "events.csv --map map --out c";
  const { r, stderr: first } = await importIn({ "events.csv": text, map: MAP }, line);
  const { stderr: second } = await r.run(`courses import ${line}`);
  for (const [stderr, counts] of [
    [first, "2 written"],
    [second, "2 up to date"],
  ] as const) {
    expect(stderr).toContain("1 row is the same as row 2: row 3 of events.csv.\n");
    expect(stderr).toContain(
      `3 rows: 2 courses, 1 skipped, 0 failed. Courses in files: ${counts}.\n`,
    );
  }
  expect(await readdir(join(r.folder, "c"))).toHaveLength(2);
});

test("import writes none of two different rows whose urls differ in a slash, and counts the others that are equal", async () => {
  const link = "https://academy.example/1";
  const text = `Title,Link\nA,${link}\nA,${link}\nB,${link}/\nC,${link}2\nC,${link}2\n`;
  const { stdout, stderr } = await importIn({ "a.csv": text, map: MAP }, "a.csv --map map");
  expect(stdout).toBe(`- name: C\n  url: ${link}2\n`);
  expect(stderr).toContain(
    "2 rows are the same as earlier rows: row 3 of a.csv and row 6 of a.csv.",
  );
  expect(stderr).toContain("5 rows: 1 course, 2 skipped, 2 failed.\n");
});

test("import names files after the url, the name or the key, and not after a program of the website", async () => {
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
  const text = `key,name,url\n${rows.map((row) => row.join(",")).join("\n")}\n`;
  const { r } = await importIn({ "a.csv": text }, "a.csv --out c");
  expect(await readdir(join(r.folder, "c"))).toEqual([
    ...["dyeing.yaml", "knitting.yaml", "looms.yaml"],
    ...["purling-8.yaml", "purling-9.yaml", "sewing.yaml"],
    ...["spinning-id-1.yaml", "spinning-id-2.yaml"],
  ]);
});

test("the help of import lists every function of mappings", async () => {
  const { stdout } = await importIn({}, "--help");
  const listed = Array.from(stdout.matchAll(/\$(\w+)\(/g), ([, name]) => name);
  expect(listed.sort()).toEqual(Object.keys(MAPPING_FUNCTIONS).sort());
});
