/** The schemas of single values, with their metadata and their patterns in a JSON Schema. */
import * as z from "zod/mini";
import { isList, memoize, UUID_PATTERN } from "../base/values.ts";
import type { RuleId } from "./problem.ts";
import { checkFormat, type StringFormat } from "./string-formats.ts";

/**
 * What is known about a schema besides its type. `z.toJSONSchema` copies all metadata, so the keys are
 * keywords of JSON Schema; `json-schema.ts` removes all others.
 */
export interface Metadata {
  readonly [keyword: string]: unknown;
  readonly description?: string;
  readonly examples?: readonly [unknown];
  readonly readOnly?: true;
  /** What an absent or null value means. */
  readonly default?: unknown;
  /** Whether a course needs a value although the schema accepts null and absence. */
  readonly needed?: true;
  /** The flag of `create` and `update` that sets the field, without the dashes. */
  readonly flag?: string;
  /** Whether the order of a list has no meaning. */
  readonly unordered?: true;
}

export const METADATA = z.registry<Metadata>();

export function withMetadata<Type extends z.ZodMiniType>(schema: Type, metadata: Metadata): Type {
  METADATA.add(schema, { ...METADATA.get(schema), ...metadata });
  return schema;
}

export type Schema = z.ZodMiniType;

/** A string with at least one character that is not whitespace. */
export const nonEmptyString = memoize(() => z.string().check(z.regex(/\S/)));
/** A string with at most `maximum` characters, and one that is not whitespace. */
export function shortString(maximum: number) {
  const isFilled = refine(
    (text) => /\S/.test(String(text)),
    "blank",
    () => "must not be empty",
  );
  const isShort = refine(
    (text) => isAtMost(String(text), maximum),
    "too-long",
    (text) => `must have at most ${maximum} characters, not ${[...String(text)].length}`,
  );
  const schema = z.string().check(isFilled, isShort);
  return withMetadata(schema, { pattern: NOT_BLANK, maxLength: maximum });
}

/** A check of a value. @param describe returns what is wrong, as a clause that follows the path */
function refine(
  isValid: (value: unknown) => boolean,
  rule: RuleId,
  describe: (value: unknown) => string,
) {
  return z.refine(isValid, { params: { rule, describe } });
}

/** Whether a string has at most `maximum` characters. Counts code points, as JSON Schema does. */
function isAtMost(text: string, maximum: number): boolean {
  return text.length <= maximum || (text.length <= 2 * maximum && [...text].length <= maximum);
}

export const string = memoize(() => z.string());
export const boolean = memoize(() => z.boolean());
export const url = stringWithFormat("url");
export const language = stringWithFormat("language");
export const currency = stringWithFormat("currency");
export const amount = stringWithFormat("amount");
export const uuid = stringWithFormat("uuid");

function stringWithFormat(format: StringFormat) {
  return memoize(() => z.stringFormat(format, (value) => checkFormat(format, value) === undefined));
}

export const choice =
  (...words: [string, ...string[]]) =>
  () =>
    z.enum(words);

export const numberFrom = (minimum: number) => z.number().check(z.minimum(minimum));

/** A whole number of at least `minimum`. Not `z.int`, which rejects numbers above 2^53. */
export function integerFrom(minimum: number) {
  const isInteger = refine(
    Number.isInteger,
    "whole-number",
    (value) => `must be a whole number, not ${value}`,
  );
  return withMetadata(z.number().check(z.minimum(minimum), isInteger), { type: "integer" });
}

/** A string, or a list of strings (paragraphs). Not a union, which collects an issue for each of millions of items. */
export const paragraphs = memoize(() => {
  const isText = (value: unknown): boolean => typeof value === "string";
  return withMetadata(
    z.custom<string | string[]>((value) => isText(value) || (isList(value) && value.every(isText))),
    { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
  );
});

type StringSchema = Readonly<Record<string, unknown>>;

/**
 * Whitespace as JavaScript defines it, for a class of characters. Control characters are escaped, because some
 * programs cannot read a NUL. The escapes have two digits, because only these mean the same to every engine.
 */
const SPACES = "\\x09-\\x0d \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

/** Control and format characters of one UTF-16 unit. */
const INVISIBLE =
  "\\x00-\\x1f\\x7f-\\x9f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e" +
  "\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb";

/** The pattern of a string with a character that is not whitespace. */
export const NOT_BLANK = `[^${SPACES}]`;

export const UUID_SCHEMA: StringSchema = {
  pattern: UUID_PATTERN.replace(/\$$/, ""),
  maxLength: 36,
};

/** An http or https URL without whitespace, backslashes and invisible characters. */
export const URL_SCHEMA: StringSchema = {
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]",
  not: { pattern: `[${SPACES}${INVISIBLE}\\\\]` },
};

/** Digits, or digits, a point and digits. */
export const AMOUNT_SCHEMA: StringSchema = {
  anyOf: [
    { minLength: 1, not: { pattern: "[^0-9]" } },
    {
      pattern: "^[0-9]+\\.[0-9]",
      not: { anyOf: [{ pattern: "[^0-9.]" }, { pattern: "\\.[0-9]*\\." }] },
    },
  ],
};

/** A word of two letters, a hyphen, and another word of two letters: `pt-BR`. */
export function pairSchema(first: readonly string[], second: readonly string[]): StringSchema {
  const pattern = `^(?:${first.join("|")})-(?:${second.join("|")})`;
  return { type: "string", pattern, maxLength: "xx-YY".length };
}
