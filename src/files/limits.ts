/** The limits of course files, each with its reason, and the problems of files that exceed them. */
import { formatNumber } from "../base/text.ts";
import { type Problem, textProblem } from "../course/problem.ts";
import { oneAt } from "./diagnostic.ts";

/** Bytes of one file: enough for ten thousand courses as JSON. */
export const MAX_FILE_SIZE = 48 * 1024 * 1024;

/** Bytes of the unpacked parts of a workbook: a small archive can unpack to any size. */
export const MAX_UNPACKED = 64 * 1024 * 1024;

/** Values of one file, and lines, commas, colons and escapes of a YAML file: each takes many times its own memory. */
export const MAX_VALUES = 5_000_000;

/** Courses of one file: even an empty course takes memory. */
export const MAX_COURSES = 100_000;

/** Levels of nested objects and lists; a course needs five. */
export const MAX_DEPTH = 100;

/** Aliases of one file, with those in the values that aliases repeat: a few aliases of aliases can mean billions. */
export const MAX_ALIASES = 10_000;

/** Characters of a text in which its first line, or the header of a table, ends. */
export const LONGEST_LINE = 10_000;

/** What a sheet can have, by its format: rows, columns, and characters of a cell. */
export const SHEET = { rows: 1_048_576, columns: 16_384, characters: 32_767 };

/** Levels of nested elements of HTML: at each tag, the parser moves all open elements. */
export const MAX_ELEMENTS = 1_000;

export function tooDeep(at: number): Problem {
  const message = `objects and lists are nested more than ${MAX_DEPTH} levels deep; a course needs five`;
  return textProblem("too-deep", message, oneAt(at));
}

/** The problem of an alias that exceeds the limit of aliases, or of the values that aliases repeat. */
export function tooManyAliases(at: number): Problem {
  const [aliases, values] = [MAX_ALIASES, MAX_VALUES].map(formatNumber);
  const message = `too many aliases: when expanded, more than ${aliases} aliases or ${values} values`;
  return textProblem("too-many-aliases", message, oneAt(at));
}

/** The problem of a file that exceeds a limit: `too many courses (over 100,000): split the file`. */
export function tooMany(what: "values" | "courses", at: number): Problem {
  const most = formatNumber(what === "values" ? MAX_VALUES : MAX_COURSES);
  return textProblem("too-large", `too many ${what} (over ${most}): split the file`, oneAt(at));
}
