/** The rules about the keys of an object, and of a course. docs/rules.md explains each rule. */
import { cutText, pluralize } from "../base/text.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { decimalsOf } from "./codes.ts";
import { PROVIDER_KEY } from "./field-names.ts";
import { repairMojibake } from "./mojibake.ts";
import { isPlaceholder, PLACEHOLDERS, STILL_PLACEHOLDER } from "./placeholders.ts";
import type { Fault, Problem, RuleId } from "./problem.ts";
import type { Owner } from "./shape.ts";
import { NOT_BLANK } from "./string-formats.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A rule about keys of one object, whose values may have any type. */
interface Rule {
  readonly rule: RuleId;
  readonly keys: readonly string[];
  readonly at?: Problem["at"];
  /** Whether the value of a key breaks the rule. */
  readonly when: (value: unknown, object: PlainObject, key: string) => boolean;
  /** A clause that follows the path of the key. */
  readonly message: string | ((value: unknown, object: PlainObject) => string);
  readonly suggestion?: string;
  /** The part of the rule that a JSON Schema can state. */
  readonly schema?: JsonSchema;
}

/** The faults of an object, each with its key, in the order of the rules. */
export function* brokenRules(
  rules: readonly Rule[],
  object: PlainObject,
): Generator<{ readonly key: string; readonly fault: Fault }> {
  for (const { rule, keys, at, when, message, suggestion } of rules) {
    for (const key of keys) {
      const value = Object.hasOwn(object, key) ? object[key] : undefined;
      if (!when(value, object, key)) continue;
      const text = typeof message === "string" ? message : message(value, object);
      yield { key, fault: { rule, at, text, suggestion } };
    }
  }
}

/** Whether a key is given: null means the same as an absent key. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
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

function ofType(...types: readonly string[]): JsonSchema {
  return having({ type: { enum: types } });
}

/** A schema that must match if a condition matches, and one for when the condition does not match. */
export function ifMatches(
  condition: JsonSchema,
  matching: JsonSchema,
  otherwise?: JsonSchema,
): JsonSchema {
  const branches = [
    ["if", condition],
    ["then", matching],
    ["else", otherwise],
  ] as const;
  return Object.fromEntries(branches.filter(([, schema]) => schema !== undefined));
}

const NOT_NULL: JsonSchema = { not: { type: "null" } };

/** The JSON Schema of `provider-twice`, which also requires one of the two keys. */
export const ONE_PROVIDER = ifMatches(
  having({ [PROVIDER_KEY]: NOT_NULL }),
  without(["provider_id"]),
  having({ provider_id: { type: "string" } }),
);

/** A rule that allows keys only for some values of `type`. It reports nothing for an unknown type. */
function onlyFor(
  types: readonly string[],
  others: readonly (string | null)[],
  rule: Pick<Rule, "rule" | "keys" | "message">,
): Rule {
  return {
    ...rule,
    at: "key",
    when: (value, { type }) => isSet(value) && others.some((other) => other === (type ?? null)),
    schema: ifMatches(ofType(...types), {}, without(rule.keys)),
  };
}

const amountDecimals: Rule = {
  rule: "amount-decimals",
  keys: ["price", "total_price"],
  when: (amount, { currency }) => {
    // Zeros at the end do not count.
    const [, decimals = ""] = /^\d+\.(\d*[1-9])0*$/.exec(String(amount)) ?? [];
    const isText = typeof amount === "string" && typeof currency === "string";
    return isText && decimals.length > decimalsOf(currency);
  },
  message: (amount, { currency }) => {
    const most = pluralize(decimalsOf(String(currency)), "decimal");
    return `must have at most ${most} in ${currency}, not ${JSON.stringify(amount)}`;
  },
};

