/** Where our reader differs from YAML 1.2.2: on purpose, or as the library that it stands on does. */
import type { Outcome } from "./group.ts";

/** What we make of a text instead, and why that is so. */
export interface Deviation {
  readonly gives: Outcome;
  readonly why: string;
}

/** Texts that are YAML and no data of JSON, which courses are: they are refused. */
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
  "keys that only their types tell apart": ["1: a\n'1': b", "null: a\n'null': b"],
  "a value within itself": ["&x [*x]", "&x {a: *x}", "a: &x\n  b: *x", "- &x\n  - *x"],
};

const NO_FEED = "the parser reads the last line as if it were ended, as editors end it";
const NO_MARK =
  "the parser takes a byte order mark within a text for a character like any other; no value is lost";
const LONG_KEY = "the limit of 1,024 characters is there for simpler parsers; no value is lost";
const ROOT_MARK = "the parser skips blanks before the first line; a course is no single word";

/** The texts of the suite that the library reads otherwise. */
export const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  "a: |\n b": { gives: [{ a: "b\n" }], why: NO_FEED },
  "a: |+\n b": { gives: [{ a: "b\n" }], why: NO_FEED },
  "a: >\n b": { gives: [{ a: "b\n" }], why: NO_FEED },
  "a: |\n b\n  : c": { gives: [{ a: "b\n : c\n" }], why: NO_FEED },
  "a\ufeffb": { gives: ["a\ufeffb"], why: NO_MARK },
  "a: \ufeffb": { gives: [{ a: "\ufeffb" }], why: NO_MARK },
  " ---": { gives: [null], why: ROOT_MARK },
  "# \u0001": { gives: [], why: "the parser does not look into comments; no value is lost" },
  '"a\\\n\nb"': {
    gives: ["ab"],
    why: "the parser drops a blank line behind a line break that is escaped",
  },
  "1e999": {
    gives: ["1e999"],
    why: "no number of JavaScript holds it; as text or number, a course with it is refused",
  },
  [`${"a".repeat(1025)}: 1`]: { gives: [{ ["a".repeat(1025)]: 1 }], why: LONG_KEY },
  [`[${"a".repeat(1025)}: 1]`]: { gives: [[{ ["a".repeat(1025)]: 1 }]], why: LONG_KEY },
};
