import { expect, test } from "vitest";
import { rigWith } from "./helpers.ts";
import { GERMAN_LIST, suggested, WORDPRESS } from "./import-exports.ts";

test("import --suggest names the flags of its source, and guesses no currency, language, provider or pace", async () => {
  const text = JSON.stringify({ data: { items: [{ id: 1, title: "A", price: 49 }] } });
  const flags = ["--from", "data.items"];
  const { mapping } = await suggested(await rigWith(), "my export.json", text, flags);
  const command = "catalog courses import 'my export.json' --from data.items --map <this file>";
  expect(mapping).toContain(command);
  expect(mapping).toContain("A mapping is a JSONata expression (https://jsonata.org).");
  expect(mapping.slice(mapping.indexOf("{\n"))).toBe(`{
  "key": $string(id), /* 1 */
  "name": title, /* A */
  "url": "", /* required: no column found. For example: "https://academy.example/courses/" & <column> */
  "short_description": "", /* required: no column found */
  "long_description": "", /* required: no column found */
  "audio": [], /* required: no column found. For example: ["en"] */
  "provider": "", /* the slug of your provider ("catalog providers ls" lists it), here or in catalog.defaults.yaml */
  "pace": "" /* required: no column found. Write "self_paced" or "instructor_paced" */
}
/* The mapping does not use these columns. To use one, copy its name to a field:
   price: 49; with your currency, write "prices": [$price(price, "…")[$number($) > 0].{ "type": "single_course", "price": $, "currency": "…" }]
*/
`);
});

test.each([
  ['Price\n"49,90 €"\nCHF 120.-\nFree', "{\n", "; with the currency of each price, write"],
  ["Price\n$49\n1.299\nFree", "{\n", "; with your currency, write"],
  ["Regular price,Sale price\n9,5\n8,", "{\n", "$price([`Sale price`, `Regular price`][0], "],
  ["Effort\n3 hours", '{\n  "name": "",', "Effort: 3 hours\n"],
  ["Seminar\nKnitting", '"name": Seminar,', ""],
  ["Class name\nKnitting", '"name": `Class name`,', ""],
  ["Ti`tle\nKnitting", '"name": $."Ti`tle",', ""],
  ["Kurs\nStricken", '"name": "",', "Kurs: Stricken\n"],
  ["duration_minutes\n90", "{\n", '$hours(duration_minutes & " minutes")'],
  ["Duration (min)\n90", "{\n", '$hours(`Duration (min)` & " minutes")'],
  ["Duration\n90", "{\n", '$hours(Duration & " hours")'],
  ["Title\nВязание", '"audio": [],', ""],
  [
    "Id,Title,Slug\n7,A,knit",
    '"url": "",',
    'write "url": "https://academy.example/courses/" & Slug',
  ],
  [
    "Title,url\nA,www.academy.example/c",
    '"url": "",',
    'for URLs of your website, write "url": "https://" & url',
  ],
  ["Title,url\nA,/c/knit/", '"url": "",', 'write "url": "https://academy.example" & url'],
  ["Title,Draft\nA,no\nB,yes", '"published": $not($published(Draft) = true)', ""],
  ["Title,Online?\nA,yes\nB,no", '"published": $published(`Online?`) = true', ""],
  [
    "Title,Pace\nA,Self-paced\nB,instructor paced",
    '"pace": $choice(Pace, {"Self-paced":"self_paced","instructor paced":"instructor_paced"})',
    "",
  ],
  ["Title,On website\nA,x", '"published": $published(`On website`) = true', ""],
  ["Title,Retired,Private\nA,no,yes", '"published": false /* yes; ', "Retired: no\n"],
])("import --suggest for %j maps only what its name and values say", async (text, used, unused) => {
  const r = await rigWith();
  const { mapping } = await suggested(r, "a.csv", `${text}\n`);
  const [code = "", comment = ""] = mapping.split("\n/* The mapping does not use");
  expect(code).toContain(used);
  expect(code).not.toContain("duration_in_hours");
  expect(comment).toContain(unused);
});

test("import reads an object with courses by their ids as a list, with the ids as keys", async () => {
  const r = await rigWith();
  const text = "knit:\n  title: Knit\n  level: novice\npurl:\n  title: Purl\n";
  const { courses } = await suggested(r, "by-id.yaml", text);
  expect(courses).toEqual([
    { key: "knit", name: "Knit" },
    { key: "purl", name: "Purl" },
  ]);
  await r.write("a.yaml", text.replaceAll("title", "name").replace("level", "pace"));
  const { stderr } = await r.run("courses import a.yaml");
  expect(stderr).toContain("a.yaml:2:3: error: row 1: pace must be");
  expect(stderr).toContain("a.yaml:5:3: error: row 2: url is missing");
});

test("import --suggest names the --from of a list that is further inside", async () => {
  const r = await rigWith();
  const text = JSON.stringify({ data: { courses: { edges: [{ node: { title: "A" } }] } } });
  const { mapping } = await suggested(r, "a.json", text);
  expect(mapping).toContain("; if these are the courses, use --from data.courses.edges\n");
});

