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

test("import --map schema.org cuts no text inside a word, and counts durations that it cannot convert to hours", async () => {
  const word = "vierundzwanzig ";
  const texts = [word.repeat(14), word.repeat(13).trim(), "語".repeat(300)];
  const times = ["P3M", "P0Y0M0DT5H30M", "PT90M"];
  const { courses, stderr } = await importFile(
    texts.map((description, at) => ({ ...COURSE, description, timeRequired: times[at] })),
    "a.json",
  );
  expect(courses.map((each) => [each.short_description, each.duration_in_hours])).toEqual([
    [`${word.repeat(13).trim()}…`, undefined],
    [texts[1], 5.5],
    [texts[2], 1.5],
  ]);
  expect(stderr).toContain('timeRequired: 2 of 3 values are used; not understood: "P3M" (1).\n');
});

test("import --map schema.org shows a relative url that it cannot resolve, and uses an @id without its fragment", async () => {
  const id = "https://academy.example/lace/#/schema/Course/1";
  const rows = [
    { ...COURSE, "@id": id },
    { ...COURSE, url: "/k/" },
  ];
  const { courses, stderr } = await importFile(rows, "a.json");
  expect(courses.map(({ url }) => url)).toEqual(["https://academy.example/lace/", "/k/"]);
  expect(stderr).toMatch(/row 2: url .*"\/k\/"/);
});

test("import --map schema.org reads numbers with commas and omits what is not a number or a level", async () => {
  const page = {
    ...COURSE,
    educationalLevel: ["Beginner, Advanced", "undergraduate"],
    offers: [
      { price: "1.299,00", priceCurrency: "EUR" },
      { price: "on request", priceCurrency: "EUR" },
      { price: 12.345, priceCurrency: "KWD" },
    ],
  };
  const { courses, stderr } = await importFile(page, "a.jsonld");
  expect(stderr).toContain(
    'educationalLevel: 2 of 3 values are used; not understood: "undergraduate" (1).',
  );
  const prices = [
    { price: "1299.00", currency: "EUR" },
    { price: "12.345", currency: "KWD" },
  ];
  expect(courses).toMatchObject([{ level: ["beginner", "advanced"], prices }]);
});

test("import of a page needs no mapping, resolves relative urls, uses the canonical address, and counts unused offers", async () => {
  const course = {
    "@type": "Course",
    name: "A",
    image: "/img/a.png",
    offers: [
      { price: "0", priceCurrency: "EUR" },
      { price: "$49", priceCurrency: "USD" },
      { lowPrice: "10", highPrice: "20" },
    ],
    hasCourseInstance: { courseMode: "online", offers: { category: "Free" } },
  };
  const link = '<link rel="canonical" href="https://academy.example/courses/knit">';
  const one = await importFile(script([course]) + link);
  expect(one.courses).toMatchObject([
    {
      url: "https://academy.example/courses/knit",
      image_url: "https://academy.example/img/a.png",
      prices: [{ price: "49.00", currency: "USD" }],
    },
  ]);
  expect(one.stderr).toContain('offers: 1 of 4 values is used; not understood: "0" (1), ');
  const two = await importFile(script([{ ...course, url: "../purl" }, course]) + link);
  expect(two.courses.map(({ url }) => url)).toEqual(["https://academy.example/purl", undefined]);
});

const EUR = { priceCurrency: "EUR" };
const USD = { priceCurrency: "USD" };
const [STRUCK, LIST] = ["https://schema.org/StrikethroughPrice", "https://schema.org/ListPrice"];
const monthly = (count: number) => ({
  price: 39,
  ...USD,
  unitCode: "MON",
  billingDuration: count,
  billingIncrement: 1,
});

