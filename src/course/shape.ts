/**
 * How the schema of a course is written: with schemas of zod, and with registries for what these do not say. A schema states
 * what the service requires; `rules.ts` has what is only probable, and what holds for several fields. Then, what a schema
 * says as plain data, from which flags, comparisons and documents derive.
 */
import * as z from "zod/mini";
import { joinList } from "../base/text.ts";
import { isList } from "../base/values.ts";
import { FORMATS, type StringFormat } from "./string-formats.ts";

type Schema = z.ZodMiniType;

/** What is known of a key of an object besides its schema. */
interface KeyFacts {
  readonly description: string;
  /** What an absent or null value means. */
  readonly default?: unknown;
  /** Whether only the service sets it. */
  readonly readOnly?: boolean;
  /** Whether the value means little without the key, though the service does not require it. */
  readonly isExpected?: boolean;
  /** The flag of `create` and `update` that sets it, without the dashes. */
  readonly flag?: string;
  /** The key that an object may have instead of this one; it needs one of them. */
  readonly replacedBy?: string;
}

/** What a number probably is, though the service states no such limit. */
interface Probably {
  readonly minimum: number;
  readonly isWhole?: boolean;
}

/** What zod does not say of a schema: of a key, its facts; of an object, its name; and what values probably are. */
export const FACTS = z.registry<
  Partial<KeyFacts> & {
    readonly examples?: readonly unknown[];
    /** The name of an object: `price`. */
    readonly id?: string;
    readonly format?: StringFormat;
    readonly probably?: Probably;
    /** Whether the order of a list has no meaning. */
    readonly isUnordered?: boolean;
  }
>();

type Description = readonly [text: string, example: unknown, facts?: Omit<KeyFacts, "description">];

function describe<Of extends Schema>(schema: Of, [text, example, facts]: Description): Of {
  FACTS.add(schema, { description: text, examples: [example], ...facts });
  return schema;
}

export function required<Of extends Schema>(schema: Of, ...description: Description): Of {
  return describe(schema.clone(), description);
}

/** Defines a key that may be absent or null. */
export function optional<Of extends Schema>(schema: Of, ...description: Description) {
  return describe(z.nullish(schema), description);
}

/** Defines a key that the service does not require, and whose absence is a warning. */
export function expected<Of extends Schema>(schema: Of, text: string, example: unknown) {
  return optional(schema, text, example, { isExpected: true });
}

/** Defines a key that only the service sets. Files may have any value, which is never sent. */
export function readOnly(text: string, example: unknown) {
  return optional(z.unknown(), text, example, { readOnly: true });
}

/** An object that has only these keys. @param id its name, with underscores between words */
export function object<Keys extends Readonly<Record<string, Schema>>>(id: string, keys: Keys) {
  return z.strictObject(keys).register(FACTS, { id });
}

export const list = z.array;

/** A list whose order has no meaning. */
export function set<Of extends Schema>(of: Of) {
  return z.array(of).register(FACTS, { isUnordered: true });
}

export const string = z.string();
export const filledString = z.string().check(z.regex(/\S/));
export const uuid = formatted("uuid");
export const url = formatted("url");
export const language = formatted("language");
export const currency = formatted("currency");
export const amount = formatted("amount");
export const boolean = z.boolean();
export const choice = z.enum;
/** A string, or a list of strings (paragraphs). */
export const paragraphs = z.union([z.string(), z.array(z.string())]);
/** A number. 9007199254740993 is not one, because it is read as 9007199254740992. */
export const number = z
  .number()
  .check(z.refine((value) => !Number.isInteger(value) || Number.isSafeInteger(value)));
/** A count, which is never negative. */
export const count = z.int().register(FACTS, { probably: { minimum: 0 } });

/** A number that probably has this minimum, and is probably whole. */
export function numberFrom(minimum: number, isWhole = false) {
  return number.clone().register(FACTS, { probably: { minimum, isWhole } });
}

function formatted(format: StringFormat) {
  return FORMATS[format].schema.register(FACTS, { format });
}

