/** Makes random strings and files with characters that break parsers, terminals, shells and file systems. */
import fc from "fast-check";
import { dump } from "js-yaml";
import { anyCharacter } from "../../test/any-character.ts";

function words(text: string): readonly string[] {
  return text.split(" ");
}

/** Short strings with a special meaning in some language. */
export const SIGNS: readonly string[] = [
  ...words("\" ' ` \\ / { } [ ] ( ) < > | & * ! % : , - -- ? # @ = ; $ ~ . .."),
  ...[" ", "  ", ": ", ", ", "- ", "? ", " #", "\t", "\n", "\n\n", "\r", "\r\n", "\0"],
  ...words("\u001b[31m \u007f \u0085 \u009b \u00a0 \u2028 \u2029 \ufeff \u200b \u200d \u202e"),
  ...words("\u2066 \uffff \ud83e \uddf6 🧶 👩‍🏫 編 é e\u0301 ß İ"),
];

/** Words with a special meaning somewhere. */
const WORDS: readonly string[] = [
  ...words("null Null ~ true false yes no on undefined NaN Infinity 0 -0 1 007 0o7 0x1F 1e3 1e999"),
  ...words(
    ".5 5. .inf -.inf .nan __proto__ constructor toString hasOwnProperty length then id url",
  ),
  ...words("--- ... << &a *a !!str !!int !x | >- 2026-01-31 12:30 {{a}} $a $(a) %s %n ../.. C:\\"),
  ...["<<: *a", "%YAML 1.2", "a: b", "a #b"],
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

/** A text with a part replaced. */
function damage(texts: fc.Arbitrary<string>, parts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(texts, fc.nat(), fc.nat({ max: 6 }), fc.oneof(fc.constant(""), parts))
    .map(([text, at, length, part]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + part + text.slice(start + length);
    });
}

/** Parts of a language in any order. */
function heapOf(parts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(parts, { maxLength: 12 }).map((some) => some.join(""));
}

const indentation = fc.constantFrom(undefined, 0, 1, 2, "\t", "    ", " \t");

/** A value, written in one of many layouts. */
export const validJson: fc.Arbitrary<string> = fc
  .tuple(anyValue, indentation, fc.constantFrom("\n", "\r\n", "\r"))
  .map(([value, indent, end]) => JSON.stringify(value, null, indent).replaceAll("\n", end));

const jsonPart = fc.oneof(
  fc.constantFrom(
    ...words("{ } [ ] : , null true false nul 0 -1 1.5 1e3 01 1. .5 +1 1e - 1e400 NaN 0x1 a # //"),
    ...words('"a" "\\n" "\\u00e9" "\\ud83e" "\\q" "\\u12" " \'a\' /*'),
    ...[" ", "\n", "\t", "\r\n", "\u00a0", "\u2028", "\ufeff", "\0"],
  ),
  anyText.map((text) => JSON.stringify(text)),
);

/** JSON with keys that are equal, sometimes only after escapes. */
const repeating = fc
  .tuple(validJson, fc.infiniteStream(fc.constantFrom("a", "a", "\\u0061", "A", "b")))
  .map(([text, names]) => text.replace(KEY, () => `"${names.next().value}":`));

const KEY = /"(?:[^"\\]|\\.)*":/g;

/** Text that may be JSON. */
export const randomJson = fc.oneof(
  validJson,
  damage(validJson, jsonPart),
  heapOf(jsonPart),
  repeating,
);

const validYaml = fc
  .tuple(
    anyValue,
    fc.record({
      indent: fc.constantFrom(1, 2, 4),
      flowLevel: fc.constantFrom(-1, 0, 1, 2),
      lineWidth: fc.constantFrom(-1, 20, 80),
    }),
  )
  .map(([value, layout]) => dump(value, layout));

const yamlPart = fc.oneof(
  fc.constantFrom(
    ...["- ", "? ", ": ", ":\n", "\n- ", "\n  ", "\n    ", "\n---\n", "\n...\n", "\n\t", " # c\n"],
    ...["&a ", "*a ", "*b", "!!str ", "!x ", "! ", "|\n  ", ">-\n  ", "|9", "|2-\n", "%YAML 1.2\n"],
    ...["[", "]", "{", "}", ", ", '"', "'", "''", "\\", "\\x4", "<<: *a", "a: ", "\r", "\ufeff"],
  ),
  anyText,
);

/** Text that may be YAML. */
export const randomYaml = fc.oneof(
  validYaml,
  damage(validYaml, yamlPart),
  damage(damage(validYaml, yamlPart), yamlPart),
  heapOf(yamlPart),
);

/** The bytes of texts in several encodings, and other bytes. */
export const anyBytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  anyText.map((text) => Buffer.from(text)),
  anyText.map((text) => Buffer.from(`\ufeff${text}`, "utf16le")),
  anyText.map((text) => Buffer.from(text, "latin1")),
);
