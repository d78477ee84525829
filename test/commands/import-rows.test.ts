import { expect, test } from "vitest";
import { PROVIDER_ID, type Rig } from "../rig.ts";
import { workbook } from "../workbooks.ts";
import { rigWith } from "./helpers.ts";
import { GERMAN_LIST } from "./import-exports.ts";
import { readFolder } from "./pull-rig.ts";

const MAPPING = `{
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

const IMPORT = ["courses", "import", GERMAN_LIST.file, "--map", "map", "--out", "n"];

async function rigWithList(text = GERMAN_LIST.text, mapping = MAPPING): Promise<Rig> {
  const r = await rigWith();
  await r.write(GERMAN_LIST.file, text);
  await r.write("map", mapping);
  return r;
}

test("import keeps the file of a course whose url became a duplicate, and does not call the course absent", async () => {
  const unique = GERMAN_LIST.text.replace("kurse/excel-2\r\nK-0006", "kurse/excel-1\r\nK-0006");
  const r = await rigWithList(unique);
  await r.run(IMPORT);
  const written = await readFolder(r, "n");
  expect(Object.keys(written)).toHaveLength(9);
  await r.write(GERMAN_LIST.file, GERMAN_LIST.text.replace("Mit Prüfung.", "Neu."));
  const ran = await r.run(IMPORT);
  expect(ran.stderr).toContain("the url is also in row 11");
  expect(ran.stderr).not.toContain("not in the export");
  expect(await readFolder(r, "n")).toEqual(written);
});

test("import skips title lines of a workbook and names problems and columns as the sheet shows them", async () => {
  const r = await rigWith();
  const rows = [
    ["Courses 2027"],
    [],
    ["No.", "Title", "Picture", "Hours", "", "Hours"],
    ["IT"],
    ["1", "Knitting", "a.png", "8", "x"],
    [],
    ["2", "Purling", "", "soon", "", "9"],
  ];
  await r.write("a.xlsx", workbook({ Courses: rows }));
  await r.write(
    "map",
    '{"key": `No.`, "name": Title, "image_url": Picture, "duration_in_hours": $hours(Hours & " h"), "x-a": `Column E`, "x-b": `Hours (2)`}',
  );
  const ran = await r.run("courses import a.xlsx --map map");
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

const TABLE = "No;Title;Price;Hours\n1;Knitting;49.90.00;8\n2;Purling;5;8\nIT;;;\n";

async function importTable(mapping: string, ...flags: string[]) {
  const r = await rigWithList(TABLE, mapping);
  return await r.run([...IMPORT.slice(0, 5), ...flags]);
}

test("import omits a field for which the mapping fails and names the cell", async () => {
  const ran = await importTable(
    `( $zero := 0; {"key": No, "name": Title, "duration_in_hours": $number(Price) + $zero, "pace": "self_paced"} )`,
  );
  expect(ran.stdout).toBe(
    'key: "1"\n  name: Knitting\n  pace: self_paced\n- key: "2"\n  name: Purling\n  pace: self_paced\n  duration_in_hours: 5\n'.replace(
      /^/,
      "- ",
    ),
  );
  const name = GERMAN_LIST.file;
  expect(ran.stderr).toContain(
    `${name}:2:12: error: row 2, column C "Price" ("49.90.00"): duration_in_hours was not imported: the mapping fails at map:1:70: unable to cast value to a number: "49.90.00" [mapping]\n`,
  );
  expect(ran.stderr).toContain(`Skipped 1 row: row 4 of ${name} ("IT").\n`);
  expect(ran.stderr).toContain("3 rows: 2 courses, 1 skipped, 0 failed.\n");
  expect(ran.code).toBe(3);
});

test("import lists ten values that it does not understand and counts the rest, with escapes", async () => {
  const rows = ["a\u001b", ..."bcdefghijkl"].map((text) => `${text};"${text}\n${text}";x`);
  const r = await rigWithList(
    `Name;Length;Kind\n${rows.join("\n")}\n`,
    '{"name": Name, "duration_in_hours": $hours(Length)}',
  );
  const { stderr } = await r.run(IMPORT.slice(0, 5));
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
      `${GERMAN_LIST.file}:1:1: error: the mapping returns no name and no url for any row [mapping]`,
    );
  },
);

test("import skips rows without a name and a url, lists them with their key, and names the cell of a problem", async () => {
  const r = await rigWith();
  await r.write(
    "a.csv",
    "name;level;prices[0].price;key\nA;beginer;;\n;beginner;;K-2\n\n;;;\nB;;x;\nTotal: 2 courses;;;\n",
  );
  const ran = await r.run("courses import a.csv");
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
    const r = await rigWith();
    await r.write(
      "a.json",
      values.map((Value) => ({ Value })),
    );
    await r.write("map", `{"name": "A", ${field}}`);
    const ran = await r.run("courses import a.json --map map --format json");
    expect(JSON.parse(ran.stdout)).toEqual(courses.map((course) => ({ name: "A", ...course })));
    expect(ran.stderr).toContain(said);
  },
);
