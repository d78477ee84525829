/** `import --suggest` for exports of other systems, and the messages of import without a mapping. */
import { describe, expect, test } from "vitest";
import { rigWith } from "./helpers.ts";
import { suggested } from "./import-exports.ts";

describe("mappings", () => {
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
  "audio": "", /* required: no column found. For example: ["en"] */
  "provider": "", /* the slug of your provider ("catalog providers ls" lists it), here or in catalog.defaults.yaml */
  "pace": "" /* required: no column found. Write "self_paced" or "instructor_paced" */
}
/* The mapping does not use these columns:
   price: 49; with your currency, write "prices": [$price(price)[$number($) > 0].{ "type": "single_course", "price": $, "currency": "…" }]
*/
`);
  });
});

test.each([
  ['Price\n"49,90 €"\nCHF 120.-\nFree', "{\n", "; with the currency of each price, write"],
  ["Price\n$49\n1.299\nFree", "{\n", "; with your currency, write"],
  ["Effort\n3 hours", '{\n  "name": "",', "Effort: 3 hours\n"],
  ["Seminar\nKnitting", '"name": Seminar,', ""],
  ["Class name\nKnitting", '"name": `Class name`,', ""],
  ["Kurs\nStricken", '"name": "",', "Kurs: Stricken\n"],
  ["duration_minutes\n90", "{\n", '$hours(duration_minutes & " minutes")'],
  ["Duration (min)\n90", "{\n", '$hours(`Duration (min)` & " minutes")'],
  ["Duration\n90", "{\n", '$hours(Duration & " hours")'],
  ["Title\nВязание", '"audio": "",', ""],
  [
    "Id,Title,Slug\n7,A,knit",
    '"url": "",',
    'write "url": "https://academy.example/courses/" & Slug',
  ],
  ["Title,url\nA,/c/knit/", '"url": "",', 'write "url": "https://academy.example" & url'],
  ["Title,Draft\nA,no\nB,yes", '"published": $not($published(Draft) = true)', ""],
  ["Title,Online?\nA,yes\nB,no", '"published": $published(`Online?`) = true', ""],
  ["Title,Pace\nA,Self-paced\nB,instructor paced", '"pace": $replace($lowercase(Pace), ', ""],
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
  const { stderr } = await r.run(["courses", "import", "a.yaml"]);
  expect(stderr).toContain("a.yaml:2:3: error: row 1: pace must be");
  expect(stderr).toContain("a.yaml:5:3: error: row 2: url is missing");
});

test("import --suggest names the --from of a list that is further inside", async () => {
  const r = await rigWith();
  const text = JSON.stringify({ data: { courses: { edges: [{ node: { title: "A" } }] } } });
  const { mapping } = await suggested(r, "a.json", text);
  expect(mapping).toContain("; if these are the courses, use --from data.courses.edges\n");
});

describe("--map schema.org", () => {
  test("import --map schema.org cuts no text inside a word, and counts durations that it cannot convert to hours", async () => {
    const word = "vierundzwanzig ";
    const texts = [word.repeat(14), word.repeat(13).trim(), "語".repeat(300)];
    const courses = texts.map((description, index) => ({
      ...{ "@type": "Course", description, url: `https://academy.example/${index}` },
      timeRequired: ["P3M", "P0Y0M0DT5H30M", "PT90M"][index],
    }));
    const r = await rigWith();
    await r.write("a.json", JSON.stringify(courses));
    const words = ["courses", "import", "a.json", "--map", "schema.org", "--format", "json"];
    const { stdout, stderr } = await r.run(words);
    expect(
      JSON.parse(stdout).map((course: Record<string, unknown>) => [
        course.short_description,
        course.duration_in_hours,
      ]),
    ).toEqual([
      [`${word.repeat(13).trim()}…`, undefined],
      [texts[1], 5.5],
      [texts[2], 1.5],
    ]);
    expect(stderr).toContain('timeRequired: 2 of 3 values are used; not understood: "P3M" (1).\n');
  });

  test("import --map schema.org shows a relative url that it cannot resolve, and uses an @id without its fragment", async () => {
    const r = await rigWith();
    const course = { "@type": "Course", name: "A" };
    const id = "https://academy.example/lace/#/schema/Course/1";
    await r.write(
      "a.json",
      JSON.stringify([
        { ...course, "@id": id },
        { ...course, url: "/k/" },
      ]),
    );
    const words = ["courses", "import", "a.json", "--map", "schema.org", "--format", "json"];
    const { stdout, stderr } = await r.run(words);
    const urls = JSON.parse(stdout).map(({ url }: { url?: string }) => url);
    expect(urls).toEqual(["https://academy.example/lace/", "/k/"]);
    expect(stderr).toMatch(/row 2: url .*"\/k\/"/);
  });

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
    });
  });

  test("import of a page needs no mapping, resolves relative urls, uses the canonical address, and counts unused offers", async () => {
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
      const words = ["courses", "import", name, "--format", "json"];
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

test("import --map schema.org resolves a relative url against the address that a page gives to social networks", async () => {
  const r = await rigWith();
  const meta = '<meta property="og:url" content="https://academy.example/a/"/>';
  const course = JSON.stringify({ "@type": "Course", name: "A", url: "../knit" });
  await r.write("a.html", `${meta}<script type="application/ld+json">${course}</script>`);
  const { stdout } = await r.run(["courses", "import", "a.html", "--map", "schema.org"]);
  expect(stdout).toContain("url: https://academy.example/knit\n");
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

test("import reads the front matter of Markdown", async () => {
  const r = await rigWith();
  const text =
    "---\r\ntitle: Knit\r\nlevel: beginner\r\ndraft: true\r\n---\r\n# a: [\r\n---\r\nx: 1\r\n";
  const { courses } = await suggested(r, "knit.md", text);
  expect(courses).toEqual([{ name: "Knit", level: ["beginner"], published: false }]);
  await r.write("toml.md", "+++\ntitle = 'Knit'\n+++\n");
  const ran = await r.run(["courses", "import", "toml.md"]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain("toml.md:1:1: error: the page has no front matter: YAML between");
});
