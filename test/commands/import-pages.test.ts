/** `import` of pages that describe courses for search engines, and `--map schema.org`. */
import { expect, test } from "vitest";
import { rigWith } from "./helpers.ts";

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
    educationalLevel: ["Beginner, Advanced", "undergraduate"],
    offers: [
      { price: "1.299,00", priceCurrency: "EUR" },
      { price: "on request", priceCurrency: "EUR" },
      { price: 12.345, priceCurrency: "KWD" },
    ],
  };
  const r = await rigWith();
  await r.write("a.jsonld", JSON.stringify(page));
  const words = ["courses", "import", "a.jsonld", "--map", "schema.org", "--format", "json"];
  const { stdout, stderr } = await r.run(words);
  expect(stderr).toContain(
    'educationalLevel: 2 of 3 values are used; not understood: "undergraduate" (1).',
  );
  const [course] = JSON.parse(stdout);
  expect(course).toMatchObject({
    level: ["beginner", "advanced"],
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

test("import --map schema.org resolves a relative url against the address that a page gives to social networks", async () => {
  const r = await rigWith();
  const meta = '<meta property="og:url" content="https://academy.example/a/"/>';
  const course = JSON.stringify({ "@type": "Course", name: "A", url: "../knit" });
  await r.write("a.html", `${meta}<script type="application/ld+json">${course}</script>`);
  const { stdout } = await r.run("courses import a.html --map schema.org");
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
  [
    "with a list price before the price that is charged",
    {
      priceSpecification: [
        { price: "99.00", priceCurrency: "EUR", priceType: "https://schema.org/ListPrice" },
        { price: "49.00", priceCurrency: "EUR", validThrough: "2099-12-31" },
      ],
    },
    { prices: [{ type: "single_course", price: "49.00", currency: "EUR" }] },
    'offers: 1 of 2 values is used; not understood: "99.00" (1).',
  ],
  [
    "with a price and a price that is struck through",
    [
      {
        price: 49,
        priceCurrency: "EUR",
        priceSpecification: [
          { price: 49 },
          { price: 99, priceType: "https://schema.org/StrikethroughPrice" },
        ],
      },
    ],
    { prices: [{ type: "single_course", price: "49.00", currency: "EUR" }] },
    "not understood: 99 (1).",
  ],
  [
    "with a sale price and a price without a type",
    {
      priceCurrency: "EUR",
      priceSpecification: [{ price: 99 }, { price: 49, priceType: "SalePrice" }],
    },
    { prices: [{ type: "single_course", price: "49.00", currency: "EUR" }] },
    "not understood: 99 (1).",
  ],
  [
    "with two prices between which it does not decide",
    { priceCurrency: "EUR", priceSpecification: [{ price: 99 }, { price: 49 }] },
    {},
    "offers: 0 of 2 values are used",
  ],
  [
    "with a price of each currency",
    {
      priceSpecification: [
        { price: 9, priceCurrency: "EUR" },
        { price: 10, priceCurrency: "USD" },
      ],
    },
    {
      prices: [
        { type: "single_course", price: "9.00", currency: "EUR" },
        { type: "single_course", price: "10.00", currency: "USD" },
      ],
    },
    "",
  ],
  [
    "that is billed each month",
    {
      priceSpecification: {
        ...{ price: 39, priceCurrency: "USD", unitCode: "MON" },
        ...{ billingDuration: 1, billingIncrement: 1 },
      },
    },
    {
      prices: [
        {
          ...{ type: "subscription", price: "39.00", currency: "USD" },
          payment_period: { unit: "months", value: 1 },
        },
      ],
    },
    "",
  ],
  [
    "that is billed each quarter",
    { price: 90, priceCurrency: "USD", priceSpecification: { price: 90, billingDuration: "P3M" } },
    {
      prices: [
        {
          ...{ type: "subscription", price: "90.00", currency: "USD" },
          payment_period: { unit: "months", value: 3 },
        },
      ],
    },
    "",
  ],
  [
    "of a number of payments",
    {
      ...{ price: 39, priceCurrency: "USD", unitCode: "MON" },
      ...{ billingDuration: 12, billingIncrement: 1 },
    },
    {},
    "offers: 0 of 1 values are used; not understood: 39 (1).",
  ],
  [
    "for each hour",
    { price: 39, priceCurrency: "USD", unitCode: "HUR" },
    {},
    "offers: 0 of 1 values are used; not understood: 39 (1).",
  ],
  [
    "of three decimals",
    { price: "12.500", priceCurrency: "KWD" },
    { prices: [{ type: "single_course", price: "12.500", currency: "KWD" }] },
    "",
  ],
  [
    "of several offers",
    { priceCurrency: "EUR", lowPrice: 9, highPrice: 19, offers: [{ price: 9 }, { price: 19 }] },
    { prices: [{ price: "9.00" }, { price: "19.00" }] },
    "",
  ],
  [
    "with a price of its own, which decides between specifications",
    { price: 49, priceCurrency: "EUR", priceSpecification: [{ price: 49 }, { price: 99 }] },
    { prices: [{ type: "single_course", price: "49.00", currency: "EUR" }] },
    "not understood: 99 (1).",
  ],
  [
    "that is named twice",
    [
      { price: 49, priceCurrency: "EUR" },
      { price: "49", priceCurrency: "EUR" },
    ],
    { prices: [{ type: "single_course", price: "49.00", currency: "EUR" }] },
    "",
  ],
  ["that is partially free", { category: "Partially Free" }, { free_content: true }, ""],
])(
  "import --map schema.org uses an offer %s, or says that it does not",
  async (_, offers, expected, said) => {
    const r = await rigWith();
    const course = JSON.stringify({ "@type": "Course", name: "A", offers });
    await r.write("a.html", `<script type="application/ld+json">${course}</script>`);
    const words = ["courses", "import", "a.html", "--map", "schema.org", "--format", "json"];
    const { stdout, stderr } = await r.run(words);
    expect(JSON.parse(stdout)).toMatchObject([{ name: "A", ...expected }]);
    if (Object.keys(expected).length === 0) expect(stdout).not.toMatch(/price|free/);
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
  const r = await rigWith();
  const hasCourseInstance = [{ courseMode }];
  await r.write("a.json", JSON.stringify([{ "@type": "Course", name: "A", hasCourseInstance }]));
  const words = ["courses", "import", "a.json", "--map", "schema.org", "--format", "json"];
  const [course] = JSON.parse((await r.run(words)).stdout);
  expect(course).toEqual({ name: "A", ...(pace === undefined ? {} : { pace }) });
});

/** The courses that import makes of a page, and its messages. */
async function importPage(html: string) {
  const r = await rigWith();
  await r.write("a.html", html);
  const ran = await r.run("courses import a.html --format json");
  return { courses: JSON.parse(ran.stdout), stderr: ran.stderr };
}

function script(json: unknown): string {
  return `<script type="application/ld+json">${JSON.stringify(json)}</script>`;
}

test("import of a page changes no text without markup, and keeps its paragraphs", async () => {
  const name = "Generics: List<T> and Map<K, V>";
  const description = "Why i<n matters, and what List<String> means.\n\nSecond paragraph.";
  const { courses } = await importPage(script({ "@type": "Course", name, description }));
  expect(courses).toEqual([
    { name, short_description: description, long_description: description },
  ]);
});

test("import follows an @id to another part of the page, in both directions, and ends at a circle", async () => {
  const graph = [
    {
      ...{ "@type": ["Product", "Course"], "@id": "#c", name: "A", url: "https://a.example/" },
      ...{ offers: { "@id": "#o" }, provider: { "@type": "Organization", "@id": "#p" } },
      hasCourseInstance: [{ "@id": "#i" }, { courseMode: "online" }],
    },
    { "@type": "CourseInstance", "@id": "#i", courseMode: "self-paced", about: { "@id": "#c" } },
    { "@type": "ItemList", itemListElement: [{ item: { "@type": "Course", "@id": "#c" } }] },
  ];
  const others = [
    { "@id": "#o", price: 5, priceCurrency: "EUR" },
    { "@id": "#p", name: "B" },
  ];
  const { courses } = await importPage(script({ "@graph": graph }) + script(others));
  expect(courses).toEqual([
    {
      ...{ name: "A", url: "https://a.example/", pace: "self_paced" },
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
      importPage(`<script type="application/ld+json">${before}${json}${after}</script>`);
    expect((await page('{"@type": "Course", "name": "A"}')).courses).toEqual([{ name: "A" }]);
    const start = `<script type="application/ld+json">${before}`.split("\n");
    const place = `${start.length}:${(start.at(-1)?.length ?? 0) + 21}: error`;
    expect((await page('{"@type": "Course", }')).stderr).toContain(place);
  },
);

test.each([
  ['<base href="https://a.example/c/">', "lace/", "https://a.example/c/lace/"],
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
  const { courses } = await importPage(head + script({ "@type": "Course", name: "A", url }));
  expect(courses).toEqual([{ name: "A", url: resolved }]);
});
