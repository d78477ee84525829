/**
 * The objects of which the schema of a course consists, and their shapes: a plain description of each value.
 * A schema is built when it is first used, because building all schemas takes longer than checking one file.
 */
import * as z from "zod/mini";
import { joinList } from "../base/text.ts";
import { isObject, memoize } from "../base/values.ts";
import type { JsonSchema, Rule } from "./cross-field-rules.ts";
import { METADATA, type Metadata, type Schema, withMetadata } from "./schemas.ts";
import type { StringFormat } from "./string-formats.ts";

const OBJECTS = new WeakMap<z.core.$ZodType, ObjectDefinition>();

/** One key of an object, without its name. */
export interface KeyDefinition {
  readonly given: () => Schema;
  /** The schema of the key in its object. For an optional key, it accepts null and absence. */
  readonly schema: () => Schema;
  readonly required: boolean;
  readonly metadata: Metadata;
}

/** Defines a key. @param build may return the same schema for several keys */
type DefineKey = (
  build: () => Schema,
  description: string,
  example: unknown,
  more?: Metadata,
) => KeyDefinition;

export const required: DefineKey = (build, description, example, more) =>
  defineKey(build, true, { description, examples: [example], ...more });

/** Defines a key that may be absent or null. */
export const optional: DefineKey = (build, description, example, more) =>
  defineKey(build, false, { description, examples: [example], ...more });

function defineKey(build: () => Schema, mustBeGiven: boolean, metadata: Metadata): KeyDefinition {
  const given = memoize(build);
  // The copy gets the metadata, because other keys may have the same schema.
  const schema = memoize(() =>
    withMetadata(mustBeGiven ? z.clone(given()) : z.nullish(given()), metadata),
  );
  return { given, schema, required: mustBeGiven || metadata.needed === true, metadata };
}

/** A key that only the service sets. Files may have any value, which is never sent. */
export function readOnly(description: string, example: unknown): KeyDefinition {
  return optional(() => z.unknown(), description, example, { readOnly: true });
}

/** The objects of a course, as messages call them. Conversions and other names of keys are found by these names. */
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

/** An object: its name in messages, such as `a price`, its keys in order, and its schema. */
export interface ObjectDefinition {
  readonly owner: Owner;
  readonly keys: readonly Key[];
  readonly schema: () => Schema;
}

/** Defines an object that has only these keys. @param rules are checked even if the object has other problems */
export function object(
  owner: Owner,
  keys: Readonly<Record<string, KeyDefinition>>,
  rules: readonly Rule[] = [],
  more: Metadata = {},
): ObjectDefinition {
  const entries = Object.entries(keys);
  const definition: ObjectDefinition = {
    owner,
    keys: entries.map(([name, key]) => keyOf(name, key)),
    schema: memoize(() => {
      const schema = z.strictObject(
        Object.fromEntries(entries.map(([name, key]) => [name, key.schema()])),
      );
      const schemas = rules.flatMap((rule): readonly JsonSchema[] => rule.schemas ?? []);
      const checked = rules.length === 0 ? schema : schema.check(...rules.map(checkOf));
      OBJECTS.set(checked, definition);
      return withMetadata(checked, {
        id: owner.replace(/^an? /, "").replaceAll(" ", "_"),
        ...(schemas.length === 0 ? {} : { allOf: schemas }),
        ...more,
      });
    }),
  };
  return definition;
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

/** A plain description of a value, from its schema. */
export type Shape = { readonly schema: Schema } & (
  | { readonly kind: "string"; readonly format?: StringFormat }
  | { readonly kind: "enum"; readonly values: readonly string[] }
  | { readonly kind: "number"; readonly integer: boolean; readonly minimum: number | undefined }
  | { readonly kind: "boolean" | "any" }
  | { readonly kind: "paragraphs"; readonly of: Shape }
  | { readonly kind: "list"; readonly of: Shape; readonly unordered: boolean }
  | {
      readonly kind: "object";
      readonly owner: Owner;
      readonly keys: readonly Key[];
      readonly byName: ReadonlyMap<string, Key>;
    }
);

export interface Key {
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
  readonly description: string;
  readonly example: unknown;
  /** Whether only the service sets it. */
  readonly readOnly: boolean;
  /** What an absent or null value means. */
  readonly default?: unknown;
  /** The flag of `create` and `update` that sets it, without the dashes. */
  readonly flag?: string;
}

export function objectShape(definition: ObjectDefinition): Shape & { readonly kind: "object" } {
  const { owner, keys } = definition;
  return {
    kind: "object",
    owner,
    keys,
    byName: new Map(keys.map((key) => [key.name, key])),
    get schema() {
      return definition.schema();
    },
  };
}

function keyOf(name: string, { given, required, metadata }: KeyDefinition): Key {
  const { description = "", examples, readOnly, flag, ...more } = metadata;
  const shape = memoize(() => shapeOf(given(), more.unordered));
  return {
    name,
    get shape() {
      return shape();
    },
    required,
    description,
    example: examples?.[0],
    readOnly: readOnly === true,
    ...("default" in more ? { default: more.default } : {}),
    ...(flag === undefined ? {} : { flag }),
  };
}

function shapeOf(given: z.core.$ZodType, unordered = false): Shape {
  const schema = given as Schema & z.core.$ZodTypes;
  const { def } = schema._zod;
  const definition = OBJECTS.get(schema);
  if (definition !== undefined) return objectShape(definition);
  switch (def.type) {
    case "string":
      return "format" in def
        ? { kind: "string", schema, format: def.format as StringFormat }
        : { kind: "string", schema };
    case "enum":
      return { kind: "enum", schema, values: Object.values(def.entries).map(String) };
    case "number":
      return {
        kind: "number",
        schema,
        integer: METADATA.get(schema)?.type === "integer",
        minimum: schema._zod.bag.minimum as number | undefined,
      };
    case "boolean":
      return { kind: "boolean", schema };
    case "array":
      return { kind: "list", schema, of: shapeOf(def.element), unordered };
    case "custom":
      return { kind: "paragraphs", schema, of: { kind: "string", schema: z.string() } };
    default:
      return { kind: "any", schema };
  }
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
