/** `import --suggest` for exports of other systems, and the messages of import without a mapping. */
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
  const text = "---\r\ntitle: Knit\r\nlevel: beginner\r\n---\r\n# a: [\r\n---\r\nx: 1\r\n";
  const { courses } = await suggested(r, "knit.md", text);
  expect(courses).toEqual([{ name: "Knit", level: ["beginner"] }]);
});
