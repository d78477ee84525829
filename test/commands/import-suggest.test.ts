/** `import --suggest`: what it maps, what it leaves as a comment, and what it says. */
import { expect, test } from "vitest";
import { importIn, suggested } from "./import-rig.ts";

test("import --suggest names the flags of its source, and guesses no currency, language, provider or pace", async () => {
  const data = { data: { items: [{ id: 1, title: "A", price: 49 }] } };
  const { r } = await importIn({ "my export.json": data }, "--help");
  const words = ["courses", "import", "my export.json", "--suggest", "--from", "data.items"];
  const { stdout } = await r.run(words);
  const command = "catalog courses import 'my export.json' --from data.items --map <this file>";
  expect(stdout).toContain(command);
  expect(stdout).toContain("A mapping is a JSONata expression (https://jsonata.org).");
  expect(stdout.slice(stdout.indexOf("{\n"))).toBe(`{
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

const STATUS_UNKNOWN =
  '"published": false /* ja | nein; write which of these are published, such as ';

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
  ["Id,Title,Slug\n7,A,knit", '"url": "",', '"https://academy.example/courses/" & Slug'],
  ["Title,url\nA,www.a.example/c", '"url": "",', 'of your website, write "url": "https://" & url'],
  ["Title,url\nA,/c/knit/", '"url": "",', 'write "url": "https://academy.example" & url'],
  ["Title,Draft\nA,no\nB,yes", '"published": $not($published(Draft) = true)', ""],
  ["Title,Online?\nA,yes\nB,no", '"published": $published(`Online?`) = true', ""],
  ["Title,Online?\nA,ja\nB,nein", `${STATUS_UNKNOWN}\`Online?\` = "…" */`, ""],
  ["Title,Pace\nA,Self-paced", '"pace": $choice(Pace, {"Self-paced":"self_paced"})', ""],
  ["Title,On website\nA,x", '"published": $published(`On website`) = true', ""],
  ["Title,Retired,Private\nA,no,yes", '"published": false /* yes; ', "Retired: no\n"],
])("import --suggest for %j maps only what its name and values say", async (text, used, unused) => {
  const { mapping } = await suggested("a.csv", `${text}\n`);
  const [code = "", comment = ""] = mapping.split("\n/* The mapping does not use");
  expect(code).toContain(used);
  expect(code).not.toContain("duration_in_hours");
  expect(comment).toContain(unused);
});

test("import reads an object with courses by their ids as a list, with the ids as keys", async () => {
  const text = "knit:\n  title: Knit\n  level: novice\npurl:\n  title: Purl\n";
  const { courses } = await suggested("by-id.yaml", text);
  expect(courses.map(({ key, name }) => `${key} ${name}`)).toEqual(["knit Knit", "purl Purl"]);
  const fields = text.replaceAll("title", "name").replace("level", "pace");
  const { stderr } = await importIn({ "a.yaml": fields }, "a.yaml");
  expect(stderr).toContain("a.yaml:2:3: error: row 1: pace must be");
  expect(stderr).toContain("a.yaml:5:3: error: row 2: url is missing");
});

test("import --suggest names the --from of a list that is further inside", async () => {
  const text = JSON.stringify({ data: { courses: { edges: [{ node: { title: "A" } }] } } });
  const { mapping } = await suggested("a.json", text);
  expect(mapping).toContain("; if these are the courses, use --from data.courses.edges\n");
});

test("import reads the front matter of Markdown", async () => {
  const text =
    "---\r\ntitle: Knit\r\nlevel: beginner\r\ndraft: true\r\n---\r\n# a: [\r\n---\r\nx: 1\r\n";
  const { courses } = await suggested("knit.md", text);
  expect(courses).toEqual([{ name: "Knit", level: ["beginner"], published: false }]);
  const ran = await importIn({ "toml.md": "+++\ntitle = 'Knit'\n+++\n" }, "toml.md");
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain("toml.md:1:1: error: the page has no front matter: YAML between");
});

