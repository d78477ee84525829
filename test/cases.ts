/** One table of right and wrong values for every field and rule of api.md, for checker and sandbox. */
import { course, PROVIDER_ID } from "./rig.ts";

/** A course, and what must be said of it. */
export interface Case {
  readonly says: string;
  readonly course: Readonly<Record<string, unknown>>;
  /** The rule that it breaks, with the path; none for a right one. */
  readonly breaks?: { readonly rule: string; readonly path: readonly (string | number)[] };
}

function right(says: string, changes: Readonly<Record<string, unknown>>): Case {
  return { says, course: course(changes) };
}

function wrong(
  says: string,
  changes: Readonly<Record<string, unknown>>,
  rule: string,
  ...path: (string | number)[]
): Case {
  return { says, course: course(changes), breaks: { rule, path } };
}

function without(field: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(course()).filter(([name]) => name !== field));
}

function missing(field: string): Case {
  return {
    says: `${field} missing`,
    course: without(field),
    breaks: { rule: "required", path: [field] },
  };
}

const SUBSCRIPTION = {
  type: "subscription",
  price: "9.99",
  currency: "EUR",
  plan_type: "premium",
  total_price: "119.88",
  subscription_period: { unit: "years", value: 1 },
  payment_period: { unit: "months", value: 1 },
  trial_period: { unit: "days", value: 7 },
  customer_type: "individual",
};
const SINGLE = { type: "single_course", price: "49.99", currency: "USD" };
const SCALE = { type: "scale", min: 1, max: 5, value: 4.5 };

const REQUIRED: readonly Case[] = [
  right("the required fields alone", {}),
  missing("name"),
  missing("url"),
  missing("short_description"),
  missing("long_description"),
  missing("audio"),
  missing("provider_id"),
  missing("pace"),
  wrong("name blank", { name: "" }, "blank", "name"),
  wrong("name of blanks", { name: " \t" }, "blank", "name"),
  wrong("url blank", { url: "" }, "blank", "url"),
  wrong("short_description blank", { short_description: "" }, "blank", "short_description"),
  wrong("long_description blank", { long_description: "" }, "blank", "long_description"),
  wrong("audio empty", { audio: [] }, "blank", "audio"),
  wrong("pace blank", { pace: "" }, "blank", "pace"),
  wrong("name null", { name: null }, "required", "name"),
  wrong("a field that nobody knows", { colour: "red" }, "unknown-key", "colour"),
  wrong("a field named __proto__", JSON.parse('{"__proto__": 1}'), "unknown-key", "__proto__"),
];

const TEXTS: readonly Case[] = [
  right("id, a UUID", { id: "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10" }),
  wrong("id, not a UUID", { id: "12" }, "uuid", "id"),
  wrong("id, a number", { id: 12 }, "type", "id"),
  wrong("name, a list", { name: ["a"] }, "type", "name"),
  wrong("name, a number", { name: 2026 }, "type", "name"),
  right("url below the provider's host", { url: "https://www.academy.example/a?b=c#d" }),
  right("url over http", { url: "http://academy.example/" }),
  right("url with letters of other scripts", { url: "https://academy.example/編み物" }),
  wrong("url without a scheme", { url: "academy.example/a" }, "url", "url"),
  wrong("url of another scheme", { url: "ftp://academy.example/a" }, "url", "url"),
  wrong("url with a blank", { url: "https://academy.example/a b" }, "url", "url"),
  wrong("url without a host", { url: "https://" }, "url", "url"),
  right("slug, a text", { slug: "knitting" }),
  wrong("slug, a number", { slug: 4 }, "type", "slug"),
  wrong("short_description, a list", { short_description: ["a"] }, "type", "short_description"),
  wrong("long_description, a mapping", { long_description: {} }, "type", "long_description"),
  wrong("provider_id, not a UUID", { provider_id: "academy" }, "uuid", "provider_id"),
  right("provider_id in upper case", { provider_id: PROVIDER_ID.toUpperCase() }),
  right("pace, instructor_paced", { pace: "instructor_paced" }),
  wrong("pace with a hyphen", { pace: "self-paced" }, "choice", "pace"),
  wrong("pace in capitals", { pace: "SELF_PACED" }, "choice", "pace"),
  right("image_url without an extension", { image_url: "https://images.example/1" }),
  wrong("image_url, no URL", { image_url: "knitting.jpg" }, "url", "image_url"),
];

