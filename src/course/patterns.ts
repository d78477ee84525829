/**
 * The patterns of the JSON Schema. They mean the same to every regular expression engine: they list
 * characters instead of classes such as \\s, and they do not use $, before which some engines allow a
 * line break.
 */
import { UUID_PATTERN } from "../base/uuid.ts";

type StringSchema = Readonly<Record<string, unknown>>;

/** Whitespace, as JavaScript defines it; part of a class. */
const SPACES = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

/** Control and format characters, without those that take two UTF-16 units. */
const INVISIBLE =
  "\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e" +
  "\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb";

/** A string with a character that is not whitespace. */
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

/** One of these words, a hyphen, and one of the others; all of them have two letters. */
export function pairSchema(first: readonly string[], second: readonly string[]): StringSchema {
  const pattern = `^(?:${first.join("|")})-(?:${second.join("|")})`;
  return { type: "string", pattern, maxLength: "xx-YY".length };
}
