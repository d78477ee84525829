/** `import --suggest` maps typical exports of other systems in several languages, without edits. */
import { describe, expect, test } from "vitest";
import { rigWith } from "./helpers.ts";
import { FRENCH, GERMAN_CMS, GERMAN_LIST, JAPANESE, SPANISH, WORDPRESS } from "./import-exports.ts";

const [SELF, INSTRUCTOR] = ["self_paced", "instructor_paced"];
const ALL = ["beginner", "intermediate", "advanced"];

/** The values of fields, course by course. */
type Columns = Readonly<Record<string, readonly unknown[]>>;

/** The courses that the suggested mapping makes of an export, by field, with the mapping. */
async function suggestFor({ file, text }: { readonly file: string; readonly text: string }) {
  const r = await rigWith();
  await r.write(file, text);
  const { stdout: mapping, stderr } = await r.run(["courses", "import", file, "--suggest"]);
  await r.write("map.jsonata", mapping);
  const words = ["courses", "import", file, "--map", "map.jsonata", "--format", "json"];
  const ran = await r.run(words);
  const courses: Record<string, unknown>[] = JSON.parse(ran.stdout);
  const field = (name: string): unknown[] => courses.map((course) => course[name]);
  const amounts = field("prices").map((prices) =>
    Array.isArray(prices) ? prices[0].price : undefined,
  );
  return { mapping, warnings: stderr, ran, field, amounts };
}

const EXPORTS: readonly [string, { file: string; text: string }, Columns, readonly unknown[]][] = [
  [
    "a German list with title lines",
    GERMAN_LIST,
    {
      key: ["K-0001", "K-0002", "K-0003", "K-0004", "K-0007", "K-0008", "K-0009"],
      long_description: expect.arrayContaining(["Regeln und Ordner."]),
      audio: [["de"], ["de", "en"], ["de"], ["de"], ["de"], ["de"], ["de"]],
      pace: [INSTRUCTOR, INSTRUCTOR, INSTRUCTOR, SELF, INSTRUCTOR, INSTRUCTOR, INSTRUCTOR],
      duration_in_hours: [undefined, 8, undefined, 1.5, 12.5, undefined, undefined],
    },
    ["1299.00", "49.90", undefined, undefined, undefined, "640.00", "640.00"],
  ],
  [
    "a German content management system",
    GERMAN_CMS,
    {
      key: ["N-01", "N-02", "N-03", "N-04", "N-05", "N-06"],
      name: ["Projektleitung", "Agil arbeiten", "Führung", "Buchhaltung", "Steuern", "Einkauf"],
      published: [true, false, true, false, false, true],
      pace: [INSTRUCTOR, INSTRUCTOR, INSTRUCTOR, SELF, SELF, INSTRUCTOR],
      level: [["beginner"], ["advanced"], ALL, ["beginner"], ALL, ["beginner"]],
      duration_in_hours: [8, 7.5, 24, 1.5, undefined, undefined],
    },
    ["420.00", undefined, "1299.00", undefined, "19.99", undefined],
  ],
  [
    "WordPress",
    WORDPRESS,
    {
      key: ["11", "12", "13", "14"],
      published: [true, false, true, false],
      duration_in_hours: [1.5, 1.5, undefined, 4],
    },
    ["49.90", undefined, "1299.00", undefined],
  ],
  [
    "a French table, with the short text from Résumé",
    FRENCH,
    {
      key: ["F-101", "F-102", "F-103", "F-104", "F-105"],
      short_description: [
        "Les bases du tableur.",
        "Contrats et congés.",
        "Réunions, courriels.",
        "Mieux s’organiser.",
        "Diriger une équipe.",
      ],
      long_description: expect.arrayContaining(["Cas pratiques."]),
      audio: [["fr"], ["fr"], ["fr", "en"], ["fr"], ["fr"]],
      pace: [INSTRUCTOR, SELF, INSTRUCTOR, SELF, INSTRUCTOR],
      published: [true, false, true, true, false],
      level: [["beginner"], ALL, ["intermediate"], ["beginner"], ["advanced"]],
      duration_in_hours: [7, undefined, 1.5, 1.5, undefined],
    },
    ["350.00", "1290.00", "49.90", undefined, undefined],
  ],
  [
    "a Spanish table",
    SPANISH,
    {
      key: ["E-1", "E-2", "E-3", "E-4"],
      short_description: ["Primeros pasos.", "Debe y haber.", "Conversación.", "Recetas rápidas."],
      audio: [["es"], ["es"], ["es", "en"], ["es"]],
      pace: [INSTRUCTOR, SELF, INSTRUCTOR, SELF],
      published: [true, true, false, false],
      level: [["beginner"], ["intermediate"], ALL, ["advanced"]],
      duration_in_hours: [10, 1.5, undefined, 0.75],
    },
    ["120.00", undefined, undefined, undefined],
  ],
  [
    "a Japanese table",
    JAPANESE,
    {
      key: ["J-01", "J-02", "J-03", "J-04"],
      name: ["エクセル入門", "ビジネス英語", "時間管理", "会計"],
      short_description: expect.arrayContaining(["表計算の基礎。"]),
      long_description: expect.arrayContaining(["セルと数式。"]),
      audio: [["ja"], ["ja", "en"], ["ja"], ["ja"]],
      pace: [SELF, INSTRUCTOR, INSTRUCTOR, SELF],
      published: [true, true, false, false],
      level: [["beginner"], ["intermediate"], ALL, ["advanced"]],
      duration_in_hours: [3, 1.5, 1.5, undefined],
    },
    ["4980.00", "12800.00", undefined, undefined],
  ],
];

