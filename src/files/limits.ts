/** The limits of course files, each with its reason, and the problems of files that exceed them. */
import { formatNumber } from "../base/text.ts";
import { type Problem, textProblem } from "../course/problem.ts";
import { oneAt } from "./diagnostic.ts";

const MEBIBYTE = 1024 * 1024;

export const LIMITS = {
  /** Bytes of one file: enough for ten thousand courses as JSON. */
  size: 48 * MEBIBYTE,
  /** Bytes of the unpacked parts of a workbook: a small archive can unpack to any size. */
  unpacked: 64 * MEBIBYTE,
  /** Values of one file, and lines, commas, colons and escapes of a YAML file: each takes many times its own memory. */
  values: 5_000_000,
  /** Courses of one file: even an empty course takes memory. */
  courses: 100_000,
  /** Levels of nested objects and lists; a course needs five. */
  depth: 100,
  /** Aliases of one file, with those in the values that aliases repeat: a few aliases of aliases can mean billions. */
  aliases: 10_000,
  /** Items of lists that the names of columns and keys may skip: each course with such a path gets these items. */
  skipped: 50,
  /** Characters of a text in which its first line, or the header of a table, ends. */
  line: 10_000,
  /** Levels of nested elements of HTML: at each tag, the parser moves all open elements. */
  elements: 1_000,
} as const;

/** What a sheet can have, by its format: rows, columns, and characters of a cell. */
export const SHEET = { rows: 1_048_576, columns: 16_384, characters: 32_767 };

/** A number of bytes in words: `48 MiB`. */
export function formatSize(bytes: number): string {
  return `${bytes / MEBIBYTE} MiB`;
}

export function tooDeep(at: number): Problem {
  const message = `objects and lists are nested more than ${LIMITS.depth} levels deep; a course needs five`;
  return textProblem("too-deep", message, oneAt(at));
}

/** The problem of an alias that exceeds the limit of aliases, or of the values that aliases repeat. */
export function tooManyAliases(at: number): Problem {
  const [aliases, values] = [LIMITS.aliases, LIMITS.values].map(formatNumber);
  const message = `too many aliases: when expanded, more than ${aliases} aliases or ${values} values`;
  return textProblem("too-many-aliases", message, oneAt(at));
}

/** The problem of a file that exceeds a limit: `too many courses (over 100,000): split the file`. */
export function tooMany(what: "values" | "courses", at: number): Problem {
  const most = formatNumber(LIMITS[what]);
  return textProblem("too-large", `too many ${what} (over ${most}): split the file`, oneAt(at));
}
