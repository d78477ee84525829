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
const BRACKET =
  "a closing bracket need not be indented: most parsers accept that, and so do people";

/** The texts of the suite with another result. Empty documents at the end are not compared. */
export const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  "a: |\n b": { gives: [{ a: "b\n" }], why: NO_FEED },
  "a: |+\n b": { gives: [{ a: "b\n" }], why: NO_FEED },
  "a: >\n b": { gives: [{ a: "b\n" }], why: NO_FEED },
  "a: |\n b\n  : c": { gives: [{ a: "b\n : c\n" }], why: NO_FEED },
  "a\ufeffb": { gives: ["a\ufeffb"], why: NO_MARK },
  "a: \ufeffb": { gives: [{ a: "\ufeffb" }], why: NO_MARK },
  " ---": {
    gives: [null],
    why: "js-yaml reads the mark also after spaces at the beginning of a text",
  },
  "# \u0001": { gives: [], why: "js-yaml does not look into comments; no value is lost" },
  "1e999": { gives: ["1e999"], why: "JavaScript has no larger number, so js-yaml reads a string" },
  [`${"a".repeat(1025)}: 1`]: { gives: [{ ["a".repeat(1025)]: 1 }], why: LONG_KEY },
  [`[${"a".repeat(1025)}: 1]`]: { gives: [[{ ["a".repeat(1025)]: 1 }]], why: LONG_KEY },
  "a: [\n b\n]": { gives: [{ a: ["b"] }], why: BRACKET },
  "- [a\n]": { gives: [[["a"]]], why: BRACKET },
  '"a\\\n\nb"': { gives: ["ab"], why: "js-yaml drops a blank line after an escaped line break" },
};
