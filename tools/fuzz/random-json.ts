/** Random JSON from tokens, most of it almost valid. */
import fc from "fast-check";
import { anyText, anyValue } from "./random-strings.ts";

const TOKENS = [
  ..."{ } [ ] : , null true false nul 0 -1 1.5 1e3 01 1. .5 +1 1e - 1e400 NaN 0x1 a #".split(" "),
  ...'"a" "\\n" "\\u00e9" "\\ud83e" "\\q" "\\u12" " \'a\' // /*'.split(" "),
  ...[" ", "\n", "\t", "\r\n", "\u00a0", "\u2028", "\ufeff", "\0"],
];

const token = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TOKENS) },
  anyText.map((text) => JSON.stringify(text)),
);

/** Random tokens. */
const heap = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(""));

const indentation = fc.constantFrom(undefined, 0, 1, 2, "\t", "    ", " \t");

/** A value, written in one of many layouts. */
export const validJson: fc.Arbitrary<string> = fc
  .tuple(anyValue, indentation, fc.constantFrom("\n", "\r\n", "\r"))
  .map(([value, indent, end]) => JSON.stringify(value, null, indent).replaceAll("\n", end));

/** JSON with one token inserted or removed. */
const broken = fc
  .tuple(validJson, fc.nat(), fc.nat({ max: 6 }), fc.oneof(fc.constant(""), token))
  .map(([text, at, length, put]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + put + text.slice(start + length);
  });

/** JSON with duplicate keys, sometimes with escapes. */
const repeating = fc
  .tuple(validJson, fc.infiniteStream(fc.constantFrom("a", "a", "\\u0061", "A", "b")))
  .map(([text, names]) => text.replace(KEY, () => `"${names.next().value}":`));

const KEY = /"(?:[^"\\]|\\.)*":/g;

/** Text that may be JSON. */
export const randomJson: fc.Arbitrary<string> = fc.oneof(heap, validJson, broken, repeating);
