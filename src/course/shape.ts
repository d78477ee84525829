/** Describes what a value may be, as data that the checker, the schemas and the help read. */
import type { Path, PlainObject } from "../base/values.ts";
import type { Report } from "./problem.ts";
import type { JsonSchema } from "./schema-parts.ts";

/** How a text must be written; each format is one rule in `formats.ts`. */
export type Format = "uuid" | "url" | "language" | "currency" | "amount" | "timestamp" | "version";

/** A text; where its key is required, not blank. */
export interface TextShape {
  readonly kind: "text";
  readonly format?: Format;
}

/** One of a closed list of texts. */
export interface ChoiceShape {
  readonly kind: "choice";
  readonly values: readonly string[];
}

/** A number; `least` is the smallest allowed, `whole` forbids a fraction. */
export interface NumberShape {
  readonly kind: "number";
  readonly least?: number;
  readonly whole?: boolean;
}

/** True or false. */
export interface BooleanShape {
  readonly kind: "boolean";
}

/** A list of alike values. `setLike`: the order does not matter. */
export interface ListShape {
  readonly kind: "list";
  readonly of: Shape;
  readonly setLike?: boolean;
}

/** One text or a list of texts, one a paragraph. */
export interface ParagraphsShape {
  readonly kind: "paragraphs";
}

/** The keys of a mapping, as messages speak of them. */
export interface KnownKeys {
  /** What the keys belong to, with its article: `a price`. */
  readonly owner: string;
  /** The keys that are no mistake. */
  readonly names: ReadonlySet<string>;
  /** Those of them that are worth offering. */
  readonly offered: readonly string[];
}

/** A mapping with known keys and the rules that span them. */
export interface ObjectShape {
  readonly kind: "object";
  readonly keys: readonly Key[];
  readonly known: KnownKeys;
  readonly rules: readonly Rule[];
}

export type Shape =
  | TextShape
  | ChoiceShape
  | NumberShape
  | BooleanShape
  | ListShape
  | ParagraphsShape
  | ObjectShape;

/** One key of an object. */
export interface Key {
  readonly name: string;
  readonly shape: Shape;
  readonly required?: boolean;
  /** One or two sentences for help, JSON Schema and the starter file. */
  readonly description: string;
  readonly example: unknown;
}

/** A rule that spans several keys of one object. */
export interface Rule {
  /** Reports problems by path. */
  readonly check: (object: PlainObject, path: Path, report: Report) => void;
  /** As much of it as a JSON Schema can state; a rule that only warns states nothing. */
  readonly schema?: JsonSchema;
}

/** A text of any form. */
export const text: TextShape = { kind: "text" };
/** True or false. */
export const boolean: BooleanShape = { kind: "boolean" };
/** One text or a list of texts. */
export const paragraphs: ParagraphsShape = { kind: "paragraphs" };

/** A text that must be written in a format. */
export function textOf(format: Format): TextShape {
  return { kind: "text", format };
}

/** One of the given texts. */
export function choice(...values: string[]): ChoiceShape {
  return { kind: "choice", values };
}

/** A list of values of one shape. */
export function listOf(of: Shape, options: { setLike?: boolean } = {}): ListShape {
  return { kind: "list", of, ...options };
}

/** A number of at least `least`. */
export function numberFrom(least: number, options: { whole?: boolean } = {}): NumberShape {
  return { kind: "number", least, ...options };
}

/** A mapping with its keys and the rules that span them; `owner` is its name, with an article. */
export function objectOf(
  owner: string,
  keys: readonly Key[],
  ...rules: readonly Rule[]
): ObjectShape {
  const offered = keys.map(({ name }) => name);
  return { kind: "object", keys, known: { owner, names: new Set(offered), offered }, rules };
}
