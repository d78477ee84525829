/** The rules that span several keys of an object inside a course, each small and named. */
import type { PlainObject } from "../base/values.ts";
import { PROVIDER_KEY } from "./field-names.ts";
import { NOT_BLANK } from "./patterns.ts";
import type { Problem, RuleId } from "./problem.ts";
import { videoWithId } from "./video-address.ts";

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
