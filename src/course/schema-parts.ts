/** The building blocks of the JSON Schema, for the rules that span several keys of one object. */

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema that asks for `then` where the condition holds, and for `otherwise` elsewhere. */
export function conditional(
  condition: JsonSchema,
  then: JsonSchema,
  otherwise?: JsonSchema,
): JsonSchema {
  return { if: condition, then, ...(otherwise === undefined ? {} : { else: otherwise }) };
}

/** A schema of objects that hold each of the keys as its own schema says. */
export function holding(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}

/** A schema of objects whose keys are as their schemas say, where they are there. */
export function allowing(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties };
}

/** A schema of objects that set none of the keys. */
export function without(keys: readonly string[]): JsonSchema {
  return allowing(Object.fromEntries(keys.map((key) => [key, { type: "null" }])));
}

/** Anything but null. */
export const SET: JsonSchema = { not: { type: "null" } };
