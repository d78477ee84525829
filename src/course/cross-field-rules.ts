/** The rules about several keys of a course, or of an object inside a course. docs/rules.md explains each rule. */
import { pluralize } from "../base/text.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { decimalsOf } from "./codes.ts";
import { PROVIDER_KEY } from "./field-names.ts";
import { repairMojibake } from "./mojibake.ts";
import type { Problem, RuleId } from "./problem.ts";
import { LANGUAGE_PLACEHOLDER, NOT_BLANK, STILL_PLACEHOLDER } from "./string-formats.ts";

/** A broken rule at a key of an object. `text` is a clause that follows the path of the key. */
export interface RuleViolation
  extends Partial<Pick<Problem, "severity" | "at" | "suggestion" | "notes">> {
  readonly rule: RuleId;
  readonly key: string;
  readonly text: string;
}

type Report = (violation: RuleViolation) => void;

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A rule about several keys of one object. The values may have any type. */
export interface Rule {
  readonly check: (object: PlainObject, report: Report) => void;
  /** The part of the rule that a JSON Schema can state. */
  readonly schemas?: readonly JsonSchema[];
}

/** A schema that must match if a condition matches, and one for when the condition does not match. */
export function when(condition: JsonSchema, then: JsonSchema, otherwise?: JsonSchema): JsonSchema {
  return { if: condition, then, ...(otherwise === undefined ? {} : { else: otherwise }) };
}

/** A schema of objects that have each of the keys. */
function having(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}

/** A schema of objects whose keys match, if they are given. */
function allowing(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties };
}

/** A schema of objects that set none of the keys. */
function without(keys: readonly string[]): JsonSchema {
  return allowing(Object.fromEntries(keys.map((key) => [key, { type: "null" }])));
}

const NOT_NULL: JsonSchema = { not: { type: "null" } };

/** The JSON Schema of `oneProvider`, which also requires one of the two keys. */
export const ONE_PROVIDER: JsonSchema = when(
  having({ [PROVIDER_KEY]: NOT_NULL }),
  without(["provider_id"]),
  having({ provider_id: { type: "string" } }),
);

/** Whether an object has a value that is not null at a key. */
export function isGiven(object: PlainObject, key: string): boolean {
  return Object.hasOwn(object, key) && object[key] !== undefined && object[key] !== null;
}

/** A rule that allows keys only for one value of `type`. It reports nothing for an unknown type. */
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

/** Prices: only a subscription has a total and periods. */
export const priceSubscriptionKeys: Rule = onlyWhenType(
  "price-subscription",
  "subscription",
  ["single_course"],
  ["total_price", "subscription_period", "payment_period", "trial_period"],
);

/** Certificates: only a paid certificate has a price and a currency. */
export const certificatePriceKeys: Rule = onlyWhenType(
  "certificate-price",
  "paid",
  ["free", "included"],
  ["price", "currency"],
);

/** Amounts: no more decimals than the currency has. Zeros at the end do not count. */
export const amountDecimals: Rule = {
  check: ({ currency, ...object }, report) => {
    if (typeof currency !== "string") return;
    const most = decimalsOf(currency);
    for (const key of ["price", "total_price"]) {
      const amount = object[key];
      const [, decimals = ""] = /^\d+\.(\d*[1-9])0*$/.exec(String(amount)) ?? [];
      if (typeof amount !== "string" || decimals.length <= most) continue;
      const text = `must have at most ${pluralize(most, "decimal")} in ${currency}, not ${JSON.stringify(amount)}`;
      report({ rule: "amount-decimals", key, text });
    }
  },
};

/** Ratings: only a scale has min and max. */
export const ratingScaleKeys: Rule = {
  check: (object, report) => {
    const hasType = isGiven(object, "type");
    if (hasType && object.type !== "positive_ratio" && object.type !== "likes") return;
    const fix = hasType ? "" : "; set type to scale";
    for (const key of ["min", "max"].filter((name) => isGiven(object, name))) {
      const text = `is only allowed when type is scale${fix}`;
      report({ rule: "rating-scale", at: "key", key, text });
    }
  },
  schemas: [when(having({ type: { const: "scale" } }), {}, without(["min", "max"]))],
};

/** Ratings: a scale with a value needs both ends, in order. */
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
      const text = `must be at most max (${max}), not ${min}`;
      report({ rule: "rating-scale", key: "min", text });
    }
  },
  schemas: [
    when(
      having({ type: { const: "scale" }, value: NOT_NULL }),
      having({ min: { type: "number" }, max: { type: "number" } }),
    ),
  ],
};

/** Ratings: the value is in the range of the type. */
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
    return `must be a positive whole number when type is likes, not ${value}`;
  }
  if (type === "positive_ratio" && !(value >= 0 && value <= 100)) {
    return `must be between 0 and 100 when type is positive_ratio, not ${value}`;
  }
  if (type !== "scale") return undefined;
  if (typeof min === "number" && value < min) return `must be at least min (${min}), not ${value}`;
  if (typeof max === "number" && value > max) return `must be at most max (${max}), not ${value}`;
  return undefined;
}

/** Ratings: a type and a value need each other. */
export const ratingTypeWithValue: Rule = {
  check: (object, report) => {
    const hasType = isGiven(object, "type");
    if (hasType === isGiven(object, "value")) return;
    const [key, missing] = hasType ? ["type", "value"] : ["value", "type"];
    const text = `has no effect without ${missing}`;
    report({ rule: "rating-type", severity: "warning", at: "key", key, text });
  },
};

