/** `import --suggest` for exports of other systems, and the messages of import without a mapping. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Rig } from "../rig.ts";
import { rigWith } from "./helpers.ts";

/** The courses that the suggested mapping makes of a file, with the mapping. */
async function suggested(r: Rig, name: string, text: string, flags: readonly string[] = []) {
  await r.write(name, text);
  const { stdout: mapping } = await r.run(["courses", "import", name, "--suggest", ...flags]);
  await r.write("map.jsonata", mapping);
  const words = ["courses", "import", name, "--map", "map.jsonata", "--format", "json", ...flags];
  const { stdout } = await r.run(words);
  return { mapping, courses: JSON.parse(stdout) };
}

describe("mappings", () => {
  test("import --suggest names the flags of its source, and guesses no currency, language, provider or pace", async () => {
    const text = JSON.stringify({ data: { items: [{ id: 1, title: "A", price: 49 }] } });
    const flags = ["--from", "data.items"];
    const { mapping } = await suggested(await rigWith(), "my export.json", text, flags);
    const command = "catalog courses import 'my export.json' --from data.items --map <this file>";
    expect(mapping).toContain(command);
    expect(mapping.slice(mapping.indexOf("{\n"))).toBe(`{
  "key": $string(id), /* 1 */
  "name": title, /* A */
  "url": "", /* required: no column found. For example: "https://academy.example/courses/" & <column> */
  "short_description": "", /* required: no column found */
  "long_description": "", /* required: no column found */
  "audio": "", /* required: no column found. For example: ["en"] */
  "provider": "", /* the slug of your provider ("catalog providers ls" lists it), here or in catalog.defaults.yaml */
  "pace": "" /* required: no column found. Write "self_paced" or "instructor_paced" */
}
/* The mapping does not use these columns:
   price: 49; with your currency, write "prices": [$price(price)[$number($) > 0].{ "type": "single_course", "price": $, "currency": "…" }]
*/
`);
  });

  test("import explains a missing provider with the file and the command that fix it", async () => {
    const r = await rigWith();
    await suggested(r, "export.csv", "id,title,url\n1,A,https://academy.example/a\n");
    const ran = await r.run(["courses", "import", "export.csv", "--map", "map.jsonata"]);
    expect(ran.stderr).toContain(
      'To set the provider of all courses, write "provider: <slug>" into catalog.defaults.yaml in their folder; "catalog providers ls" lists the slugs.\n',
    );
  });

  test("import --suggest reads units in the names of columns", async () => {
    const text = "Course ID,Course Title,Duration (minutes)\n7,Watercolor,90\n";
    const { courses } = await suggested(await rigWith(), "export.csv", text);
    expect(courses).toEqual([{ key: "7", name: "Watercolor", duration_in_hours: 1.5 }]);
  });

  test("import --suggest does not list a column as unused if another expression uses it", async () => {
    const text = "id,title,price,currency,color\n1,A,49,CHF,red\n";
    const { mapping } = await suggested(await rigWith(), "export.csv", text);
    expect(mapping).toContain('"currency": $$.currency');
    expect(mapping.slice(mapping.indexOf("/* The mapping does not use"))).toBe(
      "/* The mapping does not use these columns:\n   color: red\n*/\n",
    );
  });

  test("import --suggest prefers the title of a post to its title for search engines", async () => {
    const post = {
      yoast_head_json: { title: "Knitting - Academy", description: "Learn to knit" },
      title: { rendered: "Knitting &#8211; Basics" },
    };
    const { courses } = await suggested(await rigWith(), "wp.json", JSON.stringify([post]));
    expect(courses).toEqual([expect.objectContaining({ name: "Knitting – Basics" })]);
  });
});

