/** `import` of pages that describe courses for search engines, and `--map schema.org`. */
import { expect, test } from "vitest";
import { rigWith } from "./helpers.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The courses that import makes of a file, by default a page, and its messages. */
async function importFile(content: unknown, name = "a.html") {
  const r = await rigWith();
  await r.write(name, typeof content === "string" ? content : JSON.stringify(content));
  const { stdout, stderr } = await r.run(`courses import ${name} --map schema.org --format json`);
  return { courses: JSON.parse(stdout) as Fields[], stderr };
}

function script(json: unknown): string {
  return `<script type="application/ld+json">${JSON.stringify(json)}</script>`;
}

const COURSE = { "@type": "Course", name: "A" };
const RANGE = { lowPrice: 9, highPrice: 19 };
const EUR = { priceCurrency: "EUR" };
const eur = (price: unknown, more: object = {}) => ({ price, ...EUR, ...more });

/** The prices of a course: "free", or such as "49.00 EUR, 90.00 EUR per 3 months". */
function describePrices({ free_content, prices = [] }: Fields): string {
  const described = (prices as Fields[]).map(({ type, price, currency, payment_period }) => {
    const { value, unit } = (payment_period ?? {}) as Fields;
    expect(type).toBe(payment_period === undefined ? "single_course" : "subscription");
    return `${price} ${currency}${payment_period === undefined ? "" : ` per ${value} ${unit}`}`;
  });
  return free_content === true ? "free" : described.join(", ");
}

test("import --map schema.org cuts no text inside a word, and counts durations that it cannot convert to hours", async () => {
  const words = "vierundzwanzig ".repeat(13).trim();
  const rows = [
    { ...COURSE, description: `${words} vierundzwanzig`, timeRequired: "P3M" },
    { ...COURSE, description: "語".repeat(300), timeRequired: "PT90M" },
  ];
  const { courses, stderr } = await importFile(rows, "a.json");
  expect(courses.map((each) => [each.short_description, each.duration_in_hours])).toEqual([
    [`${words}…`, undefined],
    ["語".repeat(300), 1.5],
  ]);
  expect(stderr).toContain('timeRequired: used 1 of 2 values; not understood: "P3M" (1).\n');
});

test("import --map schema.org shows a relative url that it cannot resolve, and uses an @id without its fragment", async () => {
  const rows = [{ "@id": "https://academy.example/lace/#/schema/Course/1" }, { url: "/k/" }];
  const { courses, stderr } = await importFile(
    rows.map((row) => ({ ...COURSE, ...row })),
    "a.json",
  );
  expect(courses.map(({ url }) => url)).toEqual(["https://academy.example/lace/", "/k/"]);
  expect(stderr).toMatch(/row 2: url .*"\/k\/"/);
});

test("import --map schema.org reads numbers with commas and omits what is not a number or a level", async () => {
  const educationalLevel = ["Beginner, Advanced", "undergraduate"];
  const offers = [eur("1.299,00"), eur("on request"), { price: 12.345, priceCurrency: "KWD" }];
  const { courses, stderr } = await importFile({ ...COURSE, educationalLevel, offers }, "a.jsonld");
  expect(stderr).toContain('educationalLevel: used 2 of 3 values; not understood: "undergraduate"');
  expect(courses).toMatchObject([{ level: ["beginner", "advanced"] }]);
  expect(courses.map(describePrices)).toEqual(["1299.00 EUR, 12.345 KWD"]);
});

test("import of a page needs no mapping, resolves relative urls, uses the canonical address, and counts unused offers", async () => {
  const offers = [eur("0"), { price: "$49", priceCurrency: "USD" }, RANGE];
  const hasCourseInstance = { courseMode: "online", offers: { category: "Free" } };
  const course = { ...COURSE, image: "/img/a.png", offers, hasCourseInstance };
  const link = '<link rel="canonical" href="https://academy.example/courses/knit">';
  const one = await importFile(script([course]) + link);
  const addresses = ["https://academy.example/courses/knit", "https://academy.example/img/a.png"];
  expect(one.courses.map(({ url, image_url }) => [url, image_url])).toEqual([addresses]);
  expect(one.courses.map(describePrices)).toEqual(["49.00 USD"]);
  expect(one.stderr).toContain('offers: used 1 of 4 values; not understood: "0" (1), ');
  const two = await importFile(script([{ ...course, url: "../purl" }, course]) + link);
  expect(two.courses.map(({ url }) => url)).toEqual(["https://academy.example/purl", undefined]);
});

const specified = (...priceSpecification: unknown[]) => ({ priceSpecification });
const billed = (unitCode: string, billingDuration: number) =>
  eur(39, { unitCode, billingDuration, billingIncrement: 1 });
const QUARTER = specified({ price: 90, billingDuration: "P3M" });
const LIST = { priceType: "https://schema.org/ListPrice" };
const STRUCK = specified({ price: 49 }, { price: 99, priceType: "StrikethroughPrice" });
const UNTYPED = specified({ price: 99 }, { price: 49 });
const SALE = specified({ price: 99 }, { price: 49, priceType: "SalePrice" });
const CURRENCIES = specified(eur(9), { price: 10, priceCurrency: "USD" });