export type Shape = (
  | { readonly kind: "string"; readonly format?: StringFormat | undefined }
  | { readonly kind: "enum"; readonly values: readonly string[] }
  /** `integer` if the service accepts only whole numbers. */
  | { readonly kind: "number"; readonly integer: boolean; readonly probably?: Probably | undefined }
  | { readonly kind: "boolean" | "any" }
  | { readonly kind: "paragraphs"; readonly of: Shape }
  | { readonly kind: "list"; readonly of: Shape; readonly isUnordered: boolean }
  | ObjectShape
) & {
  /** What decides whether a value fits: neither absent nor null. */
  readonly schema: Schema;
};

export interface ObjectShape {
  readonly kind: "object";
  readonly schema: Schema;
  /** The name of the object: `price`. */
  readonly id: string;
  readonly keys: readonly Key[];
  readonly byName: ReadonlyMap<string, Key>;
  /** The keys whose values have rules besides the schema: numbers, and those with objects. */
  readonly ruled: readonly Key[];
  /** The keys whose absence or presence is a warning. */
  readonly noted: readonly Key[];
}

/** One key of an object. */
export interface Key extends KeyFacts {
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
  readonly example: unknown;
}

/** The shape of the values of a schema that are neither absent nor null. */
function shapeOf(schema: Schema): Shape {
  const { def } = (schema as z.core.$ZodType as z.core.$ZodTypes)._zod;
  const { format, probably, isUnordered = false } = FACTS.get(schema) ?? {};
  switch (def.type) {
    case "optional":
    case "nullable":
      return shapeOf(def.innerType as Schema);
    case "string":
      return { kind: "string", schema, format };
    case "enum":
      return { kind: "enum", schema, values: Object.values(def.entries).map(String) };
    case "number":
      return { kind: "number", schema, integer: "format" in def, probably };
    case "union":
      return { kind: "paragraphs", schema, of: shapeOf(def.options[0] as Schema) };
    case "array":
      return { kind: "list", schema, of: shapeOf(def.element as Schema), isUnordered };
    case "object":
      return objectShape(schema as ObjectSchema);
    default:
      return { kind: def.type === "boolean" ? "boolean" : "any", schema };
  }
}

type ObjectSchema = z.ZodMiniObject<Readonly<Record<string, Schema>>>;

export function objectShape(schema: ObjectSchema): ObjectShape {
  const keys = Object.entries(schema.shape).map(([name, each]) => keyOf(name, each));
  const byName = new Map(keys.map((key) => [key.name, key]));
  const id = FACTS.get(schema)?.id ?? "";
  const ruled = keys.filter(({ shape }) => hasRules(shape));
  const noted = keys.filter(({ isExpected, readOnly }) => isExpected || readOnly);
  return { kind: "object", schema, id, keys, byName, ruled, noted };
}

function hasRules(shape: Shape): boolean {
  if (shape.kind === "list") return shape.of.kind === "object";
  return shape.kind === "object" || (shape.kind === "number" && shape.probably !== undefined);
}

function keyOf(name: string, schema: Schema): Key {
  const { description = "", examples: [example] = [], ...facts } = FACTS.get(schema) ?? {};
  const required = schema.type !== "optional" || facts.replacedBy !== undefined;
  return { name, shape: shapeOf(schema), required, description, example, ...facts };
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
      return shape.integer || shape.probably?.isWhole ? "a whole number" : "a number";
    case "boolean":
      return "true or false";
    case "paragraphs":
      return "a string or a list of strings";
    case "object":
      return "an object";
    case "any":
      return "any value";
    case "list":
      return shape.of.kind === "enum" ? `a list of ${joinList(shape.of.values)}` : "a list";
    default:
      return "a string";
  }
}

/** A list of codes as people write it, `en, pt-BR`; any other value is unchanged. */
export function joinCodes(value: unknown, shape: Shape | undefined): unknown {
  const isCode = (item: unknown): boolean => typeof item === "string" && /^[\w-]+$/.test(item);
  // An empty list is written as JSON: an empty cell would be a missing field.
  const isSplit = shape?.kind === "list" && shape.of.kind !== "object";
  return isSplit && isList(value) && value.length > 0 && value.every(isCode)
    ? value.join(", ")
    : value;
}
