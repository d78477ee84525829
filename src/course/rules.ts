/** The rules about the keys of an object, and of a course. docs/rules.md explains each rule. */
import { pluralize } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import { decimalsOf } from "./codes.ts";
import { PROVIDER_KEY } from "./field-names.ts";
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

/** A schema of objects that set none of the keys. */
function without(keys: readonly string[]): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(keys.map((key) => [key, { type: "null" }])),
  };
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
    when: (value, rating) => rangeOf(value, rating) !== undefined,
    message: (value, rating) => `must be ${rangeOf(value, rating)}, not ${value}`,
  },
];

/** What the value of a rating must be; undefined if it is that. */
function rangeOf(value: unknown, { type, min, max }: PlainObject): string | undefined {
  if (typeof value !== "number") return undefined;
  if (type === "likes" && !(Number.isInteger(value) && value > 0)) {
    return "a positive whole number when type is likes";
  }
  if (type === "positive_ratio" && !(value >= 0 && value <= 100)) {
    return "between 0 and 100 when type is positive_ratio";
  }
  if (type === "scale" && isAbove(min, value)) return `at least min (${min})`;
  return type === "scale" && isAbove(value, max) ? `at most max (${max})` : undefined;
}

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

const COURSE: readonly Rule[] = [
  {
    rule: "provider-twice",
    keys: [PROVIDER_KEY],
    at: "key",
    when: (provider, course) => isSet(provider) && isSet(course.provider_id),
    message: "cannot be combined with provider_id: keep one of them",
  },
  {
    rule: "same-descriptions",
    keys: ["short_description"],
    when: (short, { long_description: long }) =>
      typeof short === "string" &&
      typeof long === "string" &&
      short.trim() !== "" &&
      short.trim() === long.trim(),
    message: "is the same text as long_description: shorten it",
  },
  {
    rule: "placeholder",
    // The service would reject the placeholder of `audio`, so the rule for languages reports it.
    keys: Object.keys(PLACEHOLDERS).filter((name) => name !== "audio"),
    when: (value, _, name) => isPlaceholder(name, value),
    message: STILL_PLACEHOLDER,
  },
];

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
