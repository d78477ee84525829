/** The rules that span several keys of a course, or of an object inside it, each small and named. */
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { PROVIDER_KEY } from "./field-names.ts";
import { repairMojibake } from "./mojibake.ts";
import type { Problem, RuleId } from "./problem.ts";
import { NOT_BLANK } from "./schemas.ts";
import { videoWithId } from "./string-formats.ts";

/** A broken rule, found at a key of the object; `text` is a clause that follows its path. */
export interface RuleViolation
  extends Partial<Pick<Problem, "severity" | "at" | "suggestion" | "notes">> {
  readonly rule: RuleId;
  readonly key: string;
  readonly text: string;
  /** What the object certainly should be instead. */
  readonly replacement?: PlainObject;
}

type Report = (violation: RuleViolation) => void;

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A rule that spans several keys of one object, whose values may be of any type. */
export interface Rule {
  readonly check: (object: PlainObject, report: Report) => void;
  /** As much of it as a JSON Schema can state. */
  readonly schemas?: readonly JsonSchema[];
}

/** What else must match where a condition does, or where it does not. */
export function when(condition: JsonSchema, then: JsonSchema, otherwise?: JsonSchema): JsonSchema {
  return { if: condition, then, ...(otherwise === undefined ? {} : { else: otherwise }) };
}

/** Objects that have each of the keys. */
function having(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}

/** Objects whose keys match, where they are given. */
function allowing(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties };
}

/** Objects that set none of the keys. */
function without(keys: readonly string[]): JsonSchema {
  return allowing(Object.fromEntries(keys.map((key) => [key, { type: "null" }])));
}

const NOT_NULL: JsonSchema = { not: { type: "null" } };

/** The JSON Schema of `oneProvider`, together with the requirement of one of the two keys. */
export const ONE_PROVIDER: JsonSchema = when(
  having({ [PROVIDER_KEY]: NOT_NULL }),
  without(["provider_id"]),
  having({ provider_id: { type: "string" } }),
);

/** Whether an object has a value that is not null at a key. */
export function isGiven(object: PlainObject, key: string): boolean {
  return Object.hasOwn(object, key) && object[key] !== undefined && object[key] !== null;
}

/** Keys that are only allowed for one value of `type`. With an unknown type nothing is reported. */
function onlyWhenType(
  rule: RuleId,
  type: string,
  others: readonly string[],
  keys: readonly string[],
): Rule {
  return {
    check: (object, report) => {
      if (!others.some((other) => other === object.type)) return;
      for (const key of keys.filter((name) => isGiven(object, name))) {
        report({ rule, at: "key", key, text: `is only allowed when type is ${type}` });
      }
    },
    schemas: [when(having({ type: { enum: others } }), without(keys))],
  };
}

/** Price: totals and periods only for a subscription. */
export const priceSubscriptionKeys: Rule = onlyWhenType(
  "price-subscription",
  "subscription",
  ["single_course"],
  ["total_price", "subscription_period", "payment_period", "trial_period"],
);

/** Certificate: price and currency only when it is paid. */
export const certificatePriceKeys: Rule = onlyWhenType(
  "certificate-price",
  "paid",
  ["free", "included"],
  ["price", "currency"],
);

/** Rating: min and max only for a scale. */
export const ratingScaleKeys: Rule = {
  check: (object, report) => {
    const hasType = isGiven(object, "type");
    if (hasType && object.type !== "positive_ratio" && object.type !== "likes") return;
    const fix = hasType ? "" : ": set type to scale";
    for (const key of ["min", "max"].filter((name) => isGiven(object, name))) {
      const text = `is only allowed when type is scale${fix}`;
      report({ rule: "rating-scale", at: "key", key, text });
    }
  },
  schemas: [when(having({ type: { const: "scale" } }), {}, without(["min", "max"]))],
};

/** Rating: a scale with a value needs both ends, in order. */
export const ratingScaleEnds: Rule = {
  check: (object, report) => {
    const { type, min, max } = object;
    if (type !== "scale") return;
    for (const key of ["min", "max"]) {
      if (isGiven(object, key) || !isGiven(object, "value")) continue;
      const text = "is missing: a scale with a value needs min and max";
      report({ rule: "rating-scale", at: "parent", key, text });
    }
    if (typeof min === "number" && typeof max === "number" && min > max) {
      report({ rule: "rating-scale", key: "min", text: `must not be above max (${min} > ${max})` });
    }
  },
  schemas: [
    when(
      having({ type: { const: "scale" }, value: NOT_NULL }),
      having({ min: { type: "number" }, max: { type: "number" } }),
    ),
  ],
};