const RATING: readonly Rule[] = [
  onlyFor(["scale"], ["positive_ratio", "likes", null], {
    rule: "rating-scale",
    keys: ["min", "max"],
    message: (_, { type }) =>
      `is only allowed when type is scale${isSet(type) ? "" : "; set type to scale"}`,
  }),
  {
    rule: "rating-scale",
    keys: ["min", "max"],
    at: "parent",
    when: (end, { type, value }) => type === "scale" && isSet(value) && !isSet(end),
    message: "is missing: a scale with a value needs min and max",
    schema: ifMatches(
      having({ type: { const: "scale" }, value: NOT_NULL }),
      having({ min: { type: "number" }, max: { type: "number" } }),
    ),
  },
  {
    rule: "rating-scale",
    keys: ["min"],
    when: (min, { type, max }) => type === "scale" && isAbove(min, max),
    message: (min, { max }) => `must be at most max (${max}), not ${min}`,
  },
  {
    rule: "rating-value",
    keys: ["value"],
    when: (value, { type }) =>
      type === "likes" && typeof value === "number" && !(Number.isInteger(value) && value > 0),
    message: (value) => `must be a positive whole number when type is likes, not ${value}`,
    schema: ifMatches(
      ofType("likes"),
      allowing({ value: { type: ["integer", "null"], minimum: 1 } }),
    ),
  },
  {
    rule: "rating-value",
    keys: ["value"],
    when: (value, { type }) =>
      type === "positive_ratio" && typeof value === "number" && !(value >= 0 && value <= 100),
    message: (value) => `must be between 0 and 100 when type is positive_ratio, not ${value}`,
    schema: ifMatches(
      ofType("positive_ratio"),
      allowing({ value: { type: ["number", "null"], minimum: 0, maximum: 100 } }),
    ),
  },
  {
    rule: "rating-value",
    keys: ["value"],
    when: (value, { type, min }) => type === "scale" && isAbove(min, value),
    message: (value, { min }) => `must be at least min (${min}), not ${value}`,
  },
  {
    rule: "rating-value",
    keys: ["value"],
    when: (value, { type, max }) => type === "scale" && isAbove(value, max),
    message: (value, { max }) => `must be at most max (${max}), not ${value}`,
  },
  {
    rule: "rating-type",
    keys: ["type"],
    at: "key",
    when: (type, { value }) => isSet(type) && !isSet(value),
    message: "has no effect without value",
  },
  {
    rule: "rating-type",
    keys: ["value"],
    at: "key",
    when: (value, { type }) => isSet(value) && !isSet(type),
    message: "has no effect without type",
  },
];

function isAbove(one: unknown, other: unknown): boolean {
  return typeof one === "number" && typeof other === "number" && one > other;
}

/** The rules of videos that the key `needed` identifies, instead of the key `other`. */
function videoRules(
  types: readonly string[],
  needed: string,
  other: string,
  otherTypes: readonly string[],
): readonly Rule[] {
  const isOfTypes = ({ type }: PlainObject): boolean => types.some((each) => each === type);
  return [
    {
      rule: "blank",
      keys: [needed],
      when: (source, video) =>
        isOfTypes(video) && typeof source === "string" && source.trim() === "",
      message: "must not be empty",
    },
    {
      rule: "video-source",
      keys: [needed],
      at: "parent",
      when: (source, video) => isOfTypes(video) && !isSet(source),
      message: (_, { type }) =>
        `is missing: a ${type} video needs ${needed === "id" ? "an id" : "a url"}`,
      schema: ifMatches(
        ofType(...types),
        having({ [needed]: { type: "string", pattern: NOT_BLANK } }),
      ),
    },
    onlyFor(otherTypes, types, {
      rule: "video-source",
      keys: [other],
      message: (_, { type }) => `is not allowed for a ${type} video; use ${needed}`,
    }),
  ];
}

const DESCRIPTIONS = ["short_description", "long_description"];

