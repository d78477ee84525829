/** The shape of each value of a course: a plain description, with the schema of zod that checks the value. */
import * as z from "zod/mini";
import { joinList } from "../base/text.ts";
import { isList, isObject, memoize } from "../base/values.ts";
import type { JsonSchema, Rule } from "./cross-field-rules.ts";
import type { StringFormat } from "./string-formats.ts";

export type Schema = z.ZodMiniType;

/** A value. Its schema is built when it is first used, because building all takes longer than checking one file. */
export type Shape = { readonly schema: () => Schema } & (
  | { readonly kind: "string"; readonly format?: StringFormat }
  | { readonly kind: "enum"; readonly values: readonly string[] }
  | { readonly kind: "number"; readonly integer: boolean; readonly minimum?: number }
  | { readonly kind: "boolean" | "any" }
  | { readonly kind: "paragraphs"; readonly of: Shape }
  | { readonly kind: "list"; readonly of: Shape; readonly unordered: boolean }
  | ObjectShape
);

export interface ObjectShape {
  readonly kind: "object";
  readonly schema: () => Schema;
  readonly owner: Owner;
  readonly keys: readonly Key[];
  readonly byName: ReadonlyMap<string, Key>;
}

/** The objects of a course, as messages call them. */
export type Owner =
  | "a certificate"
  | "a course"
  | "a duration"
  | "a period"
  | "a price"
  | "a rating"
  | "a syllabus item"
  | "a topic"
  | "a video"
  | "an instructor"
  | "an organization";

/** One key of an object. */
export interface Key extends KeyOptions {
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
  /** Whether the schema accepts null and absence, as it does for a key that another one can replace. */
  readonly nullable: boolean;
  readonly description: string;
  readonly example: unknown;
  /** Whether only the service sets it. */
  readonly readOnly: boolean;
}

interface KeyOptions {
  /** What an absent or null value means. */
  readonly default?: unknown;
  /** The flag of `create` and `update` that sets it, without the dashes. */
  readonly flag?: string;
}

/** A key without its name, which is in the definition of its object. */
export type KeyDefinition = Omit<Key, "name">;

type DefineKey = (
  shape: Shape,
  description: string,
  example: unknown,
  options?: KeyOptions,
) => KeyDefinition;

export const required: DefineKey = (shape, description, example, options) => {
  const facts = { required: true, nullable: false, readOnly: false };
  return { shape, description, example, ...facts, ...options };
};

/** Defines a key that may be absent or null. */
export const optional: DefineKey = (...definition) => {
  return { ...required(...definition), required: false, nullable: true };
};

/** Defines a key that may be absent or null if the object has another one instead. */
export const replaceable: DefineKey = (...definition) => {
  return { ...required(...definition), nullable: true };
};

/** A key that only the service sets. Files may have any value, which is never sent. */
export function readOnly(description: string, example: unknown): KeyDefinition {
  const any: Shape = { kind: "any", schema: () => z.unknown() };
  return { ...optional(any, description, example), readOnly: true };
}

export function list(of: Shape, options: { unordered?: true; fewest?: number } = {}): Shape {
  const { unordered = false, fewest = 0 } = options;
  const build = (): Schema => {
    const items = z.array(of.schema());
    return fewest === 0 ? items : items.check(z.minLength(fewest));
  };
  return { kind: "list", of, unordered, schema: memoize(build) };
}

/** An object that has only these keys. @param rules are checked even if the object has other problems */
export function object(
  owner: Owner,
  definitions: Readonly<Record<string, KeyDefinition>>,
  rules: readonly Rule[] = [],
  keywords: JsonSchema = {},
): ObjectShape {
  const keys = Object.entries(definitions).map(([name, key]): Key => ({ name, ...key }));
  const byName = new Map(keys.map((key) => [key.name, key]));
  const build = (): Schema => {
    const schemas = rules.flatMap((rule): readonly JsonSchema[] => rule.schemas ?? []);
    const schema = z.strictObject(
      Object.fromEntries(keys.map((key) => [key.name, keySchema(key)])),
    );
    return withKeywords(rules.length === 0 ? schema : schema.check(...rules.map(checkOf)), {
      id: owner.replace(/^an? /, "").replaceAll(" ", "_"),
      ...(schemas.length === 0 ? {} : { allOf: schemas }),
      ...keywords,
    });
  };
  return { kind: "object", owner, keys, byName, schema: memoize(build) };
}

/** What a JSON Schema says about a value besides its type, in keywords of JSON Schema. */
export const KEYWORDS = z.registry<JsonSchema>();

/** Adds keywords to a schema. */
export function withKeywords<Type extends Schema>(schema: Type, keywords: JsonSchema): Type {
  KEYWORDS.add(schema, { ...KEYWORDS.get(schema), ...keywords });
  return schema;
}

/** The schema of a key in its object: a copy, because other keys may have the same shape. */
function keySchema({ shape, nullable, description, example, ...key }: Key): Schema {
  const schema = shape.schema();
  return withKeywords(nullable ? z.nullish(schema) : z.clone(schema), {
    description,
    examples: [example],
    ...(key.readOnly ? { readOnly: true } : {}),
    ...("default" in key ? { default: key.default } : {}),
  });
}

function checkOf({ check }: Rule) {
  return z.check<unknown>(
    ({ value, issues }) => {
      if (!isObject(value)) return;
      check(value, (violation) => {
        const place = { input: value, path: [violation.key] };
        issues.push({ code: "custom", ...place, params: { violation }, continue: true });
      });
    },
    { when: () => true },
  );
}

/** Whether a value has a shape. Items are checked one by one: the issues of 100,000 would overflow zod's stack. */
export function isValid(value: unknown, shape: Shape): boolean {
  return shape.kind === "list" && isList(value) && value.length > 0
    ? value.every((item) => isValid(item, shape.of))
    : z.validate(shape.schema(), value);
}

/** The shape of the value at a key, or of an item of a list; undefined if the shape has no such part. */
export function partShape(shape: Shape | undefined, step: string | number): Shape | undefined {
  if (shape?.kind === "object") return shape.byName.get(String(step))?.shape;
  const isOfItems = shape?.kind === "list" || shape?.kind === "paragraphs";
  return isOfItems && typeof step === "number" ? shape.of : undefined;
}

/** What a value of this shape is, for messages: `a string`, `beginner, intermediate or advanced`. */
export function describeShape(shape: Shape): string {
  switch (shape.kind) {
    case "enum":
      return joinList(shape.values);
    case "number":
      return shape.integer ? "a whole number" : "a number";
    case "boolean":
      return "true or false";
    case "paragraphs":
      return "a string or a list of strings";
    case "object":
      return "an object";
    case "any":
      return "any value";
    default:
      return `a ${shape.kind}`;
  }
}

/** A string, number or boolean in the type of its shape, if nothing is lost: `5` as a string is `"5"`. Other values stay. */
export function fitScalar({ kind }: Shape, value: unknown): unknown {
  if (kind === "string") return typeof value === "number" ? String(value) : value;
  if (typeof value !== "string") return value;
  if (kind === "boolean") return value === "true" || (value === "false" ? false : value);
  return kind === "number" && /^\s*[-+]?\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : value;
}
