/** Makes random strings with characters that break parsers, terminals, shells and file systems. */
import fc from "fast-check";
import { anyCharacter } from "../../test/any-character.ts";

/** Short strings with a special meaning in some language. */
export const SIGNS: readonly string[] = [
  ..."\" ' ` \\ / { } [ ] ( ) < > | & * ! % : , - -- ? # @ = ; $ ~ . ..".split(" "),
  ...[
    " ",
    "  ",
    ": ",
    ", ",
    "- ",
    "? ",
    " #",
    "\t",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    "\0",
    "\u001b[31m",
  ],
  ..."\u007f \u0085 \u009b \u00a0 \u2028 \u2029 \ufeff \u200b \u200d \u202e \u2066 \uffff".split(
    " ",
  ),
  ..."\ud83e \uddf6 🧶 👩‍🏫 編 é e\u0301 ß İ".split(" "),
];

/** Words with a special meaning somewhere. */
export const WORDS: readonly string[] = [
  ...["null", "Null", "~", "true", "false", "yes", "no", "on", "undefined", "NaN", "Infinity"],
  ...["0", "-0", "1", "007", "0o7", "0x1F", "1e3", "1e999", ".5", "5.", ".inf", "-.inf", ".nan"],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "length", "then", "id", "url"],
  ...["---", "...", "<<", "<<: *a", "&a", "*a", "!!str", "!!int", "!x", "%YAML 1.2", "|", ">-"],
  ...["2026-01-31", "12:30", "a: b", "a #b", "{{a}}", "$a", "$(a)", "%s", "%n", "../..", "C:\\"],
];

const piece = fc.oneof(
  fc.constantFrom(...SIGNS),
  fc.constantFrom(...WORDS),
  fc.string({ maxLength: 4 }),
);

/** Any string, usually with special characters and words. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.array(piece, { maxLength: 8 }).map((parts) => parts.join("")) },
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom("x".repeat(100), "é".repeat(300), "a b ".repeat(50)),
);

/** Any JSON value, with such keys and strings. */
export const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.oneof(
      anyText,
      fc.constantFrom(null, true, false, 0, -0, 1, -1.5, 1e21, 5e-324, Number.MAX_VALUE),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...WORDS), anyText), tie("value")), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value;