/** Offers, the prices that they give, such as `49.00 EUR`, and what is said about others. */
const OFFERS: readonly (readonly [title: string, offers: unknown, prices: string, said: string])[] =
  [
    ["of the category Free", { category: "Free" }, "free", ""],
    ["that is partially free", { category: "Partially Free" }, "free", ""],
    ["of 0", { price: "0", ...EUR }, "free", ""],
    ["with a specification", { priceSpecification: { price: 29, ...EUR } }, "29.00 EUR", ""],
    ["of a range", { lowPrice: "39", highPrice: "59" }, "", "offers: 0 of 1 values are used"],
    ["without a currency", { price: "€49.90" }, "", 'not understood: "€49.90" (1)'],
    [
      "with a list price before the price that is charged",
      {
        priceSpecification: [
          { price: "99.00", ...EUR, priceType: LIST },
          { price: "49.00", ...EUR, validThrough: "2099-12-31" },
        ],
      },
      "49.00 EUR",
      'offers: 1 of 2 values is used; not understood: "99.00" (1).',
    ],
    [
      "with a price and a price that is struck through",
      { price: 49, ...EUR, priceSpecification: [{ price: 49 }, { price: 99, priceType: STRUCK }] },
      "49.00 EUR",
      "not understood: 99 (1).",
    ],
    [
      "with a sale price and a price without a type",
      { ...EUR, priceSpecification: [{ price: 99 }, { price: 49, priceType: "SalePrice" }] },
      "49.00 EUR",
      "not understood: 99 (1).",
    ],
    [
      "with two prices between which it does not decide",
      { ...EUR, priceSpecification: [{ price: 99 }, { price: 49 }] },
      "",
      "offers: 0 of 2 values are used",
    ],
    [
      "with a price of its own, which decides between specifications",
      { price: 49, ...EUR, priceSpecification: [{ price: 49 }, { price: 99 }] },
      "49.00 EUR",
      "not understood: 99 (1).",
    ],
    [
      "with a price of each currency",
      {
        priceSpecification: [
          { price: 9, ...EUR },
          { price: 10, ...USD },
        ],
      },
      "9.00 EUR, 10.00 USD",
      "",
    ],
    ["that is billed each month", { priceSpecification: monthly(1) }, "39.00 USD per 1 months", ""],
    [
      "that is billed each quarter",
      { price: 90, ...USD, priceSpecification: { price: 90, billingDuration: "P3M" } },
      "90.00 USD per 3 months",
      "",
    ],
    ["of a number of payments", monthly(12), "", "0 of 1 values are used; not understood: 39 (1)."],
    [
      "for each hour",
      { price: 39, ...USD, unitCode: "HUR" },
      "",
      "offers: 0 of 1 values are used; not understood: 39 (1).",
    ],
    ["of three decimals", { price: "12.500", priceCurrency: "KWD" }, "12.500 KWD", ""],
    [
      "of several offers",
      { ...EUR, lowPrice: 9, highPrice: 19, offers: [{ price: 9 }, { price: 19 }] },
      "9.00 EUR, 19.00 EUR",
      "",
    ],
    [
      "that is named twice",
      [
        { price: 49, ...EUR },
        { price: "49", ...EUR },
      ],
      "49.00 EUR",
      "",
    ],
  ];

/** The prices of a course, as `OFFERS` has them. */
function describePrices({ free_content, prices = [] }: Fields): string {
  const described = (prices as Fields[]).map(({ type, price, currency, payment_period }) => {
    const { value, unit } = (payment_period ?? {}) as Fields;
    expect(type).toBe(payment_period === undefined ? "single_course" : "subscription");
    return `${price} ${currency}${payment_period === undefined ? "" : ` per ${value} ${unit}`}`;
  });
  return free_content === true ? "free" : described.join(", ");
}

test.each(OFFERS)(
  "import --map schema.org uses an offer %s, or says that it does not",
  async (_, offers, expected, said) => {
    const { courses, stderr } = await importFile(script({ ...COURSE, offers }));
    expect(courses.map(describePrices)).toEqual([expected]);
    expect(stderr).toContain(said);
  },
);

test.each([
  ["online, self-paced", "self_paced"],
  ["asynchronous", "self_paced"],
  ["instructor-led", "instructor_paced"],
  ["Online, live", "instructor_paced"],
  [["online", "synchronous"], "instructor_paced"],
  ["online", undefined],
  ["onsite", undefined],
  ["Präsenz", undefined],
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
  const description = "Why i<n matters, and what List<String> means.\n\nSecond paragraph.";
  const { courses } = await importFile(script({ "@type": "Course", name, description }));
  expect(courses).toEqual([
    { name, short_description: description, long_description: description },
  ]);
});

test("import follows an @id to another part of the page, in both directions, and ends at a circle", async () => {
  const graph = [
    {
      "@type": ["Product", "Course"],
      "@id": "#c",
      name: "A",
      url: "https://a.example/",
      offers: { "@id": "#o" },
      provider: { "@type": "Organization", "@id": "#p" },
      hasCourseInstance: [{ "@id": "#i" }, { courseMode: "online" }],
    },
    { "@type": "CourseInstance", "@id": "#i", courseMode: "self-paced", about: { "@id": "#c" } },
    { "@type": "ItemList", itemListElement: [{ item: { "@type": "Course", "@id": "#c" } }] },
  ];
  const others = [
    { "@id": "#o", price: 5, priceCurrency: "EUR" },
    { "@id": "#p", name: "B" },
  ];
  const { courses } = await importFile(script({ "@graph": graph }) + script(others));
  expect(courses).toEqual([
    {
      name: "A",
      url: "https://a.example/",
      pace: "self_paced",
      prices: [{ type: "single_course", price: "5.00", currency: "EUR" }],
      offered_by: [{ type: "other", name: "B" }],
    },
  ]);
});

test.each([
  ["//<![CDATA[\n", "\n//]]>"],
  ["/*<![CDATA[*/", "/*]]>*/"],
  ["<![CDATA[", "]]>"],
  ["\n<!--\n", "\n-->\n"],
  ["<!--", "//-->"],
])(
  "import reads JSON-LD between %j and %j, and reports the place of its faults",
  async (before, after) => {
    const page = (json: string) =>
      importFile(`<script type="application/ld+json">${before}${json}${after}</script>`);
    expect((await page('{"@type": "Course", "name": "A"}')).courses).toEqual([{ name: "A" }]);
    const start = `<script type="application/ld+json">${before}`.split("\n");
    const place = `${start.length}:${(start.at(-1)?.length ?? 0) + 21}: error`;
    expect((await page('{"@type": "Course", }')).stderr).toContain(place);
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
