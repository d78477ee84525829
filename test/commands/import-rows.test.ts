/** `import` of real sheets: rows that are not courses, repeated imports, and messages about cells and values. */
import { readdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scaleRuns } from "../long.ts";
import { PROVIDER_ID, type Rig } from "../rig.ts";
import { workbook } from "../workbooks.ts";
import { id, numberedCourse, rigWith } from "./helpers.ts";
import { GERMAN_LIST } from "./import-exports.ts";

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

/** The names and texts of the files in a folder, or next to a file. */
async function readFolder(r: Rig, name: string): Promise<Record<string, string>> {
  const folder = name.includes(".") ? dirname(name) : name;
  const entries = await readdir(join(r.folder, folder), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  const texts = names.map(async (name) => [
    name,
    await readFile(join(r.folder, folder, name), "utf8"),
  ]);
  return Object.fromEntries(await Promise.all(texts));
}

describe("a sheet with titles, sections, totals and a duplicate url", () => {
  test("import writes the courses once, changes nothing when it is repeated, and reports skipped rows", async () => {
    const r = await rigWithList();
    const first = await r.run(IMPORT);
    const written = await readFolder(r, "n");
    expect(Object.keys(written).sort()).toEqual(
      "datenschutz excel konflikte outlook rhetorik word zeit"
        .split(" ")
        .map((name) => `${name}.yaml`),
    );
    const file = GERMAN_LIST.file;
    expect([first.code, first.stderr]).toEqual([
      3,
      `${file}: the header is in row 4; catalog skipped the rows above it.
${file}:12:130: error: row 10, column L "Bild" ("bilder/excel.png"): image_url must be a URL that starts with http:// or https://, not "bilder/excel.png" [url]
${file}:12:147: error: row 10, column M "Link" ("https://www.nordlicht.example/kurse/excel-2"): the url is also in row 11, so neither course is imported [duplicate-url]
${file}:13:136: error: row 11, column M "Link" ("https://www.nordlicht.example/kurse/excel-2"): the url is also in row 10, so neither course is imported [duplicate-url]
${file}:17:118: error: row 15, column L "Bild" ("bilder/rhetorik.png"): image_url must be a URL that starts with http:// or https://, not "bilder/rhetorik.png" [url]
All courses will be published, because nothing is mapped to "published".
Skipped 4 rows: row 5 ("IT & Büro"), row 13 ("Persönlichkeit"), row 17 ("Summe") and row 18 ("Anzahl Kurse").
Dauer: 3 of 9 values are used; not understood: "16 UE" (3), "2 Tage à 8 Std." (2) and "3 Tage" (1).
13 rows: 7 courses, 4 skipped, 2 failed. Wrote 7 files.
`,
    ]);
    for (const _ of [2, 3]) {
      const again = await r.run(IMPORT);
      expect(again.stderr).toContain("2 failed. Already up to date: 7 courses.\n");
      expect(again.stderr).not.toContain("not in the export");
    }
    const last = await r.run([...IMPORT, "--json"]);
    expect(JSON.parse(last.stderr.trim().split("\n").at(-1) ?? "")).toMatchObject({
      counts: { rows: 13, courses: 7, rowsSkipped: 4, rowsFailed: 2, created: 0, unchanged: 7 },
      columns: [
        { column: "Sprache", used: 9, of: 9, notUnderstood: [] },
        {
          column: "Dauer",
          used: 3,
          of: 9,
          notUnderstood: [
            { value: "16 UE", count: 3 },
            { value: "2 Tage à 8 Std.", count: 2 },
            { value: "3 Tage", count: 1 },
          ],
        },
        { column: "Niveau", used: 9, of: 9, notUnderstood: [] },
      ],
    });
    expect(await readFolder(r, "n")).toEqual(written);
  });

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

  test("import warns about a column that the mapping uses but the sheet no longer has", async () => {
    const mapping = MAPPING.replace(/}$/, ', "published": `Preis (2)` = "netto" }');
    const r = await rigWithList(GERMAN_LIST.text, mapping);
    expect((await r.run(IMPORT)).stderr).not.toContain("does not have");
    await r.write(GERMAN_LIST.file, GERMAN_LIST.text.replace(";Preis;Preis;", ";Preis;Art;"));
    const { stdout, stderr } = await r.run([...IMPORT, "--dry-run"]);
    expect(stderr).toContain(
      `warning: the mapping uses columns that ${GERMAN_LIST.file} does not have: "Preis (2)" (for published)\n`,
    );
    // The line shows no id, because the file has none.
    expect(stdout).toMatch(/^~ .+ \(n\/\w+\.yaml\)\n {4}published: true → false$/m);
  });
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
  const ran = await r.run(["courses", "import", "a.xlsx", "--map", "map"]);
  expect(ran.stdout).toBe(
    '- key: "1"\n  name: Knitting\n  image_url: a.png\n  duration_in_hours: 8\n  x-a: x\n- key: "2"\n  name: Purling\n  x-b: "9"\n',
  );
  expect(ran.stderr).toContain(
    "a.xlsx: the header is in row 3; catalog skipped the rows above it.",
  );
  expect(ran.stderr).toContain(
    'a.xlsx:5:3: error: row 5, column C "Picture" ("a.png"): image_url ',
  );
  expect(ran.stderr).toContain('Skipped 1 row: row 4 ("IT").\n');
  expect(ran.stderr).toContain('Hours: 1 of 2 values is used; not understood: "soon" (1).\n');
});

