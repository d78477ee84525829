/** The shape of each value of a course: plain data from which schemas, flags, comparisons and documents derive. */
import { joinList } from "../base/text.ts";

/** The formats of strings that are not free text. */
export type StringFormat = "uuid" | "url" | "language" | "currency" | "amount";

export type Shape =
  | StringShape
  | { readonly kind: "enum"; readonly values: readonly string[] }
  | NumberShape
  | { readonly kind: "boolean" | "any" }
  | { readonly kind: "paragraphs"; readonly of: Shape }
  | { readonly kind: "list"; readonly of: Shape; readonly unordered: boolean }
  | ObjectShape;

export interface StringShape {
  readonly kind: "string";
  readonly format?: StringFormat;
  /** Whether the string has a character that is not whitespace. Every format implies it. */
  readonly filled?: true;
}

export interface NumberShape {
  readonly kind: "number";
  /** Whether the service accepts only whole numbers. */
  readonly integer: boolean;
  /** What a number probably is, though the service states no such limit. */
  readonly probably?: { readonly minimum: number; readonly isWhole?: boolean };
}

export interface ObjectShape {
  readonly kind: "object";
  /** What messages call the object: `a price`. */
  readonly owner: string;
  readonly keys: readonly Key[];
  readonly byName: ReadonlyMap<string, Key>;
}

/** One key of an object. */
export interface Key extends KeyOptions {
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
  /** Whether the value means little without the key, though the service does not require it. */
  readonly isExpected: boolean;
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
  /** The key that an object may have instead of a required one. */
  readonly replacedBy?: string;
}

/** A key without its name, which is in the definition of its object. */
type KeyDefinition = Omit<Key, "name">;

type DefineKey = (
  shape: Shape,
  description: string,
  example: unknown,
  options?: KeyOptions,
) => KeyDefinition;

export const required: DefineKey = (shape, description, example, options) => {
  const facts = { required: true, isExpected: false, readOnly: false };
  return { shape, description, example, ...facts, ...options };
};

/** Defines a key that the service does not require, and whose absence is a warning. */
export const expected: DefineKey = (...definition) => {
  return { ...required(...definition), required: false, isExpected: true };
};

/** Defines a key that may be absent or null. */
export const optional: DefineKey = (...definition) => {
  return { ...required(...definition), required: false };
};

/** A key that only the service sets. Files may have any value, which is never sent. */
export function readOnly(description: string, example: unknown): KeyDefinition {
  return { ...optional({ kind: "any" }, description, example), readOnly: true };
}

/** An object that has only these keys. `rules.ts` has the rules about several of them. */
export function object(
  owner: string,
  definitions: Readonly<Record<string, KeyDefinition>>,
): ObjectShape {
  const keys = Object.entries(definitions).map(([name, key]): Key => ({ name, ...key }));
  return { kind: "object", owner, keys, byName: new Map(keys.map((key) => [key.name, key])) };
}

export function list(of: Shape): Shape {
  return { kind: "list", of, unordered: false };
}

/** A list whose order has no meaning. */
export function set(of: Shape): Shape {
  return { kind: "list", of, unordered: true };
}

export const string: Shape = { kind: "string" };
export const filledString: Shape = { kind: "string", filled: true };
export const uuid: Shape = { kind: "string", format: "uuid" };
export const url: Shape = { kind: "string", format: "url" };
export const language: Shape = { kind: "string", format: "language" };
export const currency: Shape = { kind: "string", format: "currency" };
export const amount: Shape = { kind: "string", format: "amount" };
export const boolean: Shape = { kind: "boolean" };
export const number: Shape = { kind: "number", integer: false };
/** A string, or a list of strings (paragraphs). */
export const paragraphs: Shape = { kind: "paragraphs", of: string };

export function choice(...values: readonly string[]): Shape {
  return { kind: "enum", values };
}

/** A number that probably has this minimum, and is probably whole. */
export function numberFrom(minimum: number, isWhole = false): Shape {
  return { kind: "number", integer: false, probably: { minimum, isWhole } };
}

/** A count, which is never negative. */
export const count: Shape = { kind: "number", integer: true, probably: { minimum: 0 } };

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