const CODES: readonly Case[] = ["audio", "subtitles_text"].flatMap((field) => [
  right(`${field} with and without a country`, { [field]: ["en", "pt-BR", "zh-CN"] }),
  wrong(`${field}, a text`, { [field]: "en" }, "type", field),
  wrong(`${field} with an underscore`, { [field]: ["pt_BR"] }, "language-code", field, 0),
  wrong(`${field} in capitals`, { [field]: ["EN"] }, "language-code", field, 0),
  wrong(`${field} with a small country`, { [field]: ["en", "pt-br"] }, "language-code", field, 1),
  wrong(`${field}, no language`, { [field]: ["xx"] }, "language-code", field, 0),
  wrong(`${field}, no country`, { [field]: ["en-XX"] }, "language-code", field, 0),
  wrong(`${field}, a withdrawn language`, { [field]: ["iw"] }, "language-code", field, 0),
  wrong(`${field}, a withdrawn country`, { [field]: ["en-AN"] }, "language-code", field, 0),
  wrong(`${field}, three letters`, { [field]: ["eng"] }, "language-code", field, 0),
  wrong(`${field}, a null`, { [field]: [null] }, "type", field, 0),
]);

const BOOLEANS: readonly Case[] = [
  "published",
  "free_content",
  "paid_content",
  "assessments",
  "assignments",
].flatMap((field) => [
  right(`${field} true`, { [field]: true }),
  right(`${field} false`, { [field]: false }),
  right(`${field} null`, { [field]: null }),
  wrong(`${field}, a text`, { [field]: "true" }, "type", field),
  wrong(`${field}, a number`, { [field]: 1 }, "type", field),
]);

const NUMBERS: readonly Case[] = [
  right("free_content beside paid_content", { free_content: true, paid_content: true }),
  right("number_of_lessons 1", { number_of_lessons: 1 }),
  wrong("number_of_lessons 0", { number_of_lessons: 0 }, "number-range", "number_of_lessons"),
  wrong("half a lesson", { number_of_lessons: 1.5 }, "whole-number", "number_of_lessons"),
  wrong("number_of_lessons, a text", { number_of_lessons: "6" }, "type", "number_of_lessons"),
  right("duration_in_hours 0", { duration_in_hours: 0 }),
  right("duration_in_hours with a fraction", { duration_in_hours: 7.25 }),
  wrong(
    "duration_in_hours below 0",
    { duration_in_hours: -1 },
    "number-range",
    "duration_in_hours",
  ),
  wrong("duration_in_hours, a text", { duration_in_hours: "7" }, "type", "duration_in_hours"),
  right("level empty", { level: [] }),
  right("level with several values", { level: ["beginner", "intermediate", "advanced"] }),
  wrong("level, a text", { level: "beginner" }, "type", "level"),
  wrong("level of another word", { level: ["expert"] }, "choice", "level", 0),
];