describe("rows that fail in part", () => {
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
    expect(ran.stderr).toContain('Skipped 1 row: row 4 ("IT").\n');
    expect(ran.stderr).toContain("3 rows: 2 courses, 1 skipped, 0 failed.\n");
    expect(ran.code).toBe(3);
  });

  test.each([
    [
      "that fails for the only value that identifies a course",
      '{"name": $number(Price), "pace": "self_paced"}',
    ],
    ["with two values for one field", '{"name": Title, Price = "5" ? "x" : "name": "b"}'],
    ["that is no object", 'Price = "5" ? {"name": Title} : $number(Price)'],
  ])("import makes no course of a row with a mapping %s", async (_, mapping) => {
    const ran = await importTable(mapping, "--format", "json", "--json");
    expect([ran.code, JSON.parse(ran.stdout)]).toEqual([
      3,
      [expect.objectContaining({ name: expect.anything() })],
    ]);
    expect(ran.stderr).toContain('"rowsFailed":1');
  });

  test("import reports one error if the mapping finds no name and no url in any row", async () => {
    const ran = await importTable('{"name": Name, "url": "", "pace": "self_paced"}');
    expect([ran.code, ran.stdout]).toEqual([3, "[]\n"]);
    expect(ran.stderr.split("\n")[0]).toBe(
      `${GERMAN_LIST.file}:1:1: error: the mapping returns no name and no url for any row [mapping]`,
    );
  });

  test("import lists rows for which a mapping returns nothing, without an error", async () => {
    const ran = await importTable('No = "1" ? {"name": Title, "url": Title & $hours(Hours)}');
    expect(ran.stderr).toContain('Skipped 2 rows: row 3 ("2") and row 4 ("IT").\n');
    expect(ran.stdout).toContain("name: Knitting");
  });

  test("import counts a value as understood if any function understands it, and skips branches not taken", async () => {
    const mapping = `{"name": Title, "duration_in_hours": $hours(Price),
      "x-a": $price(Price = "5" ? Price), "x-b": No = "1" ? $hours(Price) : $hours(Hours & " h")}`;
    const { stderr } = await importTable(mapping);
    expect(stderr).toContain('Price: 1 of 2 values is used; not understood: "49.90.00" (1).\n');
    expect(stderr).not.toContain("Hours:");
  });

  test("import lists five values that it does not understand and counts the rest, with escapes", async () => {
    const rows = ["a\u001b", ..."bcdefg"].map((text) => `${text};"${text}\n${text}";x`);
    const r = await rigWithList(
      `Name;Length;Kind\n${rows.join("\n")}\n`,
      '{"name": Name, "duration_in_hours": $hours(Length)}',
    );
    const { stderr } = await r.run(IMPORT.slice(0, 5));
    expect(stderr).toContain(
      'Length: 0 of 7 values are used; not understood: "a\\u001b\\na\\u001b" (1), "b\\nb" (1), "c\\nc" (1), "d\\nd" (1), "e\\ne" (1) and 2 more.\n',
    );
  });
});

