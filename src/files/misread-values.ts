/** Finds values that are read differently from how they look: in YAML, `name: C # basics` is `C`. */
import { truncate } from "../base/text.ts";
import { findValues, formatPath, type Path } from "../base/values.ts";
import { isFreeText } from "../course/fields.ts";
import type { Problem } from "../course/problem.ts";
import type { SourceCourse, SourceFile } from "./course-file.ts";

/** Returns a function that finds misread values in a course of the file. The file's text is searched once. */
export function misreadFinder(
  file: SourceFile,
): (course: SourceCourse) => AsyncGenerator<Problem, void, void> {
  // Tables have no comments.
  const mayLoseText = file.isTable !== true && LOST_TEXT.test(file.lines.content);
  const isSuspect = (value: unknown): value is string | number =>
    typeof value === "string" ? mayLoseText || TYPOGRAPHIC.test(value) : isBeyondSafe(value);
  return async function* (course) {
    for (const { path, value } of findValues(course.value, isSuspect)) {
      // Default values are checked in their own file.
      if (course.defaults?.has(String(path[0]))) continue;
      if (typeof value === "number") yield* inexactNumber(course, path);
      else yield* misreadString(course, path, value);
    }
  };
}

/** The integers beyond 2^53 in a course that lose digits when they are read. */
export async function* findInexactNumbers(
  course: SourceCourse,
): AsyncGenerator<Problem, void, void> {
  for (const { path } of findValues(course.value, isBeyondSafe)) yield* inexactNumber(course, path);
}

async function* inexactNumber(course: SourceCourse, path: Path): AsyncGenerator<Problem> {
  const written = course.file.lines.text(await course.locate(path, "value")).trim();
  const digits = written.replace(/^[+"']|["']$/g, "");
  if (isExact(digits)) return;
  const message = `${formatPath(path)} ${describeInexact(digits)}`;
  yield { rule: "inexact-number", severity: "error", at: "value", path, message };
}

/** Describes the first number in JSON that loses digits when it is read, such as 9007199254740993. */
export function findInexactNumber(json: string): string | undefined {
  const withoutStrings = json.replace(/"(?:[^"\\]|\\.)*"/gs, "");
  const digits = withoutStrings.match(/-?\d[\w.+-]*/g)?.find((number) => !isExact(number));
  return digits === undefined ? undefined : describeInexact(digits);
}

/** Whether a number keeps all its digits when it is read. (Fractions and exponents are allowed to lose some.) */
function isExact(digits: string): boolean {
  if (!/^-?\d+$/.test(digits)) return true;
  const value = Number(digits);
  // The number is sent with the same digits, even if its value is not exact.
  if (String(value) === digits) return true;
  return Number.isFinite(value) && BigInt(digits) === BigInt(value);
}

function describeInexact(digits: string): string {
  return `is too large to be exact: ${shorten(digits)} is read as ${Number(digits)}`;
}

/** The digits of a number; of a very long number, the first ten and how many there are. */
function shorten(digits: string): string {
  return digits.length <= 20 ? digits : `${digits.slice(0, 10)}… (${digits.length} digits)`;
}

function isBeyondSafe(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** The problems of a string that has typographic quotes or, in YAML, no quotes. */
async function* misreadString(
  course: SourceCourse,
  path: Path,
  value: string,
): AsyncGenerator<Problem> {
  const { lines, isTable = false } = course.file;
  const span = await course.locate(path, "value");
  const written = lines.text(span);
  const after = lines.text({ start: span.end, end: span.end + LONGEST_COMMENT });
  if (TYPOGRAPHIC.test(value) && written.startsWith(value)) yield typographicQuotes(path, value);
  const mayEnd = !isTable && isPlain(written) && isFreeText(path);
  const lost = mayEnd ? lostText(value, after) : undefined;
  if (lost !== undefined) yield readAsComment(path, value, lost);
}

/** Finds a comment that was probably intended as text. Few files have one, so few files are searched further. */
const LOST_TEXT = /#(?<=\S[ \t]+#)(?=[\p{L}\p{N}])|#(?<=[ \t]\p{L}[ \t]#)(?=[ \t])/u;

const LONGEST_COMMENT = 200;

const TYPOGRAPHIC = /^(?:[“”„‟«»][^“”„‟«»]*[“”„‟«»]|[‘‚][^‘‚]*[’‘])$/;

function typographicQuotes(path: Path, value: string): Problem {
  const quotes = `${value.at(0)} and ${value.at(-1)}`;
  return {
    ...{ rule: "typographic-quotes", severity: "warning", at: "value", path },
    message: `${formatPath(path)} would include the curly quotes ${quotes}: use straight quotes, or none`,
    suggestion: JSON.stringify(value.slice(1, -1).trim()),
  };
}

/** Whether a value is written without quotes, and is neither a block nor an alias. */
function isPlain(written: string): boolean {
  return !/^["'|>*]/.test(written);
}

/**
 * The comment after a value, if it was probably intended as text. Comments usually begin with `# `, but after a single
 * letter even that may be text, as in `C # basics`.
 */
function lostText(value: string, after: string): string | undefined {
  const comment = /^[ \t]+(#[^\r\n]*)/.exec(after)?.[1]?.trimEnd() ?? "";
  const isIntended =
    /^#[\p{L}\p{N}]/u.test(comment) || (/(?:^|\s)\p{L}$/u.test(value) && /^# ./.test(comment));
  return isIntended ? comment : undefined;
}

function readAsComment(path: Path, value: string, lost: string): Problem {
  const field = formatPath(path);
  return {
    ...{ rule: "lost-text", severity: "warning", at: "value", path },
    message: `${field} ends before ${JSON.stringify(truncate(lost))}, because YAML reads a # after a space as a comment`,
    ...(value.length + lost.length > 100 ? {} : { suggestion: JSON.stringify(`${value} ${lost}`) }),
    notes: ["Put quotes around the text or, if it is a comment, move it to a separate line."],
  };
}