const PRICES: readonly Case[] = [
  right("a single price and a subscription", { prices: [SINGLE, SUBSCRIPTION] }),
  right("no prices", { prices: [] }),
  right("a price of nothing", { prices: [{ ...SINGLE, price: "0" }] }),
  right("a price with a null", { prices: [{ ...SINGLE, trial_period: null }] }),
  right("a period of half a unit", {
    prices: [{ ...SUBSCRIPTION, trial_period: { unit: "weeks", value: 0.5 } }],
  }),
  wrong("prices, a mapping", { prices: SINGLE }, "type", "prices"),
  wrong("a price that is a text", { prices: ["9.99"] }, "type", "prices", 0),
  wrong("a price without type", { prices: [{ price: "1" }] }, "required", "prices", 0, "type"),
  wrong("price type", { prices: [{ type: "rent" }] }, "choice", "prices", 0, "type"),
  wrong("price, a number", { prices: [{ ...SINGLE, price: 49.99 }] }, "type", "prices", 0, "price"),
  wrong(
    "price with a comma",
    { prices: [{ ...SINGLE, price: "49,99" }] },
    "amount",
    "prices",
    0,
    "price",
  ),
  wrong("price below 0", { prices: [{ ...SINGLE, price: "-1" }] }, "amount", "prices", 0, "price"),
  wrong(
    "price with an exponent",
    { prices: [{ ...SINGLE, price: "1e3" }] },
    "amount",
    "prices",
    0,
    "price",
  ),
  wrong(
    "currency",
    { prices: [{ ...SINGLE, currency: "EURO" }] },
    "currency-code",
    "prices",
    0,
    "currency",
  ),
  wrong(
    "currency in small letters",
    { prices: [{ ...SINGLE, currency: "usd" }] },
    "currency-code",
    "prices",
    0,
    "currency",
  ),
  wrong(
    "currency withdrawn",
    { prices: [{ ...SINGLE, currency: "BGN" }] },
    "currency-code",
    "prices",
    0,
    "currency",
  ),
  wrong(
    "plan_type",
    { prices: [{ ...SINGLE, plan_type: "gold" }] },
    "choice",
    "prices",
    0,
    "plan_type",
  ),
  wrong(
    "customer_type, a number",
    { prices: [{ ...SINGLE, customer_type: 1 }] },
    "type",
    "prices",
    0,
    "customer_type",
  ),
  wrong(
    "a key that no price has",
    { prices: [{ ...SINGLE, discount: "1" }] },
    "unknown-key",
    "prices",
    0,
    "discount",
  ),
  wrong(
    "total_price, no amount",
    { prices: [{ ...SUBSCRIPTION, total_price: "all" }] },
    "amount",
    "prices",
    0,
    "total_price",
  ),
  ...(["total_price", "subscription_period", "payment_period", "trial_period"] as const).map(
    (key) =>
      wrong(
        `${key} of a single course`,
        { prices: [{ ...SINGLE, [key]: SUBSCRIPTION[key] }] },
        "price-subscription",
        "prices",
        0,
        key,
      ),
  ),
  ...["subscription_period", "payment_period", "trial_period"].flatMap((key) => [
    wrong(
      `${key} unit`,
      { prices: [{ ...SUBSCRIPTION, [key]: { unit: "hours", value: 1 } }] },
      "choice",
      "prices",
      0,
      key,
      "unit",
    ),
    wrong(
      `${key} value, a text`,
      { prices: [{ ...SUBSCRIPTION, [key]: { unit: "days", value: "1" } }] },
      "type",
      "prices",
      0,
      key,
      "value",
    ),
    wrong(
      `${key} value below 0`,
      { prices: [{ ...SUBSCRIPTION, [key]: { unit: "days", value: -1 } }] },
      "number-range",
      "prices",
      0,
      key,
      "value",
    ),
    wrong(
      `${key} without unit`,
      { prices: [{ ...SUBSCRIPTION, [key]: { value: 1 } }] },
      "required",
      "prices",
      0,
      key,
      "unit",
    ),
    wrong(
      `${key} with another key`,
      { prices: [{ ...SUBSCRIPTION, [key]: { unit: "days", value: 1, from: 1 } }] },
      "unknown-key",
      "prices",
      0,
      key,
      "from",
    ),
  ]),
];