const COURSE: readonly Rule[] = [
  {
    rule: "provider-twice",
    keys: [PROVIDER_KEY],
    at: "key",
    when: (provider, course) => isSet(provider) && isSet(course.provider_id),
    message: "cannot be combined with provider_id: keep one of them",
  },
  {
    rule: "markup",
    keys: DESCRIPTIONS,
    when: (text) => formattingIn(text) !== undefined,
    message: (text) =>
      `must be plain text, but contains formatting: ${cutText(formattingIn(text) ?? "", 30)}`,
  },
  {
    rule: "same-descriptions",
    keys: ["short_description"],
    when: (short, { long_description: long }) =>
      typeof short === "string" &&
      typeof long === "string" &&
      short.trim() !== "" &&
      asMeant(short) === asMeant(long),
    message: "is the same text as long_description: shorten it",
  },
  {
    rule: "paid-content",
    keys: ["paid_content"],
    when: (paid, course) => paid === false && firstPrice(course) !== -1,
    message: (_, course) => `is false, but prices[${firstPrice(course)}] is above zero`,
    suggestion: "true",
  },
  {
    rule: "paid-content",
    keys: ["free_content"],
    when: (free, course) =>
      free === true && typeof course.paid_content !== "boolean" && firstPrice(course) !== -1,
    message: (_, course) =>
      `is true, so all content seems to be free, but prices[${firstPrice(course)}] is above zero; add paid_content: true`,
  },
  {
    rule: "unused-image",
    keys: ["image_url"],
    at: "key",
    when: (image, { video }) => isSet(image) && isSet(video),
    message: "is ignored because the course has a video; use video.thumbnail_url",
  },
  {
    rule: "own-slug",
    keys: ["slug"],
    at: "key",
    when: (slug) => typeof slug === "string" && SLUG.test(slug),
    message: "is generated by the service, which may ignore this value",
  },
  {
    rule: "slug-form",
    keys: ["slug"],
    when: (slug) => typeof slug === "string" && !SLUG.test(slug),
    message: "is unlikely to be accepted; omit it, and the service makes one",
  },
  {
    rule: "placeholder",
    // The service would reject the placeholder of `audio`, so the rule for languages reports it.
    keys: Object.keys(PLACEHOLDERS).filter((name) => name !== "audio"),
    when: (value, _, name) => isPlaceholder(name, value),
    message: STILL_PLACEHOLDER,
  },
];

const TAG =
  /<\/(?:a|b|blockquote|code|div|em|h[1-6]|i|li|ol|p|pre|script|section|small|span|strong|style|sub|sup|table|td|th|tr|u|ul)>|\S<br ?\/?>|<br ?\/?>\S|<(?:a|div|img|p|span) [a-z-]+=/i;
const ENTITY =
  /&(?:amp|apos|gt|hellip|laquo|[lmnr](?:dash|dquo|squo)|lt|nbsp|quot|raquo|#\d+|#x[\da-f]+);/i;
const MARKDOWN =
  /!?\[[^[\]\n]+\]\((?:https?:|\/)[^()\s]*\)|(?<![\w*/])\*\*(?=\S)[^*\n]*[^*\s]\*\*(?![\w*])|^#{1,6} +[^\d\s]/m;

/** The first formatting in a text. The search for single characters is fast, and enough for most texts. */
function formattingIn(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const found =
    (text.includes("<") ? TAG.exec(text) : null) ??
    (text.includes("&") ? ENTITY.exec(text) : null) ??
    (/\]\(|\*\*|#/.test(text) ? MARKDOWN.exec(text) : null);
  return found?.[0];
}

/** A text without damage, so that a repair of one of two equal texts breaks no rule. */
function asMeant(text: string): string {
  return (repairMojibake(text) ?? text).trim();
}

/** The index of the first price above zero; -1 if there is none. */
function firstPrice({ prices }: PlainObject): number {
  if (!isList(prices)) return -1;
  return prices.findIndex(
    (price) =>
      isObject(price) &&
      [price.price, price.total_price].some(
        (amount) => typeof amount === "string" && /[1-9]/.test(amount),
      ),
  );
}

/** A slug as the service generates it, such as `knitting-7f3a`. */
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The rules of each object, in the order of their problems. */
export const OBJECT_RULES: Readonly<Partial<Record<Owner, readonly Rule[]>>> = {
  "a course": COURSE,
  "a price": [
    onlyFor(["subscription"], ["single_course"], {
      rule: "price-subscription",
      keys: ["total_price", "subscription_period", "payment_period", "trial_period"],
      message: "is only allowed when type is subscription",
    }),
    amountDecimals,
  ],
  "a certificate": [
    onlyFor(["paid"], ["free", "included"], {
      rule: "certificate-price",
      keys: ["price", "currency"],
      message: "is only allowed when type is paid",
    }),
    amountDecimals,
  ],
  "a video": [
    ...videoRules(["self_hosted"], "url", "id", ["vimeo", "youtube"]),
    ...videoRules(["vimeo", "youtube"], "id", "url", ["self_hosted"]),
  ],
  "a rating": RATING,
};