test.each<[title: string, offers: unknown, prices: string, said: string]>([
  ["of the category Free", { category: "Free" }, "free", ""],
  ["that is partially free", { category: "Partially Free" }, "free", ""],
  ["of 0", eur("0"), "free", ""],
  ["with a specification", specified(eur(29)), "29.00 EUR", ""],
  ["of a range", RANGE, "", "offers: used 0 of 1 value"],
  ["without a currency", { price: "€49.90" }, "", 'not understood: "€49.90" (1)'],
  [
    "with a list price",
    specified(eur("9", LIST), eur("4")),
    "4.00 EUR",
    'not understood: "9" (1).',
  ],
  ["with a price that is struck through", eur(49, STRUCK), "49.00 EUR", "not understood: 99 (1)."],
  ["with a sale price", { ...EUR, ...SALE }, "49.00 EUR", "not understood: 99 (1)."],
  ["with two prices without types", { ...EUR, ...UNTYPED }, "", "offers: used 0 of 2 values"],
  ["whose own price decides", eur(49, UNTYPED), "49.00 EUR", "not understood: 99 (1)."],
  ["with a price of each currency", CURRENCIES, "9.00 EUR, 10.00 USD", ""],
  ["that is billed each month", specified(billed("MON", 1)), "39.00 EUR per 1 months", ""],
  ["that is billed each quarter", eur(90, QUARTER), "90.00 EUR per 3 months", ""],
  ["of a number of payments", billed("MON", 12), "", "used 0 of 1 value; not understood: 39 (1)."],
  ["for each hour", eur(39, { unitCode: "HUR" }), "", "not understood: 39 (1)."],
  [
    "of several offers",
    { ...EUR, ...RANGE, offers: [{ price: 9 }, { price: 19 }] },
    "9.00 EUR, 19.00 EUR",
    "",
  ],
  ["that is named twice", [eur(49), eur("49")], "49.00 EUR", ""],
])("import uses an offer %s, or says that it does not", async (_, offers, expected, said) => {
  const { courses, stderr } = await importFile(script({ ...COURSE, offers }));
  expect(courses.map(describePrices)).toEqual([expected]);
  expect(stderr).toContain(said);
});

test.each([
  ["online, self-paced", "self_paced"],
  ["asynchronous", "self_paced"],
  ["instructor-led", "instructor_paced"],
  [["online", "synchronous"], "instructor_paced"],
  ["online", undefined],
  ["onsite", undefined],
  ["distance learning, delivery by mail", undefined],
  ["live and self-paced", undefined],
  [undefined, undefined],
])("import --map schema.org reads the pace of the mode %j as %s", async (courseMode, pace) => {
  const rows = [{ ...COURSE, hasCourseInstance: [{ courseMode }] }];
  const { courses } = await importFile(rows, "a.json");
  expect(courses).toEqual([{ name: "A", ...(pace === undefined ? {} : { pace }) }]);
});

test("import of a page changes no text without markup, and keeps its paragraphs", async () => {
  const name = "Generics: List<T> and Map<K, V>";
  const description = "What List<String> means.\n\nSecond paragraph.";
  const { courses } = await importFile(script({ "@type": "Course", name, description }));
  expect(courses).toMatchObject([{ name, long_description: description }]);
});

test("import follows an @id to another part of the page, in both directions, and ends at a circle", async () => {
  const parts = { offers: { "@id": "#o" }, hasCourseInstance: [{ "@id": "#i" }] };
  const graph = [
    { ...COURSE, "@type": ["Product", "Course"], "@id": "#c", ...parts },
    { "@type": "CourseInstance", "@id": "#i", courseMode: "self-paced", about: { "@id": "#c" } },
    { "@type": "ItemList", itemListElement: [{ item: { "@type": "Course", "@id": "#c" } }] },
  ];
  const { courses } = await importFile(
    script({ "@graph": graph }) + script({ "@id": "#o", ...eur(5) }),
  );
  expect(courses).toMatchObject([{ name: "A", pace: "self_paced" }]);
  expect(courses.map(describePrices)).toEqual(["5.00 EUR"]);
});

test.each([
  ["//<![CDATA[\n", "\n//]]>", "2:21"],
  ["/*<![CDATA[*/", "/*]]>*/", "1:69"],
  ["\n<!--\n", "\n-->\n", "3:21"],
])(
  "import reads JSON-LD between %j and %j, and reports the place of its errors",
  async (before, after, place) => {
    const page = (json: string) =>
      importFile(`<script type="application/ld+json">${before}${json}${after}</script>`);
    expect((await page('{"@type": "Course", "name": "A"}')).courses).toEqual([{ name: "A" }]);
    expect((await page('{"@type": "Course", }')).stderr).toContain(`a.html:${place}: error`);
  },
);

test.each([
  ['<base href="https://a.example/c/">', "lace/", "https://a.example/c/lace/"],
  ['<meta property="og:url" content="https://a.example/c/"/>', "../lace", "https://a.example/lace"],
  [
    '<base href="/c/"><link rel="canonical" href="https://a.example/x/y">',
    "lace/",
    "https://a.example/c/lace/",
  ],
  [
    '<link rel="canonical" href="/c/lace"><base href="https://a.example/">',
    undefined,
    "https://a.example/c/lace",
  ],
  ['<link rel="canonical" href="https://a.example/x">', "HTTPS://A.example", "HTTPS://A.example"],
])("import of a page with %s resolves the url %j to %s", async (head, url, resolved) => {
  const { courses } = await importFile(head + script({ ...COURSE, url }));
  expect(courses).toEqual([{ name: "A", url: resolved }]);
});