const CERTIFICATE: readonly Case[] = [
  right("a free certificate", { certificate: { type: "free" } }),
  right("an included certificate", { certificate: { type: "included" } }),
  right("a paid certificate", { certificate: { type: "paid", price: "39", currency: "EUR" } }),
  wrong("a certificate that is true", { certificate: true }, "type", "certificate"),
  wrong("a certificate without type", { certificate: {} }, "required", "certificate", "type"),
  wrong("certificate type", { certificate: { type: "gold" } }, "choice", "certificate", "type"),
  wrong(
    "price of a free certificate",
    { certificate: { type: "free", price: "1" } },
    "certificate-price",
    "certificate",
    "price",
  ),
  wrong(
    "currency of an included one",
    { certificate: { type: "included", currency: "EUR" } },
    "certificate-price",
    "certificate",
    "currency",
  ),
  wrong(
    "price, no amount",
    { certificate: { type: "paid", price: "free" } },
    "amount",
    "certificate",
    "price",
  ),
  wrong(
    "currency, no code",
    { certificate: { type: "paid", price: "1", currency: "EU" } },
    "currency-code",
    "certificate",
    "currency",
  ),
  wrong(
    "a key that no certificate has",
    { certificate: { type: "free", name: "x" } },
    "unknown-key",
    "certificate",
    "name",
  ),
];

const ORGANIZATIONS: readonly Case[] = [
  right("offered_by of every type", {
    offered_by: ["university", "company", "other"].map((type) => ({
      type,
      name: "Example",
      main: type === "other",
    })),
  }),
  wrong(
    "offered_by, a mapping",
    { offered_by: { type: "other", name: "a" } },
    "type",
    "offered_by",
  ),
  wrong(
    "offered_by without type",
    { offered_by: [{ name: "a" }] },
    "required",
    "offered_by",
    0,
    "type",
  ),
  wrong(
    "offered_by type",
    { offered_by: [{ type: "school", name: "a" }] },
    "choice",
    "offered_by",
    0,
    "type",
  ),
  wrong(
    "offered_by without name",
    { offered_by: [{ type: "other" }] },
    "required",
    "offered_by",
    0,
    "name",
  ),
  wrong(
    "offered_by name blank",
    { offered_by: [{ type: "other", name: " " }] },
    "blank",
    "offered_by",
    0,
    "name",
  ),
  wrong(
    "offered_by main, a text",
    { offered_by: [{ type: "other", name: "a", main: "yes" }] },
    "type",
    "offered_by",
    0,
    "main",
  ),
  wrong(
    "a key that no organization has",
    { offered_by: [{ type: "other", name: "a", url: "b" }] },
    "unknown-key",
    "offered_by",
    0,
    "url",
  ),
];

const VIDEO: readonly Case[] = [
  right("a self-hosted video", {
    video: {
      type: "self_hosted",
      url: "https://academy.example/a.mp4",
      thumbnail_url: "https://academy.example/a.jpg",
    },
  }),
  right("a vimeo video", { video: { type: "vimeo", id: "123" } }),
  right("a youtube video", { video: { type: "youtube", id: "abc" } }),
  wrong("a video that is a text", { video: "https://academy.example/a.mp4" }, "type", "video"),
  wrong("a video without type", { video: { id: "a" } }, "required", "video", "type"),
  wrong("video type", { video: { type: "dailymotion", id: "a" } }, "choice", "video", "type"),
  wrong(
    "a self-hosted video without url",
    { video: { type: "self_hosted" } },
    "video-source",
    "video",
    "url",
  ),
  wrong(
    "a self-hosted video with id",
    { video: { type: "self_hosted", url: "https://academy.example/a", id: "a" } },
    "video-source",
    "video",
    "id",
  ),
  wrong("a vimeo video without id", { video: { type: "vimeo" } }, "video-source", "video", "id"),
  wrong(
    "a youtube video with url",
    { video: { type: "youtube", id: "a", url: "https://academy.example/a" } },
    "video-source",
    "video",
    "url",
  ),
  wrong(
    "video url, no URL",
    { video: { type: "self_hosted", url: "a.mp4" } },
    "url",
    "video",
    "url",
  ),
  wrong("video id, a number", { video: { type: "vimeo", id: 123 } }, "type", "video", "id"),
  wrong(
    "video thumbnail, no URL",
    { video: { type: "vimeo", id: "1", thumbnail_url: "a" } },
    "url",
    "video",
    "thumbnail_url",
  ),
  wrong(
    "a key that no video has",
    { video: { type: "vimeo", id: "1", title: "a" } },
    "unknown-key",
    "video",
    "title",
  ),
];