export const ratingValueRange: Rule = {
  check: (object, report) => {
    const { value } = object;
    const fault = typeof value === "number" ? ratingFault(object, value) : undefined;
    if (fault !== undefined) report({ rule: "rating-value", key: "value", text: fault });
  },
  schemas: [
    when(
      having({ type: { const: "likes" } }),
      allowing({ value: { type: ["integer", "null"], minimum: 1 } }),
    ),
    when(
      having({ type: { const: "positive_ratio" } }),
      allowing({ value: { type: ["number", "null"], minimum: 0, maximum: 100 } }),
    ),
  ],
};

function ratingFault({ type, min, max }: PlainObject, value: number): string | undefined {
  if (type === "likes" && !(Number.isInteger(value) && value > 0)) {
    return `must be a positive whole number when type is likes (is ${value})`;
  }
  if (type === "positive_ratio" && !(value >= 0 && value <= 100)) {
    return `must be between 0 and 100 when type is positive_ratio (is ${value})`;
  }
  if (type !== "scale") return undefined;
  if (typeof min === "number" && value < min) return `must not be below min (${value} < ${min})`;
  if (typeof max === "number" && value > max) return `must not be above max (${value} > ${max})`;
  return undefined;
}

export const ratingTypeWithValue: Rule = {
  check: (object, report) => {
    const hasType = isGiven(object, "type");
    if (hasType === isGiven(object, "value")) return;
    const [key, missing] = hasType ? ["type", "value"] : ["value", "type"];
    const text = `has no effect without ${missing}`;
    report({ rule: "rating-type", severity: "warning", at: "key", key, text });
  },
};

/** The key that identifies each type of video, and the one that must not be given then. */
const VIDEO_SOURCES = [
  { types: ["self_hosted"], needed: "url", other: "id" },
  { types: ["vimeo", "youtube"], needed: "id", other: "url" },
] as const;

/** Video: url for self_hosted, id for vimeo and youtube. */
export const videoSource: Rule = {
  check: (object, report) => {
    const source = VIDEO_SOURCES.find(({ types }) => types.some((type) => type === object.type));
    if (source === undefined) return;
    const { needed, other } = source;
    const value = object[needed];
    if (typeof value === "string" && value.trim() === "") {
      report({ rule: "blank", key: needed, text: "must not be empty" });
    }
    if (!isGiven(object, needed)) {
      const text = `is missing: a ${object.type} video needs it`;
      report({ rule: "video-source", at: "parent", key: needed, text });
    }
    if (isGiven(object, other)) {
      const text = `is not allowed for a ${object.type} video: use ${needed}`;
      const replacement = needed === "id" ? videoWithId(object) : undefined;
      const facts =
        replacement === undefined ? {} : { replacement, suggestion: `id: ${replacement.id}` };
      report({ rule: "video-source", at: "key", key: other, text, ...facts });
    }
  },
  schemas: VIDEO_SOURCES.map(({ types, needed, other }) =>
    when(having({ type: { enum: types } }), {
      allOf: [having({ [needed]: { type: "string", pattern: NOT_BLANK } }), without([other])],
    }),
  ),
};

type CourseRule = Rule["check"];

/** Provider: `provider` and `provider_id` exclude each other. */
const oneProvider: CourseRule = (course, report) => {
  if (!isGiven(course, PROVIDER_KEY) || !isGiven(course, "provider_id")) return;
  const text = "cannot be combined with provider_id: keep one of them";
  report({ rule: "provider-twice", at: "key", key: PROVIDER_KEY, text });
};

const TAG =
  /<\/(?:a|b|blockquote|code|div|em|h[1-6]|i|li|ol|p|pre|script|section|small|span|strong|style|sub|sup|table|td|th|tr|u|ul)>|\S<br ?\/?>|<br ?\/?>\S|<(?:a|div|img|p|span) [a-z-]+=/i;