test("import reads the front matter of Markdown", async () => {
  const r = await rigWith();
  const text =
    "---\r\ntitle: Knit\r\nlevel: beginner\r\ndraft: true\r\n---\r\n# a: [\r\n---\r\nx: 1\r\n";
  const { courses } = await suggested(r, "knit.md", text);
  expect(courses).toEqual([{ name: "Knit", level: ["beginner"], published: false }]);
  await r.write("toml.md", "+++\ntitle = 'Knit'\n+++\n");
  const ran = await r.run("courses import toml.md");
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain("toml.md:1:1: error: the page has no front matter: YAML between");
});

/** The courses that the suggested mapping makes of an export, by field, with the mapping. */
async function suggestFor({ file, text }: { readonly file: string; readonly text: string }) {
  const { courses, ...drafted } = await suggested(await rigWith(), file, text);
  const field = (name: string): unknown[] => courses.map((course) => course[name]);
  return { ...drafted, field };
}

test("import --suggest maps the columns of WordPress by their names, and uses none twice", async () => {
  const { mapping, field, warnings } = await suggestFor(WORDPRESS);
  expect(field("key")).toEqual(["11", "12", "13", "14"]);
  expect(field("published")).toEqual([true, false, true, false]);
  expect(field("duration_in_hours")).toEqual([1.5, 1.5, undefined, 4]);
  expect(mapping).toContain("   Difficulty: Beginner | Intermediate | All levels\n");
  expect(field("audio")[2]).toEqual(["en", "fr"]);
  expect(field("long_description")[0]).toBe("Loops & needles");
  expect(field("pace")).toEqual([undefined, undefined, undefined, undefined]);
  expect(mapping).toContain("1h 30m | 90 minutes | 2 days; not understood: 2 days */");
  expect(mapping).toContain("   Price: $49.90 | Free | 1,299.00; with your currency, write ");
  const columns = WORDPRESS.text.split("\n", 1)[0]?.split(",") ?? [];
  const code = mapping.replace(/\/\*.*?\*\//gs, "");
  for (const column of columns) {
    expect(code.match(new RegExp(`\\b${column}\\b`, "g")) ?? []).toHaveLength(
      /Price|Difficulty/.test(column) ? 0 : 1,
    );
  }
  expect(warnings).toBe("");
});

test("import --suggest leaves columns with names in other languages as comments with three samples", async () => {
  const { mapping, field } = await suggestFor(GERMAN_LIST);
  expect(field("url")[0]).toBe("https://www.nordlicht.example/kurse/excel");
  expect(field("name")[0]).toBeUndefined();
  expect(mapping).toContain("   Kursart: Präsenz | Live-Webinar | Selbststudium\n");
  expect(mapping).toContain("   `Preis (EUR)`: 1.299,00 | 49,90 | kostenlos\n");
});

const SAID = 'All courses will be published, because nothing is mapped to "published".';

test("import and --suggest say that all courses will be published if nothing is mapped to published", async () => {
  const text = "Title;Zertifikat\nA;yes\nB;no\n";
  const { mapping, warnings, ran } = await suggestFor({ file: "a.csv", text });
  expect(mapping).toContain(`/* ${SAID} */`);
  expect(warnings).toBe(`${SAID}\n`);
  expect(ran.stderr).toContain(`${SAID}\n`);
  expect(ran.stdout).not.toContain("published");
});

test("import --suggest writes published: false while a column looks like a status and is not understood", async () => {
  const text = "Title;Status\nA;neu\nB;alt\n";
  const { mapping, warnings, ran, field } = await suggestFor({ file: "a.csv", text });
  expect(mapping).toContain(
    '"published": false /* neu | alt; write which of these are published, such as Status = "…" */',
  );
  expect(field("published")).toEqual([false, false]);
  expect(warnings + ran.stderr).not.toContain("will be published");
});

const TABLE = [
  "Kursübersicht 2027;;;",
  ";;;",
  "Title;Status;Dauer;URL",
  "Stricken;published;3 Tage;https://academy.example/a",
  "Weben;in Prüfung;8 Std.;https://academy.example/c",
  "",
].join("\n");

const WORDS = ["courses", "import", "kurse.csv", "--suggest", "--out"];

test.each([true, false])(
  "import --suggest --out asks nothing, writes what --suggest prints, and replaces the file (on a terminal: %s)",
  async (terminal) => {
    const r = await rigWith();
    await r.write("kurse.csv", TABLE);
    await r.write("kurse.jsonata", "mine");
    const ran = await r.run([...WORDS, "kurse.jsonata"], { terminal });
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr.replaceAll("\n", " ")).toContain(
      "Wrote the mapping to kurse.jsonata. Check the mapping, then run: catalog courses import kurse.csv --map kurse.jsonata --out <folder>",
    );
    const mapping = await r.read("kurse.jsonata");
    expect(mapping).toBe((await r.run(WORDS.slice(0, 4))).stdout);
    expect(mapping).toContain("not understood, and therefore not published: in Prüfung */");
    expect(mapping).toContain("   Dauer: 3 Tage | 8 Std.\n");
  },
);