const RATING: readonly Case[] = [
  right("a rating of counts alone", {
    provider_rating: { rating_count: 0, enrollment_count: 1, review_count: 2 },
  }),
  right("a rating on a scale", { provider_rating: SCALE }),
  right("a rating at the scale's end", { provider_rating: { ...SCALE, value: 5 } }),
  right("a positive ratio", { provider_rating: { type: "positive_ratio", value: 98.5 } }),
  right("likes", { provider_rating: { type: "likes", value: 1 } }),
  wrong("a rating that is a number", { provider_rating: 4 }, "type", "provider_rating"),
  wrong(
    "rating type",
    { provider_rating: { type: "stars", value: 4 } },
    "choice",
    "provider_rating",
    "type",
  ),
  wrong(
    "a scale without min",
    { provider_rating: { type: "scale", max: 5, value: 4 } },
    "rating-scale",
    "provider_rating",
    "min",
  ),
  wrong(
    "a scale without max",
    { provider_rating: { type: "scale", min: 1, value: 4 } },
    "rating-scale",
    "provider_rating",
    "max",
  ),
  wrong(
    "min of a ratio",
    { provider_rating: { type: "positive_ratio", min: 1, value: 4 } },
    "rating-scale",
    "provider_rating",
    "min",
  ),
  wrong(
    "max of likes",
    { provider_rating: { type: "likes", max: 9, value: 4 } },
    "rating-scale",
    "provider_rating",
    "max",
  ),
  wrong(
    "a value below min",
    { provider_rating: { ...SCALE, value: 0.5 } },
    "rating-value",
    "provider_rating",
    "value",
  ),
  wrong(
    "a value above max",
    { provider_rating: { ...SCALE, value: 5.5 } },
    "rating-value",
    "provider_rating",
    "value",
  ),
  wrong(
    "a scale upside down",
    { provider_rating: { type: "scale", min: 5, max: 1 } },
    "rating-scale",
    "provider_rating",
    "min",
  ),
  wrong(
    "a ratio above 100",
    { provider_rating: { type: "positive_ratio", value: 101 } },
    "rating-value",
    "provider_rating",
    "value",
  ),
  wrong(
    "a ratio below 0",
    { provider_rating: { type: "positive_ratio", value: -1 } },
    "rating-value",
    "provider_rating",
    "value",
  ),
  wrong(
    "no likes",
    { provider_rating: { type: "likes", value: 0 } },
    "rating-value",
    "provider_rating",
    "value",
  ),
  wrong(
    "half a like",
    { provider_rating: { type: "likes", value: 1.5 } },
    "rating-value",
    "provider_rating",
    "value",
  ),
  wrong(
    "a value that is a text",
    { provider_rating: { ...SCALE, value: "4" } },
    "type",
    "provider_rating",
    "value",
  ),
  ...["rating_count", "enrollment_count", "review_count"].flatMap((key) => [
    wrong(
      `${key} below 0`,
      { provider_rating: { [key]: -1 } },
      "number-range",
      "provider_rating",
      key,
    ),
    wrong(
      `${key} with a fraction`,
      { provider_rating: { [key]: 1.5 } },
      "whole-number",
      "provider_rating",
      key,
    ),
    wrong(`${key}, a text`, { provider_rating: { [key]: "1" } }, "type", "provider_rating", key),
  ]),
  wrong(
    "a key that no rating has",
    { provider_rating: { stars: 5 } },
    "unknown-key",
    "provider_rating",
    "stars",
  ),
];

