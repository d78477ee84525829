/** Where the program differs from YAML 1.2.2, on purpose or because of the libraries. */
import type { Outcome } from "./group.ts";

/** The actual result of a text, and the reason. */
export interface Deviation {
  readonly gives: Outcome;
  readonly why: string;
}

/** Valid YAML that JSON cannot represent: course files must not contain it. */
export const NO_JSON: Readonly<Record<string, readonly string[]>> = {
  "a key that is a list or a mapping": [
    "? [a]\n: b",
    "[a]: b",
    "? {a: 1}\n: b",
    "{a: 1}: b",
    "? - a\n: b",
    "? ? a",
    "{[a]: b}",
    "[[a]: b]",
    "{? [a] : b}",
    "- ? a: b\n  : c",
  ],
  "keys that differ only in their types": ["1: a\n'1': b", "null: a\n'null': b"],
  "a value within itself": ["&x [*x]", "&x {a: *x}", "a: &x\n  b: *x", "- &x\n  - *x"],
};

const NO_FEED = "the last line is read as if it were ended, as editors end it";
const NO_MARK = "a byte order mark within a text is an ordinary character; no value is lost";
const LONG_KEY = "the limit of 1,024 characters is for simpler parsers; a course has no such key";
const BRACKET = "both parsers accept a closing bracket that is not indented, and so do people";
const ROOT_TEXT = "refused: js-yaml does not read it, and a course is an object, not a string";
const BROKEN_KEY = "refused: js-yaml does not read a key and its colon on different lines";
const NO_KEY = "refused: js-yaml does not read it, and a course has no empty key";
const DIRECTIVE = "refused: directives other than %YAML and %TAG have no use in a course file";

/** The texts of the suite with another result. Empty documents at the end are not compared. */
export const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  "a: |\n b": { gives: [{ a: "b\n" }], why: NO_FEED },
  "a: |+\n b": { gives: [{ a: "b\n" }], why: NO_FEED },
  "a: >\n b": { gives: [{ a: "b\n" }], why: NO_FEED },
  "a: |\n b\n  : c": { gives: [{ a: "b\n : c\n" }], why: NO_FEED },
  "a\ufeffb": { gives: ["a\ufeffb"], why: NO_MARK },
  "a: \ufeffb": { gives: [{ a: "\ufeffb" }], why: NO_MARK },
  " ---": { gives: ["---"], why: "both parsers look for the mark at the beginning of a line only" },
  "# \u0001": { gives: [], why: "the parsers do not look into comments; no value is lost" },
  "1e999": { gives: [Number.POSITIVE_INFINITY], why: "JavaScript has no larger number" },
  [`${"a".repeat(1025)}: 1`]: { gives: [{ ["a".repeat(1025)]: 1 }], why: LONG_KEY },
  [`[${"a".repeat(1025)}: 1]`]: { gives: [[{ ["a".repeat(1025)]: 1 }]], why: LONG_KEY },
  "a: [\n b\n]": { gives: [{ a: ["b"] }], why: BRACKET },
  "- [a\n]": { gives: [[["a"]]], why: BRACKET },
  "...\na": { gives: [null, "a"], why: "an empty document more, without a course" },
  "a\n...\n...\nb": { gives: ["a", null, "b"], why: "an empty document more, without a course" },
  "  a\nb": { gives: "error", why: ROOT_TEXT },
  "--- |\na\nb\n": { gives: "error", why: ROOT_TEXT },
  "|\na\n": { gives: "error", why: ROOT_TEXT },
  "--- >\na\n b\n": { gives: "error", why: ROOT_TEXT },
  "|\n\ta\n": { gives: "error", why: ROOT_TEXT },
  "--- |\n%a\n...\n": { gives: "error", why: ROOT_TEXT },
  "--- |\na\n---\nb": { gives: "error", why: ROOT_TEXT },
  "--- |\n---\n": { gives: "error", why: ROOT_TEXT },
  "\ta": {
    gives: "error",
    why: "refused: a tab at the beginning of a line is almost certainly wrong",
  },
  '{"a"\n: 1}': { gives: "error", why: BROKEN_KEY },
  '{"a\n b": c}': { gives: "error", why: BROKEN_KEY },
  "{a\n b: c}": { gives: "error", why: BROKEN_KEY },
  '"a\\\n\nb"': { gives: ["a b"], why: "yaml drops a blank line after an escaped line break" },
  ": a": { gives: "error", why: NO_KEY },
  ":": { gives: "error", why: NO_KEY },
  "%YAML 1.3\n---\na": { gives: "error", why: DIRECTIVE },
  "%FOO bar baz\n---\na": { gives: "error", why: DIRECTIVE },
  "%FOO bar # c\n---\na": { gives: "error", why: DIRECTIVE },
  "%Foo\n%YAML 1.2\n---\na": { gives: "error", why: DIRECTIVE },
  "!!float 1": { gives: "error", why: "refused: yaml does not apply the tag to an integer" },
  "[!!str, b]": { gives: "error", why: "refused: js-yaml does not end a tag at a comma" },
};
