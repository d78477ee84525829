/** The rules that span several keys of one object, each small and named (api.md, "Resources"). */
import { formatPath, type PlainObject } from "../base/values.ts";
import type { RuleId } from "./problem.ts";
import { allowing, conditional, holding, SET, without } from "./schema-parts.ts";
import type { Rule } from "./shape.ts";

/**
 * Keys that only make sense for one value of `type`; api.md says "only when type is …". Where `type`
 * is none of its values, nobody knows which keys are out of place.
 */
function onlyWhenType(
  rule: RuleId,
  { type, others }: { readonly type: string; readonly others: readonly string[] },
  keys: readonly string[],
  noun: string,
): Rule {
  return {
    check: (object, path, report) => {
      if (!others.some((other) => other === object.type)) return;
      for (const key of keys) {
        if (!isSet(object[key])) continue;
        report({
          rule,
          at: "key",
          path: [...path, key],
          message: `${formatPath([...path, key])} belongs only to ${noun} of type ${type}`,
        });
      }
    },
    schema: conditional(holding({ type: { enum: others } }), without(keys)),
  };
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Price: totals and periods only when type is subscription. */
export const priceSubscriptionKeys: Rule = onlyWhenType(
  "price-subscription",
  { type: "subscription", others: ["single_course"] },
  ["total_price", "subscription_period", "payment_period", "trial_period"],
  "a price",
);

/** Certificate: price and currency only when type is paid. */
export const certificatePriceKeys: Rule = onlyWhenType(
  "certificate-price",
  { type: "paid", others: ["free", "included"] },
  ["price", "currency"],
  "a certificate",
);

/** Provider rating: min and max only for scale. */
export const ratingScaleKeys: Rule = {
  check: (object, path, report) => {
    const { type } = object;
    if (isSet(type) && type !== "positive_ratio" && type !== "likes") return;
    const remedy = isSet(type) ? "" : ": set type to scale";
    for (const key of ["min", "max"]) {
      if (!isSet(object[key])) continue;
      report({
        rule: "rating-scale",
        at: "key",
        path: [...path, key],
        message: `${formatPath([...path, key])} belongs only to a rating of type scale${remedy}`,
      });
    }
  },
  schema: conditional(
    { anyOf: [{ type: "null" }, holding({ type: { const: "scale" } })] },
    {},
    without(["min", "max"]),
  ),
};

/** Provider rating: a scale with a value names both its ends, in their order. */
export const ratingScaleEnds: Rule = {
  check: (object, path, report) => {
    if (object.type !== "scale") return;
    for (const key of ["min", "max"]) {
      if (isSet(object[key]) || !isSet(object.value)) continue;
      report({
        rule: "rating-scale",
        at: "parent",
        path: [...path, key],
        message: `${formatPath([...path, key])} is missing: a scale with a value names its min and max`,
      });
    }
    const { min, max } = object;
    if (typeof min === "number" && typeof max === "number" && min > max) {
      report({
        rule: "rating-scale",
        path: [...path, "min"],
        message: `${formatPath([...path, "min"])} is ${min}, above max, which is ${max}`,
      });
    }
  },
  schema: conditional(
    holding({ type: { const: "scale" }, value: SET }),
    holding({ min: { type: "number" }, max: { type: "number" } }),
  ),
};

/** Provider rating: the value lies in the range that its type allows. */
export const ratingValueRange: Rule = {
  check: (object, path, report) => {
    const { value } = object;
    if (typeof value !== "number") return;
    const wrong = ratingFault(object, value);
    if (wrong === undefined) return;
    const at = [...path, "value"];
    report({ rule: "rating-value", path: at, message: `${formatPath(at)} is ${value}, ${wrong}` });
  },
  schema: {
    allOf: [
      conditional(
        holding({ type: { const: "likes" } }),
        allowing({ value: { type: ["integer", "null"], minimum: 1 } }),
      ),
      conditional(
        holding({ type: { const: "positive_ratio" } }),
        allowing({ value: { type: ["number", "null"], minimum: 0, maximum: 100 } }),
      ),
    ],
  },
};

function ratingFault({ type, min, max }: PlainObject, value: number): string | undefined {
  if (type === "likes" && !(Number.isInteger(value) && value > 0)) {
    return "but likes are a positive whole number";
  }
  if (type === "positive_ratio" && !(value >= 0 && value <= 100)) {
    return "but a positive ratio is between 0 and 100";
  }
  if (type !== "scale") return undefined;
  if (typeof min === "number" && value < min) return `below min, which is ${min}`;
  if (typeof max === "number" && value > max) return `above max, which is ${max}`;
  return undefined;
}

/** Provider rating: a value says nothing without its type, nor a type without its value. */
export const ratingTypeWithValue: Rule = {
  check: (object, path, report) => {
    const { type, value } = object;
    if (isSet(type) === isSet(value)) return;
    const [given, absent] = isSet(type) ? ["type", "value"] : ["value", "type"];
    report({
      rule: "rating-type",
      severity: "warning",
      at: "key",
      path: [...path, given],
      message: `${formatPath([...path, given])} says nothing without ${absent}`,
    });
  },
};

/** By which key each type of video is named, and which is then out of place. */
const VIDEO_SOURCES = [
  { types: ["self_hosted"], needed: "url", other: "id" },
  { types: ["vimeo", "youtube"], needed: "id", other: "url" },
] as const;

/** Video: url for self_hosted, id for vimeo and youtube; never the other one. */
export const videoSource: Rule = {
  check: (object, path, report) => {
    const source = VIDEO_SOURCES.find(({ types }) => types.some((type) => type === object.type));
    if (source === undefined) return;
    const { needed, other } = source;
    const named = object[needed];
    if (typeof named === "string" && named.trim() === "") {
      const at = [...path, needed];
      report({ rule: "blank", path: at, message: `${formatPath(at)} is blank` });
    }
    if (!isSet(named)) {
      report({
        rule: "video-source",
        at: "parent",
        path: [...path, needed],
        message: `${formatPath([...path, needed])} is missing: a ${object.type} video is named by its ${needed}`,
      });
    }
    if (isSet(object[other])) {
      report({
        rule: "video-source",
        at: "key",
        path: [...path, other],
        message: `${formatPath([...path, other])} does not belong to a ${object.type} video, which is named by its ${needed}`,
      });
    }
  },
  schema: {
    allOf: VIDEO_SOURCES.map(({ types, needed, other }) =>
      conditional(holding({ type: { enum: types } }), {
        allOf: [holding({ [needed]: { type: "string", pattern: "\\S" } }), without([other])],
      }),
    ),
  },
};