/** For each type of video, the key that identifies the video, and the key that is not allowed. */
const VIDEO_SOURCES = [
  { types: ["self_hosted"], needed: "url", other: "id" },
  { types: ["vimeo", "youtube"], needed: "id", other: "url" },
] as const;

/** Videos: a self_hosted video has a url, a video on vimeo or youtube an id. */
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
      const text = `is missing: a ${object.type} video needs ${needed === "id" ? "an id" : "a url"}`;
      report({ rule: "video-source", at: "parent", key: needed, text });
    }
    if (isGiven(object, other)) {
      const text = `is not allowed for a ${object.type} video; use ${needed}`;
      report({ rule: "video-source", at: "key", key: other, text });
    }
  },
  schemas: VIDEO_SOURCES.map(({ types, needed, other }) =>
    when(having({ type: { enum: types } }), {
      allOf: [having({ [needed]: { type: "string", pattern: NOT_BLANK } }), without([other])],
    }),
  ),
};

type CourseRule = Rule["check"];

/** Providers: a course has `provider` or `provider_id`, not both. */
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

/** Descriptions: the website shows them as plain text. */
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

/** The first HTML in a string. The search for single characters is fast, and enough for most strings. */
function findHtml(text: string): string | undefined {
  const found =
    (text.includes("<") ? TAG.exec(text) : null) ?? (text.includes("&") ? ENTITY.exec(text) : null);
  return found?.[0];
}

function findMarkdown(text: string): string | undefined {
  return /\]\(|\*\*|#/.test(text) ? MARKDOWN.exec(text)?.[0] : undefined;
}

/** Descriptions: the short description is for search results, so it is not the long one. */
const differentDescriptions: CourseRule = (course, report) => {
  const { short_description: short, long_description: long } = course;
  if (typeof short !== "string" || typeof long !== "string" || short.trim() === "") return;
  const [one, other] = [short, long].map((text) => (repairMojibake(text) ?? text).trim());
  if (one !== other) return;
  const text = "is the same text as long_description: shorten it";
  report({ rule: "same-descriptions", severity: "warning", key: "short_description", text });
};

/** Prices: a course that is not free has paid content. */
const paidContent: CourseRule = (course, report) => {
  const { free_content: free, paid_content: paid } = course;
  if (paid === true || (free !== true && paid !== false)) return;
  const index = isList(course.prices) ? course.prices.findIndex(costsSomething) : -1;
  if (index === -1) return;
  const price = `prices[${index}] is above zero`;
  report({
    rule: "paid-content",
    severity: "warning",
    ...(paid === false
      ? { key: "paid_content", text: `is false, but ${price}`, suggestion: "true" }
      : {
          key: "free_content",
          text: `is true, so all content seems to be free, but ${price}; add paid_content: true`,
        }),
  });
};

function costsSomething(price: unknown): boolean {
  if (!isObject(price)) return false;
  return [price.price, price.total_price].some(
    (amount) => typeof amount === "string" && /[1-9]/.test(amount),
  );
}

/** Images: a course with a video does not show its image. */
const unusedImage: CourseRule = (course, report) => {
  if (!isGiven(course, "image_url") || !isGiven(course, "video")) return;
  const text = "is ignored because the course has a video; use video.thumbnail_url";
  report({ rule: "unused-image", severity: "warning", at: "key", key: "image_url", text });
};

/** A slug as the service generates it, such as `knitting-7f3a`. */
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Slugs: the service generates them from lowercase letters, digits and hyphens. */
const ownSlug: CourseRule = ({ slug }, report) => {
  if (typeof slug !== "string") return;
  const isUsual = SLUG.test(slug);
  report({
    rule: isUsual ? "own-slug" : "slug-form",
    severity: "warning",
    at: isUsual ? "key" : "value",
    key: "slug",
    text: isUsual
      ? "is generated by the service, which may ignore this value"
      : "is unlikely to be accepted; omit it, and the service makes one",
  });
};

/** The end of a placeholder url, which starts with the website of a provider. */
const PLACEHOLDER_PATH = "/replace-this-path";

/** The placeholders of the template, for each field that only the author can fill in. */
export const PLACEHOLDERS: Readonly<Record<string, unknown>> = {
  name: "Replace this with the name of the course",
  url: `https://academy.example${PLACEHOLDER_PATH}`,
  short_description: "Replace this with what search results show.",
  long_description: "Replace this with the text of the course card.",
  // The service would reject it, so the rule for languages reports it.
  audio: [LANGUAGE_PLACEHOLDER],
  [PROVIDER_KEY]: "Replace this with the slug of your provider",
};

/** Whether the value of a field is the placeholder of the template. */
export function isPlaceholder(name: string, value: unknown): boolean {
  if (isList(value)) return name === "audio" && value.includes(LANGUAGE_PLACEHOLDER);
  if (typeof value !== "string") return false;
  const text = value.trim();
  return text === PLACEHOLDERS[name] || (name === "url" && text.endsWith(PLACEHOLDER_PATH));
}

const PLACEHOLDER_FIELDS = Object.keys(PLACEHOLDERS).filter((name) => name !== "audio");

/** Placeholders: the author replaces the placeholders of the template. */
const noPlaceholders: CourseRule = (course, report) => {
  for (const key of PLACEHOLDER_FIELDS) {
    if (isPlaceholder(key, course[key]))
      report({ rule: "placeholder", key, text: STILL_PLACEHOLDER });
  }
};

/** The rules about several fields of a course, in the order of their problems. */
export const COURSE_RULES: readonly CourseRule[] = [
  oneProvider,
  plainDescriptions,
  differentDescriptions,
  paidContent,
  unusedImage,
  ownSlug,
  noPlaceholders,
];
