/** Accepted and rejected values for every field and rule, for the checker, the JSON Schema and the sandbox. */
import { WRITABLE_FIELDS } from "../src/course/fields.ts";
import { course, PROVIDER_ID } from "./rig.ts";

type Values = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** A course and the rule that it violates. */
export interface Case {
  readonly title: string;
  readonly course: Values;
  /** The violated rule and the path; undefined for a valid course. */
  readonly breaks?: { readonly rule: string; readonly path: Path };
}

/** No closed list will ever have it. */
export const NO_CHOICE = "no-such-choice";

const YEAR = { unit: "years", value: 1 };
const SINGLE = { type: "single_course", price: "49.99", currency: "USD" };
const SCALE = { type: "scale", min: 1, max: 5, value: 4.5 };
const REPEATED = { total_price: "119.88", subscription_period: YEAR, payment_period: YEAR };
const SUBSCRIPTION = {
  ...SINGLE,
  ...REPEATED,
  type: "subscription",
  plan_type: "premium",
  trial_period: { unit: "weeks", value: 0.5 },
  customer_type: "individual",
};
const TOPIC = { title: "Charts", description: ["All", "of them."] };

/** A value of every field, in which a case replaces one value. */
const FULL: Values = {
  ...course(),
  id: "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
  slug: "knitting",
  image_url: "https://images.example/1",
  subtitles_text: ["en"],
  level: ["beginner"],
  prices: [SUBSCRIPTION],
  certificate: { type: "paid", price: "39", currency: "EUR" },
  offered_by: [{ type: "other", name: "Guild", main: true }],
  video: { type: "vimeo", id: "123", thumbnail_url: "https://academy.example/a.jpg" },
  provider_rating: { ...SCALE, rating_count: 0, enrollment_count: 1, review_count: 2 },
  instructors: [{ name: "Ada", distinguished: true, main: true }],
  what_you_will_learn: [TOPIC],
  syllabus: [{ ...TOPIC, duration: { value: 1.5, unit: "hours" } }],
};
/** The values that conditional rules treat in another way. */
const OTHER: Values = {
  prices: [SINGLE],
  certificate: { type: "free" },
  video: { type: "self_hosted", url: "https://academy.example/a.mp4" },
  provider_rating: { type: "likes", value: 1 },
};
const RATIO: Values = { provider_rating: { type: "positive_ratio", value: 98.5 } };