test("import --suggest maps the columns of WordPress by their names, and uses none twice", async () => {
  const table = `ID,Title,Excerpt,Content,Status,Language,Difficulty,Duration,Price,Permalink
11,Knitting,"The basics of […]",<p>Loops &amp; needles</p>,publish,en_US,Beginner,1h 30m,$49.90,https://yarn.example/knitting
12,Weaving,"Warp, weft",<p>A loom</p>,private,English; French,All levels,2 days,"1,299.00",https://yarn.example/weaving
`;
  const { mapping, courses, warnings } = await suggested("wordpress.csv", table);
  expect(courses).toMatchObject([
    { key: "11", published: true, duration_in_hours: 1.5, long_description: "Loops & needles" },
    { key: "12", published: false, audio: ["en", "fr"] },
  ]);
  expect(mapping).toContain("   Difficulty: Beginner | All levels\n");
  expect(mapping).toContain("1h 30m | 2 days; not understood: 2 days */");
  expect(mapping).toContain("   Price: $49.90 | 1,299.00; with your currency, write ");
  const code = mapping.replace(/\/\*.*?\*\//gs, "");
  for (const column of table.split("\n", 1)[0]?.split(",") ?? []) {
    const used = code.match(new RegExp(`\\b${column}\\b`, "g")) ?? [];
    expect(used).toHaveLength(/Price|Difficulty/.test(column) ? 0 : 1);
  }
  expect(warnings).toBe("");
});

test("import --suggest leaves columns with names in other languages as comments with three samples", async () => {
  const table =
    "Titel;Kursart;Preis (EUR)\nExcel;Präsenz;1.299,00\nWord;Live-Webinar;49,90\nOutlook;Präsenz;kostenlos\nTeams;Selbststudium;5\n";
  const { mapping, courses } = await suggested("liste.csv", table);
  expect(courses[0]?.name).toBeUndefined();
  expect(mapping).toContain("   Kursart: Präsenz | Live-Webinar | Selbststudium\n");
  expect(mapping).toContain("   `Preis (EUR)`: 1.299,00 | 49,90 | kostenlos\n");
});

const SAID = 'All courses will be published, because nothing is mapped to "published".';

test("import and --suggest say that all courses will be published if nothing is mapped to published", async () => {
  const { mapping, warnings, ran } = await suggested("a.csv", "Title;Zertifikat\nA;yes\nB;no\n");
  expect(mapping).toContain(`/* ${SAID} */`);
  expect(warnings).toBe(`${SAID}\n`);
  expect(ran.stderr).toContain(`${SAID}\n`);
  expect(ran.stdout).not.toContain("published");
});

test("import --suggest writes published: false while a column looks like a status and is not understood", async () => {
  const { warnings, ran } = await suggested("a.csv", "Title;Status\nA;neu\nB;alt\n");
  expect(ran.stdout.match(/"published": ?false/g)).toHaveLength(2);
  expect(warnings + ran.stderr).not.toContain("will be published");
});

test("import --suggest --out asks nothing on a terminal, writes what --suggest prints, and replaces the file", async () => {
  const table = "Title;Status\nStricken;published\nWeben;in Prüfung\n";
  const files = { "kurse.csv": table, "kurse.jsonata": "mine" };
  const { r, stdout } = await importIn(files, "kurse.csv --suggest");
  const line = "courses import kurse.csv --suggest --out kurse.jsonata";
  const ran = await r.run(line, { terminal: true });
  expect(ran).toMatchObject({ code: 0, stdout: "" });
  expect(ran.stderr.replaceAll("\n", " ")).toContain(
    "Wrote the mapping to kurse.jsonata. Check the mapping, then run: catalog courses import kurse.csv --map kurse.jsonata --out <folder>",
  );
  expect(await r.read("kurse.jsonata")).toBe(stdout);
  expect(stdout).toContain("not understood, and therefore not published: in Prüfung */");
});