describe("no mapping", () => {
  test("import skips rows without a name and a url, lists them with their key, and names the cell of a problem", async () => {
    const r = await rigWith();
    await r.write(
      "a.csv",
      "name;level;prices[0].price;key\nA;beginer;;\n;beginner;;K-2\n\n;;;\nB;;x;\n",
    );
    const ran = await r.run(["courses", "import", "a.csv"]);
    expect(ran.stderr).toContain(
      'a.csv:2:3: error: row 2, column B "level" ("beginer"): level[0] ',
    );
    expect(ran.stderr).toContain('row 6, column C "prices[0].price" ("x"): prices[0]');
    expect(ran.stderr).toContain(
      'Skipped 1 row: row 3 ("K-2").\n3 rows: 2 courses, 1 skipped, 0 failed.\n',
    );
  });

  test("import finds the file of a course by its name, even if the file has an id", async () => {
    const r = await rigWith();
    await r.write("c/a.yaml", `id: ${id(1)}\nname: Alpha\nlevel: [beginner]\n`);
    await r.write("c/b.yaml", "name: Beta\nlevel: [advanced]\n");
    await r.write("a.csv", "name;level\nAlpha;advanced\nBeta;beginner\n");
    await r.run(["courses", "import", "a.csv", "--out", "c"]);
    expect(await readFolder(r, "c")).toEqual({
      "a.yaml": `id: ${id(1)}\nname: Alpha\nlevel: [advanced]\n`,
      "b.yaml": "name: Beta\nlevel: [beginner]\n",
    });
  });

  test("import reads rows with a single value as courses if most rows have a single value", async () => {
    const r = await rigWith();
    await r.write("a.csv", "Title;Level;Price\nA;;\nB;;\nC;beginner;\n");
    await r.write("map", '{"name": Title, "level": Level}');
    const ran = await r.run(["courses", "import", "a.csv", "--map", "map"]);
    expect(ran.stdout).toBe("- name: A\n- name: B\n- name: C\n  level: [beginner]\n");
  });

  test("import of the same random rows a second time changes nothing", async () => {
    const value = (...values: string[]) => fc.constantFrom("", ...values);
    const row = fc.tuple(
      value("A", "B", " A ", "é"),
      value("1", "2"),
      value("https://academy.example/1", "https://academy.example/2", "x"),
      value("beginner", "advanced", "?"),
    );
    const out = fc.constantFrom("c/all", "c/all.csv", "c/all.yaml", "c/all.ndjson");
    const property = fc.asyncProperty(fc.array(row, { maxLength: 6 }), out, async (rows, name) => {
      const r = await rigWith();
      await r.write("c/all/none.txt", "");
      const lines = ["name;key;url;level", ...rows.map((cells) => cells.join(";"))];
      await r.write("a.csv", lines.join("\n"));
      await r.run(["courses", "import", "a.csv", "--out", name]);
      const written = await readFolder(r, name);
      const again = await r.run(["courses", "import", "a.csv", "--out", name]);
      expect(again.stderr).toMatch(/Already up to date|Nothing was written/);
      expect(await readFolder(r, name)).toEqual(written);
    });
    const examples: [string[][], string][] = [
      // The first row alone is no course, and must not become one by taking the file of the second.
      [
        [
          ["B", "", "", ""],
          ["B", "", "", "advanced"],
        ],
        "c/all",
      ],
    ];
    await fc.assert(property, { numRuns: scaleRuns(12), examples });
  });
});

describe("sources without courses", () => {
  test("import reports a page without courses as an error", async () => {
    const r = await rigWith();
    await r.write("a.html", "<p>No courses</p>");
    const ran = await r.run(["courses", "import", "a.html", "--map", "schema.org"]);
    expect([ran.code, ran.stderr]).toEqual([
      3,
      'a.html:1:1: error: the file has no schema.org course, which is JSON-LD with "@type": "Course" [not-a-course]\n',
    ]);
  });

  test("import exits with 2 and explains that it reads files if its argument is a web address", async () => {
    const r = await rigWith();
    const ran = await r.run(["courses", "import", "https://a.example/c", "--map", "schema.org"]);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      "error: https://a.example/c is a URL, but import reads files\n  Save the page to a file, and pass the file.\n",
    ]);
  });
});

test("import reports an error after ten thousand warnings, and says that there are more", async () => {
  const r = await rigWith();
  const instructors = Array.from({ length: 10_001 }, () => ({ name: "Ada " }));
  const rows = [numberedCourse(1, { instructors }), numberedCourse(2, { pace: "WRONG" })];
  await r.write("all.ndjson", rows.map((row) => JSON.stringify(row)).join("\n"));
  const ran = await r.run(["courses", "import", "all.ndjson", "--out", "all.json"]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toMatch(/error: .*\[choice\]/);
  expect(ran.stderr).toContain("more than 10,000 warnings in this file");
});

test("import warns of an entry of a folder that it does not read", async () => {
  const r = await rigWith();
  await r.write("in/a.csv", "name;url\nA;https://academy.example/a\n");
  await symlink("absent.csv", join(r.folder, "in/b.csv"));
  const ran = await r.run(["courses", "import", "in"]);
  expect(ran.stderr).toContain("warning: in/b.csv: not read, because it is a broken link\n");
});
