/** The formats of strings as patterns of a JSON Schema. */
import { UUID_PATTERN } from "../base/values.ts";

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