describe("exports", () => {
  test.each(EXPORTS)("import --suggest fully maps %s", async (_, source, columns, prices) => {
    const { field, amounts, warnings } = await suggestFor(source);
    // Of all others, the header is the first row.
    const hasTitles = source === GERMAN_LIST;
    expect(warnings).toEqual(hasTitles ? expect.stringContaining("header is in row 4") : "");
    const found = Object.fromEntries(Object.keys(columns).map((name) => [name, field(name)]));
    expect(found).toEqual(columns);
    expect(amounts).toEqual(prices);
    for (const name of ["name", "url", "short_description", "long_description"]) {
      expect(field(name).every((value) => typeof value === "string")).toBe(true);
    }
  });

  test("import --suggest lists in comments what the functions do not understand", async () => {
    const { mapping } = await suggestFor(GERMAN_CMS);
    for (const note of [
      "not understood, and therefore not published: in Prüfung */",
      "not understood: ab 99 € | auf Anfrage */",
      'not understood: 3 Tage; to convert days, write $hours(`Dauer in Stunden`, { "day": 8 }) with your hours */',
    ]) {
      expect(mapping).toContain(note);
    }
  });

  test("import --suggest writes a choice with every value, empty for unknown words", async () => {
    const text = "Titel;Kursart\nA;Präsenz\nB;Hybrid\nC;PRÄSENZ\nD;Selbststudium\n";
    const { mapping, field } = await suggestFor({ file: "kurse.csv", text });
    expect(mapping).toContain(
      '"pace": $choice(Kursart, {\n    "Präsenz": "instructor_paced",\n    "Hybrid": "",\n    "Selbststudium": "self_paced"\n  }) /* Präsenz | Hybrid | PRÄSENZ; not understood: Hybrid; choose self_paced or instructor_paced */',
    );
    expect(field("pace")).toEqual([INSTRUCTOR, undefined, INSTRUCTOR, SELF]);
  });

  test.each([
    [
      "Portuguese",
      "Título;Situação;Preço;Duração\nA;Publicado;1.299,00 €;2 horas\nB;Rascunho;grátis;90 min\n",
    ],
    [
      "Italian",
      "Titolo;Stato;Prezzo;Durata\nA;pubblicato;1.299,00 €;2 ore\nB;bozza;gratuito;90 minuti\n",
    ],
    ["Dutch", "Titel;Zichtbaar;Prijs;Duur\nA;ja;1.299,00 €;2 uur\nB;nee;kosteloos;90 minuten\n"],
  ])("import --suggest maps the status, price and duration of a table in %s", async (_, text) => {
    const { field, amounts } = await suggestFor({ file: "a.csv", text });
    expect([field("name"), field("published"), amounts, field("duration_in_hours")]).toEqual([
      ["A", "B"],
      [true, false],
      ["1299.00", undefined],
      [2, 1.5],
    ]);
  });
});