/** The steps of a path such as `prices[0].price`. */
function stepsOf(path: string): Path {
  const steps = path.match(/[^.[\]]+/g) ?? [];
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** A course with one field of these values, in which the value at a path is replaced; undefined removes it. */
function courseWith(path: Path, value: unknown, values: Values): Values {
  const [field = ""] = path;
  const changed = course(JSON.parse(JSON.stringify({ [field]: values[field] })));
  let owner: Record<string | number, unknown> = changed;
  for (const step of path.slice(0, -1)) owner = owner[step] as typeof owner;
  const last = path.at(-1) ?? "";
  if (value === undefined) delete owner[last];
  else Object.defineProperty(owner, last, { value, enumerable: true });
  return changed;
}

/** A case for each wrong value at each path. */
function wrong(rule: string, values: Values, table: Readonly<Record<string, unknown[]>>): Case[] {
  return Object.entries(table).flatMap(([path, all]) => {
    const steps = stepsOf(path);
    return all.map((value) => ({
      title: `${path} ${JSON.stringify(value) ?? "missing"}`,
      course: courseWith(steps, value, values),
      breaks: { rule, path: steps },
    }));
  });
}

const PERIODS = ["subscription_period", "payment_period", "trial_period"].map(
  (name) => `prices[0].${name}`,
);
const UNITS = PERIODS.map((period) => `${period}.unit`);
const TEXTS = [
  ...["name", "url", "short_description", "long_description", "provider_id", "pace"],
  "instructors[0].name",
];
/** Keys that the service does not require. */
const TITLES = ["offered_by[0].name", "what_you_will_learn[0].title", "syllabus[0].title"];
const KINDS = [
  ...["prices[0].type", ...UNITS, "offered_by[0].type", "video.type"],
  "syllabus[0].duration.unit",
];
const NUMBERS = [...PERIODS.map((period) => `${period}.value`), "syllabus[0].duration.value"];
const COUNTS = ["rating_count", "enrollment_count", "review_count"].map(
  (name) => `provider_rating.${name}`,
);
const UNKNOWN = [
  ...["", "prices[0].", ...PERIODS.map((period) => `${period}.`), "certificate.", "offered_by[0]."],
  ...["video.", "provider_rating.", "instructors[0].", "what_you_will_learn[0].", "syllabus[0]."],
  "syllabus[0].duration.",
].map((object) => `${object}color`);
const BOOLEANS = ["published", "free_content", "paid_content", "assessments", "assignments"];

/** The same wrong values at several paths. */
function each(paths: readonly string[], ...values: readonly unknown[]): Record<string, unknown[]> {
  return Object.fromEntries(paths.map((path) => [path, [...values]]));
}

const INVALID: readonly Case[] = [
  ...wrong("required", FULL, each([...TEXTS, "audio"], undefined, null)),
  ...wrong("required", FULL, { "certificate.type": [undefined, null] }),
  ...wrong("blank", FULL, { ...each(TEXTS, "", " \t"), audio: [[]] }),
  ...wrong("blank", OTHER, { "certificate.type": [" "] }),
  ...wrong("unknown-field", FULL, each(UNKNOWN, 1)),
  ...wrong("unknown-field", FULL, Object.fromEntries([["__proto__", [1]]])),
  ...wrong("type", FULL, {
    ...each(["id", "name", "url", "slug", "short_description", "provider_id", "pace"], 12, {}),
    ...each(["long_description", "image_url"], true, ["a"]),
    ...each(["audio", "subtitles_text", "level"], "en", {}),
    ...each(["audio[0]", "subtitles_text[0]", "level[0]"], null, 2),
    ...each(BOOLEANS, "true", 1),
    ...each(["number_of_lessons", "duration_in_hours", ...NUMBERS, ...COUNTS], "6", [6]),
    ...each(["provider_rating.min", "provider_rating.max", "provider_rating.value"], "1", true),
    ...each(["prices", "offered_by", "instructors", "what_you_will_learn", "syllabus"], {}, "One"),
    ...each(["prices[0]", "offered_by[0]", "instructors[0]", "certificate", "video"], "One", 4),
    ...each(["what_you_will_learn[0]", "syllabus[0]", "provider_rating", ...PERIODS], "One", 4),
    ...each(["prices[0].price", "prices[0].total_price", "certificate.price"], 49.99),
    ...each(["prices[0].currency", "certificate.currency", "prices[0].plan_type"], 978),
    ...each(["prices[0].customer_type", "syllabus[0].duration"], 45, ["all"]),
    ...each(UNITS, 365),
    ...each(["offered_by[0].type", "offered_by[0].name", "video.type", "video.id"], 3, {}),
    ...each(
      ["offered_by[0].main", "instructors[0].main", "instructors[0].distinguished"],
      "yes",
      1,
    ),
    ...each(["video.thumbnail_url", "instructors[0].name", "syllabus[0].duration.unit"], 60),
    ...each(["what_you_will_learn[0].title", "syllabus[0].title"], ["Charts"]),
    ...each(["what_you_will_learn[0].description", "syllabus[0].description"], 1, { text: "All" }),
    ...each(["what_you_will_learn[0].description[1]", "syllabus[0].description[1]"], 1),
  }),
  ...wrong("type", OTHER, each(["prices[0].type", "certificate.type", "provider_rating.type"], 5)),
  ...wrong("type", OTHER, { "video.url": [["https://academy.example/a.mp4"]] }),
  ...wrong("uuid", FULL, each(["id", "provider_id"], "12", "academy")),
  ...wrong("url", FULL, {
    url: [
      "academy.example/a",
      "ftp://academy.example/a",
      "https://academy.example/a b",
      "https://",
    ],
    ...each(["image_url", "video.thumbnail_url"], "knitting.jpg"),
  }),
  ...wrong("url", OTHER, { "video.url": ["a.mp4"] }),
  ...wrong("choice", FULL, {
    pace: ["self-paced", "SELF_PACED"],
    ...each(
      [...KINDS.slice(1), "level[0]", "prices[0].plan_type", "provider_rating.type"],
      NO_CHOICE,
    ),
  }),
  ...wrong("choice", OTHER, each(["prices[0].type", "certificate.type"], NO_CHOICE)),
  ...wrong("choice", FULL, each(KINDS, "")),
  ...wrong(
    "language-code",
    FULL,
    each(["audio[0]", "subtitles_text[0]"], "pt_BR", "EN", "pt-br", "xx", "en-XX", "iw", "eng"),
  ),
  ...wrong("currency-code", FULL, {
    "prices[0].currency": ["EURO", "usd", "BGN"],
    "certificate.currency": ["EU"],
  }),
  ...wrong("amount", FULL, {
    "prices[0].price": ["49,99", "-1", "1e3"],
    ...each(["prices[0].total_price", "certificate.price"], "free"),
  }),
  ...wrong("type", FULL, each(COUNTS, 1.5)),
  ...wrong("price-subscription", OTHER, {
    "prices[0].total_price": ["119.88"],
    ...each(PERIODS, YEAR),
  }),
  ...wrong("certificate-price", OTHER, {
    "certificate.price": ["1"],
    "certificate.currency": ["EUR"],
  }),
  ...wrong("video-source", FULL, { "video.url": ["https://academy.example/a"] }),
  ...wrong("video-source", OTHER, { "video.id": ["a"] }),
  ...wrong("rating-scale", FULL, each(["provider_rating.min", "provider_rating.max"], undefined)),
  ...wrong("rating-scale", OTHER, each(["provider_rating.min", "provider_rating.max"], 9)),
  ...wrong("rating-value", FULL, { "provider_rating.value": [0.5, 5.5] }),
  ...wrong("rating-value", OTHER, { "provider_rating.value": [0, 1.5] }),
  ...wrong("rating-value", RATIO, { "provider_rating.value": [101, -1] }),
];

const VALID: readonly Case[] = [
  {},
  FULL,
  OTHER,
  RATIO,
  ...WRITABLE_FIELDS.filter(({ required }) => !required).map(({ name }) => ({ [name]: null })),
  ...BOOLEANS.flatMap((name) => [{ [name]: true }, { [name]: false }]),
  { url: "https://www.academy.example/a?b=c#d", provider_id: PROVIDER_ID.toUpperCase() },
  { url: "http://academy.example/", pace: "instructor_paced" },
  { url: "https://academy.example/編み物", level: ["beginner", "intermediate", "advanced"] },
  { audio: ["en", "pt-BR"], subtitles_text: ["en", "pt-BR", "zh-CN"], level: [] },
  { number_of_lessons: 1, duration_in_hours: 0, prices: [], free_content: true },
  {
    duration_in_hours: 7.25,
    prices: [{ ...SINGLE, price: "0", trial_period: null }, SUBSCRIPTION],
  },
  { certificate: { type: "included" }, video: { type: "youtube", id: "abc" } },
  { provider_rating: { ...SCALE, value: 5 }, syllabus: [{ title: "One", description: "a" }] },
  { provider_rating: { rating_count: 0, enrollment_count: 1, review_count: 2 } },
  { offered_by: ["university", "company", "other"].map((type) => ({ type, name: "Example" })) },
  {
    syllabus: ["minutes", "seconds"].map((unit) => ({ title: "a", duration: { value: 1, unit } })),
  },
].map((changes) => ({ title: JSON.stringify(changes), course: course(changes) }));

export const CASES: readonly Case[] = [...VALID, ...INVALID];

/** Courses that are valid except for the user's providers. */
export const OWNERSHIP_CASES: readonly Case[] = [
  ...wrong("provider-owned", FULL, { provider_id: ["11111111-1111-4111-8111-111111111111"] }),
  ...wrong("url-host", FULL, {
    url: ["https://elsewhere.example/a", "https://notacademy.example/a"],
  }),
];

/** Valid but probably unintended content: one warning each, and no error. */
export const WARNED_CASES: readonly Case[] = [
  ...wrong("read-only", FULL, {
    approval_status: ["pending"],
    last_fetched_at: ["2026-01-31T12:00:00+00:00"],
    schema_version: ["1.0.0"],
  }),
  ...wrong("spaces", FULL, { name: ["Knitting "], "syllabus[0].title": ["Two "] }),
  ...wrong("number-range", FULL, {
    number_of_lessons: [0],
    ...each(["duration_in_hours", ...NUMBERS, ...COUNTS], -1),
  }),
  ...wrong("whole-number", FULL, { number_of_lessons: [1.5] }),
  ...wrong("incomplete", FULL, each([...TITLES, ...KINDS, ...NUMBERS], undefined, null)),
  ...wrong("incomplete", FULL, { ...each(TITLES, "", " \t"), "video.id": [undefined] }),
  ...wrong("incomplete", OTHER, { "video.url": [undefined] }),
  ...wrong("invisible", FULL, { "what_you_will_learn[0].description[1]": ["Knit\u200bting"] }),
  {
    title: "two descriptions that are the same",
    course: course({ short_description: "Knit it", long_description: "Knit it" }),
    breaks: { rule: "same-descriptions", path: ["short_description"] },
  },
];
