/**
 * The rules that the schema does not state: about several keys of an object, and about what is only probable. rule-guide.md
 * explains each rule.
 */
import { pluralize } from "../base/text.ts";
import type { Path, PlainObject } from "../base/values.ts";
import { type Mode, type Problem, problemAt, type RuleId } from "./problem.ts";
import type { ObjectShape } from "./shape.ts";
import { EXTERNAL_KEY, PROVIDER_KEY, PROVIDER_KEYS } from "./special-fields.ts";
import { decimalsOf } from "./string-formats.ts";
import { isPlaceholder, PLACEHOLDERS, STILL_PLACEHOLDER } from "./text-rules.ts";
import { exampleNotes } from "./wrong-values.ts";

/** A rule about keys of one object, whose values may have any type. */
interface Rule {
  readonly rule: RuleId;
  readonly keys: readonly string[];
  readonly at?: Problem["at"];
  /** Whether the value of a key breaks the rule. */
  readonly when: (value: unknown, object: PlainObject, key: string) => boolean;
  /** A clause that follows the path of the key. */
  readonly message: string | ((value: unknown, object: PlainObject, key: string) => string);
}

/** The problems of several keys of an object, in the order of the rules. */
export function checkTogether(object: PlainObject, id: string, path: Path): Problem[] {
  const problems: Problem[] = [];
  for (const { rule, keys, at = "value", when, message } of RULES_OF[id] ?? []) {
    for (const key of keys) {
      const value = Object.hasOwn(object, key) ? object[key] : undefined;
      if (!when(value, object, key)) continue;
      const text = typeof message === "string" ? message : message(value, object, key);
      problems.push(problemAt([...path, key], rule, text, { at }));
    }
  }
  return problems;
}

/** The problems of single keys of an object: a missing provider, missing parts, and fields of the service. */
export function checkKeys(
  object: PlainObject,
  { noted }: ObjectShape,
  path: Path,
  mode: Mode,
): Problem[] {
  const problems = path.length === 0 ? checkProvider(object, mode) : [];
  for (const { name, isExpected, readOnly, example } of noted) {
    const value = object[name];
    if (isExpected && !isSet(value)) {
      const at = value === undefined ? "parent" : "value";
      const notes = exampleNotes(name, example);
      problems.push(problemAt([...path, name], "incomplete", "is missing", { at, notes }));
    } else if (readOnly && isSet(value)) {
      const text = "is set by the service, so catalog does not send it";
      problems.push(problemAt([...path, name], "read-only", text, { at: "key" }));
    }
  }
  return problems;
}

/** The problems of a course without a provider: of both keys if both are null. */
function checkProvider(course: PlainObject, mode: Mode): Problem[] {
  if (PROVIDER_KEYS.some((name) => isSet(course[name]))) return [];
  const notes = [PROVIDER_NOTE];
  const empty = PROVIDER_KEYS.filter((name) => course[name] === null);
  if (mode === "create" && empty.length === 0) {
    // Files usually name the provider with `provider`, so the message asks for that field.
    const missing = problemAt([PROVIDER_KEY], "required", "is missing", { at: "parent", notes });
    return [{ ...missing, path: ["provider_id"] }];
  }
  return empty.map((name) => {
    return problemAt([name], "required", "is required and must not be null", { notes });
  });
}

const PROVIDER_NOTE =
  'Name one of your providers, for example provider: academy.example. "catalog providers ls" lists them.';

/** Whether a key is given: null means the same as an absent key. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A rule that allows keys only for one `type`. It reports nothing for an unknown type. */
function onlyFor(
  type: string,
  others: readonly unknown[],
  rule: RuleId,
  keys: readonly string[],
): Rule {
  return {
    rule,
    keys,
    at: "key",
    when: (value, object) => isSet(value) && others.includes(object.type ?? null),
    message: `is only allowed when type is ${type}`,
  };
}

const AMOUNT_DECIMALS: Rule = {
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

/** The key that identifies a video of a type; undefined for an unknown type. */
function sourceKey(type: unknown): "url" | "id" | undefined {
  if (type === "self_hosted") return "url";
  return type === "vimeo" || type === "youtube" ? "id" : undefined;
}

const VIDEO: readonly Rule[] = [
  {
    rule: "incomplete",
    keys: ["url", "id"],
    at: "parent",
    when: (source, { type }, key) => sourceKey(type) === key && (source ?? "") === "",
    message: (_, { type }, key) => `is missing: a ${type} video needs ${key}`,
  },
  {
    rule: "video-source",
    keys: ["url", "id"],
    at: "key",
    when: (source, { type }, key) => isSet(source) && ![key, undefined].includes(sourceKey(type)),
    message: (_, { type }) => `is not allowed for a ${type} video; use ${sourceKey(type)}`,
  },
];

const RATING: readonly Rule[] = [
  onlyFor("scale", ["positive_ratio", "likes", null], "rating-scale", ["min", "max"]),
  {
    rule: "rating-scale",
    keys: ["min", "max"],
    at: "parent",
    when: (end, { type, value }) => type === "scale" && isSet(value) && !isSet(end),
    message: "is missing: a scale with a value needs min and max",
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

const COURSE: readonly Rule[] = [
  {
    rule: "rounded-key",
    keys: [EXTERNAL_KEY],
    when: (key) => typeof key === "string" && /^\d[.,]?\d*E\+\d+$/i.test(key.trim()),
    message: (key) =>
      `is ${JSON.stringify(key)}, a number that a spreadsheet shortened; write all digits`,
  },
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
    // The rule for languages reports the placeholder of `audio`, which the service would reject.
    keys: Object.keys(PLACEHOLDERS).filter((name) => name !== "audio"),
    when: (value, _, name) => isPlaceholder(name, value),
    message: STILL_PLACEHOLDER,
  },
];

const PERIODS = ["total_price", "subscription_period", "payment_period", "trial_period"];

/** The rules of each object, in the order of their problems. */
const RULES_OF: Readonly<Record<string, readonly Rule[]>> = {
  course: COURSE,
  price: [
    onlyFor("subscription", ["single_course"], "price-subscription", PERIODS),
    AMOUNT_DECIMALS,
  ],
  certificate: [
    onlyFor("paid", ["free", "included"], "certificate-price", ["price", "currency"]),
    AMOUNT_DECIMALS,
  ],
  video: VIDEO,
  rating: RATING,
};