describe("columns that may mark published courses", () => {
  const TABLE = "Titel;Status\nA;neu\nB;alt\n";
  const WARNING =
    'warning: all courses will be published, because nothing is mapped to "published"; "Status" (neu and alt) may show which are drafts\n';

  test("import and --suggest warn if no column is mapped to published but one column may fit", async () => {
    const { mapping, warnings, ran } = await suggestFor({ file: "a.csv", text: TABLE });
    expect(mapping).toContain("/* Warning: all courses will be published,");
    expect(warnings).toBe(WARNING);
    expect(ran.stderr).toContain(WARNING);
  });

  test("import --suggest recognizes a column of published courses by its values", async () => {
    const text = "Titel;Bemerkung\nA;veröffentlicht\nB;Entwurf\n";
    const { field, warnings } = await suggestFor({ file: "a.csv", text });
    expect([field("published"), warnings]).toEqual([[true, false], ""]);
  });

  test("import prints no warning if the mapping sets published for any course", async () => {
    const r = await rigWith();
    await r.write("a.csv", TABLE);
    await r.write("map.jsonata", '{ "name": Titel, "published": Status = "neu" }');
    const ran = await r.run(["courses", "import", "a.csv", "--map", "map.jsonata"]);
    expect(ran.stderr).not.toContain("will be published");
  });

  test("import --suggest prints no warning about yes and no in unrelated columns", async () => {
    const { warnings } = await suggestFor({
      file: "a.csv",
      text: "Titel;Zertifikat\nA;ja\nB;nein\n",
    });
    expect(warnings).toBe("");
  });

  test("import --suggest inverts a column of hidden courses", async () => {
    const text = "Title;Hidden\nA;1\nB;0\nC;\n";
    const { field } = await suggestFor({ file: "a.csv", text });
    expect(field("published")).toEqual([false, true, true]);
  });
});

test("mapping functions return nothing for unknown values and for missing values", async () => {
  const r = await rigWith();
  await r.write(
    "a.json",
    JSON.stringify([
      { price: " CHF 1'299.– ", pace: " präsenz ", status: "Entwurf", hours: "2 Tage" },
    ]),
  );
  const choices = '{ "Präsenz": "instructor_paced" }';
  const calls = [
    "$price(price)",
    "$price(pace)",
    "$price(none)",
    `$choice(pace, ${choices})`,
    `$choice(status, ${choices})`,
    `$choice(none, ${choices})`,
    '$choice("constructor", {})',
    "$published(status)",
    "$published(true)",
    "$published(1)",
    "$published(pace)",
    "$published(none)",
    "$hours(hours)",
    '$hours(hours, { "day": 8 })',
    '$hours(none, { "day": 8 })',
  ];
  const texts = calls.map((call) => `$exists(${call}) ? $string(${call}) : "-"`);
  await r.write("map.jsonata", `{ "name": $join([${texts.join(", ")}], " ") }`);
  const ran = await r.run(["courses", "import", "a.json", "--map", "map.jsonata"]);
  expect(ran.stdout).toBe(
    "- name: 1299.00 - - instructor_paced - - - false true true - - - 16 -\n",
  );
});