describe("texts of unknown formats", () => {
  test("import --suggest reads a table in a .txt file like a table on standard input", async () => {
    const r = await rigWith();
    const table = "Title\tText\nStricken\tGarn: Wolle: Nadeln\n";
    const { courses } = await suggested(r, "export.txt", table);
    expect(courses).toEqual([expect.objectContaining({ name: "Stricken" })]);
    const input = await r.run(["courses", "import", "-", "--suggest"], { input: table });
    expect(input.stdout).toContain('"name": Title');
  });

  test("check - does not report a table of another system as invalid YAML", async () => {
    const r = await rigWith();
    const check = async (input: string) =>
      (await r.run(["courses", "check", "-"], { input })).stdout;
    expect(await check("Titel;Text\nStricken;Garn: Wolle: Nadeln\n")).toContain(
      "<stdin>:1:1: error: none of the columns is a course field",
    );
    expect(await check("name: Knitting, for Beginners\nurl https\n")).toContain("not valid YAML");
  });

  test("import - reports JSON that ends early as a syntax error, not as an empty table", async () => {
    const r = await rigWith();
    const ran = await r.run(["courses", "import", "-", "--out", "c"], { input: '[{"name": "A"},' });
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining("[syntax]") });
  });

  test("import --suggest exits with 2 and prints no mapping for a source without rows", async () => {
    const r = await rigWith();
    await r.write("a.csv", "name,url\n");
    const ran = await r.run(["courses", "import", "a.csv", "--suggest"]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("unsuitable mappings", () => {
  test("import reports a table without any field as one problem and writes nothing", async () => {
    const r = await rigWith();
    await r.write("a.csv", "Titel;Sprache\nStricken;Deutsch\nNähen;Deutsch\n");
    const ran = await r.run(["courses", "import", "a.csv", "--out", "c"]);
    expect([ran.code, ran.stderr.split("\n").slice(0, 3)]).toEqual([
      3,
      [
        "a.csv:1:1: error: none of the columns is a course field [not-a-course]",
        "Ignored Titel and Sprache, which are not course fields. To map them to fields: catalog courses import a.csv --suggest",
        "2 rows: 0 courses, 0 skipped, 2 failed. Nothing was written.",
      ],
    ]);
    expect(await readdir(join(r.folder, "c"))).toEqual([]);
  });

  test("import suggests --suggest with the flags that read the file", async () => {
    const r = await rigWith();
    await r.write("a b.json", JSON.stringify({ data: { items: [{ Titel: "Stricken" }] } }));
    const words = ["courses", "import", "a b.json", "--from", "data.items", "--out", "c"];
    const command = "catalog courses import 'a b.json' --from data.items --suggest\n";
    expect((await r.run(words)).stderr).toContain(command);
  });

  test("import --suggest reads a list of one row with a list inside as rows", async () => {
    const text = JSON.stringify({ results: [{ title: "A", seats: [{ price: "9.00" }] }] });
    const flags = ["--from", "results"];
    const { courses } = await suggested(await rigWith(), "a.json", text, flags);
    expect(courses).toEqual([expect.objectContaining({ name: "A" })]);
  });

  test("import --from names the path of the list in the selected object", async () => {
    const r = await rigWith();
    await r.write("a.json", JSON.stringify({ data: { rows: [{ title: "A" }] } }));
    const ran = await r.run(["courses", "import", "a.json", "--from", "data"]);
    expect(ran.stderr).toBe(
      'error: data in a.json is an object, not a list of courses\n  Are the courses in "rows"? If so, pass --from data.rows.\n',
    );
  });

  test("import names the path of a list inside several objects", async () => {
    const r = await rigWith();
    await r.write(
      "a.json",
      JSON.stringify({ data: { courses: { edges: [{ title: "A" }] } }, ok: true }),
    );
    const imported = await r.run(["courses", "import", "a.json"]);
    expect(imported.stderr).toContain(
      'Are the courses in "data.courses.edges"? If so, pass --from data.courses.edges.',
    );
  });

  test("import advises --from if the mapping finds nothing in an object around the list", async () => {
    const r = await rigWith();
    await r.write("a.json", JSON.stringify({ results: [{ title: "A" }], count: 1 }));
    await r.write("map.jsonata", '{ "name": title, "pace": "self_paced" }');
    const ran = await r.run(["courses", "import", "a.json", "--map", "map.jsonata"]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("--from results") });
  });
});

describe("--map schema.org", () => {
  test("import --map schema.org reads numbers with commas and omits what is not a number or a level", async () => {
    const page = {
      ...{ "@context": "https://schema.org", "@type": "Course", name: "A" },
      url: "https://academy.example/a",
      educationalLevel: ["Beginner", "undergraduate"],
      offers: [
        { price: "1.299,00", priceCurrency: "EUR" },
        { price: "on request", priceCurrency: "EUR" },
        { price: 12.345, priceCurrency: "KWD" },
      ],
      aggregateRating: { ratingValue: "4,125", ratingCount: "1,204", reviewCount: "n/a" },
    };
    const r = await rigWith();
    await r.write("a.jsonld", JSON.stringify(page));
    const words = ["courses", "import", "a.jsonld", "--map", "schema.org", "--format", "json"];
    const [course] = JSON.parse((await r.run(words)).stdout);
    expect(course).toMatchObject({
      level: ["beginner"],
      prices: [
        { price: "1299.00", currency: "EUR" },
        { price: "12.345", currency: "KWD" },
      ],
      provider_rating: { type: "scale", min: 1, max: 5, value: 4.125, rating_count: 1204 },
    });
    expect(course.provider_rating).not.toHaveProperty("review_count");
  });

  test("import --map schema.org resolves relative urls, uses the canonical address, and counts unused offers", async () => {
    const course = {
      ...{ "@type": "Course", name: "A", image: "/img/a.png" },
      offers: [
        { price: "0", priceCurrency: "EUR" },
        { price: "$49", priceCurrency: "USD" },
        { lowPrice: "10", highPrice: "20" },
      ],
      hasCourseInstance: { courseMode: "online", offers: { category: "Free" } },
    };
    const r = await rigWith();
    const importPage = async (name: string, courses: readonly object[]) => {
      const link = '<link rel="canonical" href="https://academy.example/courses/knit">';
      const data = `<script type="application/ld+json">${JSON.stringify(courses)}</script>`;
      await r.write(name, data + link);
      const words = ["courses", "import", name, "--map", "schema.org", "--format", "json"];
      const { stdout, stderr } = await r.run(words);
      return { courses: JSON.parse(stdout), stderr };
    };
    const one = await importPage("one.html", [course]);
    expect(one.courses).toMatchObject([
      {
        url: "https://academy.example/courses/knit",
        image_url: "https://academy.example/img/a.png",
        prices: [{ price: "49.00", currency: "USD" }],
      },
    ]);
    expect(one.stderr).toContain('offers: 1 of 4 values is used; not understood: "0" (1), ');
    const two = await importPage("two.html", [{ ...course, url: "../purl" }, course]);
    const urls = two.courses.map(({ url }: { url?: string }) => url);
    expect(urls).toEqual(["https://academy.example/purl", undefined]);
  });
});

test.each([
  ["of the category Free", { category: "Free" }, { free_content: true }, ""],
  ["of 0", { price: "0", priceCurrency: "EUR" }, { free_content: true }, ""],
  [
    "with a specification",
    { priceSpecification: { price: 29, priceCurrency: "EUR" } },
    { prices: [{ type: "single_course", price: "29.00", currency: "EUR" }] },
    "",
  ],
  ["of a range", { lowPrice: "39", highPrice: "59" }, {}, "offers: 0 of 1 values are used"],
  ["without a currency", { price: "€49.90" }, {}, 'not understood: "€49.90" (1)'],
])(
  "import --map schema.org uses an offer %s, or says that it does not",
  async (_, offers, expected, said) => {
    const r = await rigWith();
    const course = JSON.stringify({ "@type": "Course", name: "A", offers });
    await r.write("a.html", `<script type="application/ld+json">${course}</script>`);
    const words = ["courses", "import", "a.html", "--map", "schema.org", "--format", "json"];
    const { stdout, stderr } = await r.run(words);
    expect(JSON.parse(stdout)).toEqual([{ name: "A", pace: "self_paced", ...expected }]);
    expect(stderr).toContain(said);
  },
);

test.each([
  ["url", "/knitting/", '"url": "https://academy.example" & url'],
  ["slug", "knitting", '"url": "https://academy.example/courses/" & slug'],
])("import --suggest writes how the column %s becomes an address", async (column, end, example) => {
  const r = await rigWith();
  await r.write("a.csv", `id,name,${column}\n1,Knitting,${end}\n`);
  const { stdout } = await r.run(["courses", "import", "a.csv", "--suggest"]);
  expect(stdout).toContain(`${column}: ${end}; with the URL of your website, write ${example}`);
});

test("import skips a total below columns that are fields, and lists it", async () => {
  const r = await rigWith();
  await r.write("a.csv", "name,url,pace\nKnit,https://academy.example/k,self_paced\nTotal: 1,,\n");
  const { stdout, stderr } = await r.run(["courses", "import", "a.csv", "--format", "json"]);
  expect(JSON.parse(stdout)).toMatchObject([{ name: "Knit" }]);
  expect(stderr).toContain('Skipped 1 row: row 3 ("Total: 1").');
});

test("import reads the front matter of Markdown", async () => {
  const r = await rigWith();
  const text = "---\r\ntitle: Knit\r\nlevel: beginner\r\n---\r\n# a: [\r\n---\r\nx: 1\r\n";
  const { courses } = await suggested(r, "knit.md", text);
  expect(courses).toEqual([{ name: "Knit", level: ["beginner"] }]);
});