const ENTITY =
  /&(?:amp|apos|gt|hellip|laquo|[lmnr](?:dash|dquo|squo)|lt|nbsp|quot|raquo|#\d+|#x[\da-f]+);/i;
const MARKDOWN =
  /!?\[[^[\]\n]+\]\((?:https?:|\/)[^()\s]*\)|(?<![\w*/])\*\*(?=\S)[^*\n]*[^*\s]\*\*(?![\w*])|^#{1,6} +[^\d\s]/m;

const plainDescriptions: CourseRule = (course, report) => {
  for (const key of ["short_description", "long_description"]) {
    const value = course[key];
    if (typeof value !== "string") continue;
    const html = findHtml(value);
    const found = html ?? findMarkdown(value);
    if (found === undefined) continue;
    const excerpt = found.length > LONGEST_EXCERPT ? `${found.slice(0, LONGEST_EXCERPT)}…` : found;
    const text = `must be plain text, but contains formatting: ${excerpt}`;
    const notes = html === undefined ? {} : { notes: [HTML_NOTE] };
    report({ rule: "markup", severity: "warning", key, text, ...notes });
  }
};

const LONGEST_EXCERPT = 30;

const HTML_NOTE =
  'To convert an export with HTML, use $plainText in a mapping of "catalog courses import".';

/** The first HTML in a string. Most strings lack even the characters that it needs. */
function findHtml(text: string): string | undefined {
  const found =
    (text.includes("<") ? TAG.exec(text) : null) ?? (text.includes("&") ? ENTITY.exec(text) : null);
  return found?.[0];
}

function findMarkdown(text: string): string | undefined {
  return /\]\(|\*\*|#/.test(text) ? MARKDOWN.exec(text)?.[0] : undefined;
}

/** Descriptions: the short one is for search results. */
const differentDescriptions: CourseRule = (course, report) => {
  const { short_description: short, long_description: long } = course;
  if (typeof short !== "string" || typeof long !== "string" || short.trim() === "") return;
  const [one, other] = [short, long].map((text) => (repairMojibake(text) ?? text).trim());
  if (one !== other) return;
  const text = "is the same text as long_description: shorten it";
  report({ rule: "same-descriptions", severity: "warning", key: "short_description", text });
};

/** Prices: a course that costs something has paid content. */
const paidContent: CourseRule = (course, report) => {
  const { free_content: free, paid_content: paid } = course;
  if (paid === true || (free !== true && paid !== false)) return;
  const index = isList(course.prices) ? course.prices.findIndex(costsSomething) : -1;
  if (index === -1) return;
  const [key, state] = paid === false ? ["paid_content", "false"] : ["free_content", "true"];
  report({
    rule: "paid-content",
    severity: "warning",
    key,
    text: `is ${state}, but prices[${index}] is above zero: set paid_content to true`,
    ...(paid === false ? { suggestion: "true" } : {}),
  });
};

function costsSomething(price: unknown): boolean {
  if (!isObject(price)) return false;
  return [price.price, price.total_price].some(
    (amount) => typeof amount === "string" && /[1-9]/.test(amount),
  );
}

/** Image: used only when there is no video. */
const unusedImage: CourseRule = (course, report) => {
  if (!isGiven(course, "image_url") || !isGiven(course, "video")) return;
  const text = "is ignored when a video is set; use video.thumbnail_url";
  report({ rule: "unused-image", severity: "warning", at: "key", key: "image_url", text });
};

/** Slug: the service generates it, of lower-case letters, digits and hyphens. */
const ownSlug: CourseRule = ({ slug }, report) => {
  if (typeof slug !== "string") return;
  const isUsual = /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug);
  report({
    rule: isUsual ? "own-slug" : "slug-form",
    severity: "warning",
    at: isUsual ? "key" : "value",
    key: "slug",
    text: isUsual
      ? "is generated by the service, which may ignore this value"
      : "has an unusual form; the service generates its own",
  });
};

/** The end of a placeholder url, which begins with the site of a provider. */
const PLACEHOLDER_PATH = "/replace-this-path";

/** The placeholder of each field that no default can fill. */
export const PLACEHOLDERS: Readonly<Record<string, string>> = {
  name: "Replace this with the name of the course",
  url: `https://academy.example${PLACEHOLDER_PATH}`,
  short_description: "Replace this with what search results show.",
  long_description: "Replace this with the text of the course card.",
};

const ENTRIES = Object.entries(PLACEHOLDERS);

/** Placeholders: the author of a starter file replaces them. */
const noPlaceholders: CourseRule = (course, report) => {
  for (const [name, placeholder] of ENTRIES) {
    const value = course[name];
    if (typeof value !== "string") continue;
    const text = value.trim();
    if (text !== placeholder && !(name === "url" && text.endsWith(PLACEHOLDER_PATH))) continue;
    const rest = "is still the placeholder of the starter file; replace it";
    report({ rule: "placeholder", key: name, text: rest });
  }
};

/** The rules that span the fields of a course, in the order of their findings. */
export const COURSE_RULES: readonly CourseRule[] = [
  oneProvider,
  plainDescriptions,
  differentDescriptions,
  paidContent,
  unusedImage,
  ownSlug,
  noPlaceholders,
];