const LISTS: readonly Case[] = [
  right("instructors", { instructors: [{ name: "Ada", distinguished: true, main: false }] }),
  wrong(
    "an instructor without name",
    { instructors: [{ main: true }] },
    "required",
    "instructors",
    0,
    "name",
  ),
  wrong(
    "an instructor's name blank",
    { instructors: [{ name: "" }] },
    "blank",
    "instructors",
    0,
    "name",
  ),
  wrong("an instructor that is a text", { instructors: ["Ada"] }, "type", "instructors", 0),
  wrong(
    "distinguished, a text",
    { instructors: [{ name: "Ada", distinguished: "yes" }] },
    "type",
    "instructors",
    0,
    "distinguished",
  ),
  wrong(
    "an instructor's main, a number",
    { instructors: [{ name: "Ada", main: 1 }] },
    "type",
    "instructors",
    0,
    "main",
  ),
  wrong(
    "a key that no instructor has",
    { instructors: [{ name: "Ada", title: "Dr" }] },
    "unknown-key",
    "instructors",
    0,
    "title",
  ),
  ...["what_you_will_learn", "syllabus"].flatMap((field) => [
    right(`${field} with titles alone`, { [field]: [{ title: "One" }, { title: "Two" }] }),
    right(`${field} with descriptions`, {
      [field]: [
        { title: "One", description: "a" },
        { title: "Two", description: ["a", "b"] },
      ],
    }),
    wrong(
      `${field} without title`,
      { [field]: [{ description: "a" }] },
      "required",
      field,
      0,
      "title",
    ),
    wrong(
      `${field} with a blank title`,
      { [field]: [{ title: "a" }, { title: "" }] },
      "blank",
      field,
      1,
      "title",
    ),
    wrong(`${field} of texts`, { [field]: ["One"] }, "type", field, 0),
    wrong(
      `${field} description, a number`,
      { [field]: [{ title: "a", description: 1 }] },
      "type",
      field,
      0,
      "description",
    ),
    wrong(
      `${field} description with a number`,
      { [field]: [{ title: "a", description: ["b", 1] }] },
      "type",
      field,
      0,
      "description",
      1,
    ),
    wrong(
      `a key that no ${field} has`,
      { [field]: [{ title: "a", duratoin: 1 }] },
      "unknown-key",
      field,
      0,
      "duratoin",
    ),
  ]),
  right("lessons with durations", {
    syllabus: ["hours", "minutes", "seconds"].map((unit) => ({
      title: unit,
      duration: { value: 1.5, unit },
    })),
  }),
  wrong(
    "a duration that is a number",
    { syllabus: [{ title: "a", duration: 45 }] },
    "type",
    "syllabus",
    0,
    "duration",
  ),
  wrong(
    "a duration in days",
    { syllabus: [{ title: "a", duration: { value: 1, unit: "days" } }] },
    "choice",
    "syllabus",
    0,
    "duration",
    "unit",
  ),
  wrong(
    "a duration below 0",
    { syllabus: [{ title: "a", duration: { value: -1, unit: "hours" } }] },
    "number-range",
    "syllabus",
    0,
    "duration",
    "value",
  ),
  wrong(
    "a duration without value",
    { syllabus: [{ title: "a", duration: { unit: "hours" } }] },
    "required",
    "syllabus",
    0,
    "duration",
    "value",
  ),
  wrong(
    "a topic with a duration",
    { what_you_will_learn: [{ title: "a", duration: { value: 1, unit: "hours" } }] },
    "unknown-key",
    "what_you_will_learn",
    0,
    "duration",
  ),
];

/** Every case. */
export const CASES: readonly Case[] = [
  ...REQUIRED,
  ...TEXTS,
  ...CODES,
  ...BOOLEANS,
  ...NUMBERS,
  ...PRICES,
  ...CERTIFICATE,
  ...ORGANIZATIONS,
  ...VIDEO,
  ...RATING,
  ...LISTS,
];

/** What only the user's providers can tell; right by itself. */
export const OWNERSHIP_CASES: readonly Case[] = [
  wrong(
    "a provider of somebody else",
    { provider_id: "11111111-1111-4111-8111-111111111111" },
    "provider-owned",
    "provider_id",
  ),
  wrong("a url on another site", { url: "https://elsewhere.example/a" }, "url-host", "url"),
  wrong(
    "a url on a site that only ends alike",
    { url: "https://notacademy.example/a" },
    "url-host",
    "url",
  ),
];
