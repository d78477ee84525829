/** Wrong types, missing, null and empty keys of every object inside a course. */
import { type Case, invalidCase, without } from "./case.ts";

type Values = Readonly<Record<string, unknown>>;

/** One kind of object, and a wrong value for each of its keys. */
interface Kind {
  readonly called: string;
  /** A valid object. */
  readonly right: Values;
  readonly path: readonly (string | number)[];
  /** The fields of a course that contains it. */
  readonly within: (object: Values) => Values;
  /** By key: a value of a wrong type. */
  readonly types: Values;
  readonly required: readonly string[];
  /** The required keys whose values are strings. */
  readonly texts: readonly string[];
}

/** A kind of object that is an element of a list. */
function listElement(
  field: string,
  called: string,
  rest: Omit<Kind, "called" | "path" | "within">,
): Kind {
  return { called, path: [field, 0], within: (object) => ({ [field]: [object] }), ...rest };
}

/** A kind of object that is the value of a field. */
function single(field: string, rest: Omit<Kind, "called" | "path" | "within">): Kind {
  return { called: field, path: [field], within: (object) => ({ [field]: object }), ...rest };
}

const YEAR = { unit: "years", value: 1 };
const HOUR = { value: 1, unit: "hours" };

const KINDS: readonly Kind[] = [
  listElement("prices", "a single price", {
    right: { type: "single_course", price: "49.99", currency: "EUR" },
    types: { type: 1, price: 49.99, currency: 978, plan_type: true, customer_type: ["all"] },
    required: ["type"],
    texts: ["type"],
  }),
  listElement("prices", "a subscription", {
    right: { type: "subscription", total_price: "119.88" },
    types: {
      total_price: 119.88,
      subscription_period: "years",
      payment_period: 1,
      trial_period: [YEAR],
    },
    required: [],
    texts: [],
  }),
  ...["subscription_period", "payment_period", "trial_period"].map(
    (period): Kind => ({
      called: period,
      right: YEAR,
      path: ["prices", 0, period],
      within: (object) => ({ prices: [{ type: "subscription", [period]: object }] }),
      types: { unit: 365, value: "1" },
      required: ["unit", "value"],
      texts: ["unit"],
    }),
  ),
  single("certificate", {
    right: { type: "paid", price: "39", currency: "EUR" },
    types: { price: 39, currency: false },
    required: ["type"],
    texts: [],
  }),
  single("certificate", {
    right: { type: "free" },
    types: { type: ["free"] },
    required: [],
    texts: ["type"],
  }),
  listElement("offered_by", "an organization", {
    right: { type: "other", name: "Guild", main: true },
    types: { type: true, name: 3, main: 1 },
    required: ["type", "name"],
    texts: ["type", "name"],
  }),
  single("video", {
    right: { type: "vimeo", id: "123" },
    types: { type: {}, id: 123, thumbnail_url: 5 },
    required: ["type"],
    texts: ["type"],
  }),
  single("video", {
    right: { type: "self_hosted", url: "https://academy.example/a.mp4" },
    types: { url: ["https://academy.example/a.mp4"] },
    required: [],
    texts: [],
  }),
  single("provider_rating", {
    right: { type: "scale", min: 1, max: 5, value: 4.5 },
    types: {
      min: "1",
      max: [5],
      value: true,
      rating_count: "12",
      enrollment_count: {},
      review_count: false,
    },
    required: [],
    texts: [],
  }),
  single("provider_rating", {
    right: { type: "likes", value: 5 },
    types: { type: 5 },
    required: [],
    texts: [],
  }),
  listElement("instructors", "an instructor", {
    right: { name: "Ada", distinguished: true, main: true },
    types: { name: 1815, distinguished: "yes", main: 1 },
    required: ["name"],
    texts: ["name"],
  }),
  listElement("what_you_will_learn", "a topic", {
    right: { title: "Charts", description: "All of them." },
    types: { title: ["Charts"], description: { text: "All" } },
    required: ["title"],
    texts: ["title"],
  }),
  listElement("syllabus", "a lesson", {
    right: { title: "Charts", duration: HOUR },
    types: { title: 1, description: false, duration: "1 hour" },
    required: ["title"],
    texts: ["title"],
  }),
  {
    called: "a lesson's duration",
    right: HOUR,
    path: ["syllabus", 0, "duration"],
    within: (object) => ({ syllabus: [{ title: "Charts", duration: object }] }),
    types: { value: "45", unit: 60 },
    required: ["value", "unit"],
    texts: ["unit"],
  },
];

/** Cases for every key of every object: wrong type, and if required missing, null and empty. */
export const OBJECT_CASES: readonly Case[] = KINDS.flatMap(
  ({ called, right, path, within, types, required, texts }) => [
    ...Object.entries(types).map(([key, value]) =>
      invalidCase(
        `${called} with ${key} ${JSON.stringify(value)}`,
        within({ ...right, [key]: value }),
        "type",
        ...path,
        key,
      ),
    ),
    ...required.flatMap((key) => [
      invalidCase(
        `${called} without its ${key}`,
        within(without(right, key)),
        "required",
        ...path,
        key,
      ),
      invalidCase(
        `${called} with a null for its ${key}`,
        within({ ...right, [key]: null }),
        "required",
        ...path,
        key,
      ),
    ]),
    ...texts.map((key) =>
      invalidCase(
        `${called} with a empty ${key}`,
        within({ ...right, [key]: " " }),
        "blank",
        ...path,
        key,
      ),
    ),
  ],
);
