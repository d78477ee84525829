/** The limits of course files, each with its reason, and the problems of files that exceed them. */
import { formatNumber } from "../base/text.ts";
import type { TextProblem } from "./parsed.ts";
import { oneAt } from "./position.ts";

/** Bytes of one file: enough for ten thousand courses as JSON. */
export const MAX_FILE_SIZE = 48 * 1024 * 1024;

/** Bytes of the parts of a workbook that are read, when they are unpacked. */
export const MAX_UNPACKED = 64 * 1024 * 1024;

/** Values of one file: more than ten thousand courses, and no more than fits in memory. */
export const MAX_VALUES = 1_000_000;

/** Characters of one sheet, in which any number of cells may refer to the same long text. */
export const MAX_CHARACTERS = 50_000_000;

/** Keys of one object, which takes ever more time to read and search. */
export const MAX_KEYS = 100_000;

/** Courses of one file, each of which takes memory, however small it is. */
export const MAX_COURSES = 100_000;

/** Lines, commas, colons and escapes of one YAML file, which take up to 240 bytes each to read. */
export const MAX_YAML_PARTS = 2_000_000;

/**
 * Values of one JSON file, or of one course in YAML, up to which findings have positions. Finding
 * positions takes many times the memory of reading.
 */
export const MAX_PLACED_VALUES = 500_000;

/** Nested objects and lists; a course needs five. */
export const MAX_DEPTH = 64;

/** Values that all aliases of a file may add. */
export const MAX_EXPANSION = 200_000;

/** Findings of one file: more would not help, and memory is limited. */
export const MAX_FINDINGS = 10_000;

/** Columns of one table, each of which is compared with the others. */
export const MAX_COLUMNS = 2_000;

/** Items of one list that columns can number: those that no column fills are added. */
export const MAX_ITEMS = 1_000;

/** Elements inside each other: at each tag, the parser of pages and workbooks moves all that are open. */
export const MAX_ELEMENTS = 1_000;

/** Attributes of one element of a workbook, each of which takes many times the memory of its text. */
export const MAX_ATTRIBUTES = 1_000;

/** Escapes of one JSON string, or spaces in a row: jsonc-parser joins them one by one. */
export const MAX_JSON_TOKEN = 2_000_000;

/** Asterisks of one pattern in `.catalogignore`: its time grows with a power of their number. */
export const MAX_ASTERISKS = 6;

export function tooDeep(at: number): TextProblem {
  const message = `more than ${MAX_DEPTH} nested objects and lists`;
  return { rule: "too-deep", message, span: oneAt(at) };
}

const LIMITS = {
  values: MAX_VALUES,
  characters: MAX_CHARACTERS,
  courses: MAX_COURSES,
  keys: MAX_KEYS,
  "lines, commas and escapes": MAX_YAML_PARTS,
} as const;

/** More values, characters, courses, lines and escapes, or keys of one object than a file may have. */
export function tooMany(what: keyof typeof LIMITS, at: number): TextProblem {
  const where = what === "keys" ? " in one object" : "";
  const message = `too many ${what}${where} (over ${formatNumber(LIMITS[what])}): split the file`;
  return { rule: "too-large", message, span: oneAt(at) };
}
