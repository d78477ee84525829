/** Finds values that are read in another way than they are written, or were probably intended. */
import { truncate } from "../base/text.ts";
import { findValues, formatPath, type Path } from "../base/values.ts";
import { isFreeText } from "../course/fields.ts";
import type { Problem } from "../course/problem.ts";
import type { SourceCourse, SourceFile } from "./course-file.ts";

/** A function that finds such values in the courses of a file, whose text is searched once. */
export function misreadFinder(
  file: SourceFile,
): (course: SourceCourse) => AsyncGenerator<Problem, void, void> {
  // Tables have no comments.
  const mayLoseText = file.isTable !== true && LOST_TEXT.test(file.lines.content);
  const isSuspect = (value: unknown): value is string | number =>
    typeof value === "string" ? mayLoseText || TYPOGRAPHIC.test(value) : isBeyondSafe(value);
  return async function* (course) {
    for (const { path, value } of findValues(course.value, isSuspect)) {
      // The text of a default value is in another file.
      if (course.defaults?.has(String(path[0]))) continue;
      if (typeof value === "number") yield* inexactNumber(course, path);
      else yield* misreadString(course, path, value);
    }
  };
}

/** The whole numbers beyond 2^53 of a course that are not read as they are written. */
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

/** Describes the first number of a JSON text that loses digits when it is read. */
export function findInexactNumber(json: string): string | undefined {
  const withoutStrings = json.replace(/"(?:[^"\\]|\\.)*"/gs, "");
  const digits = withoutStrings.match(/-?\d[\w.+-]*/g)?.find((number) => !isExact(number));
  return digits === undefined ? undefined : describeInexact(digits);
}

/** Whether a number loses no digit; a fraction, or a number with an exponent, may. */
function isExact(digits: string): boolean {
  if (!/^-?\d+$/.test(digits)) return true;
  const value = Number(digits);
  // It is sent with the same digits, even if the number that is read is not exactly the written one.
  if (String(value) === digits) return true;
  return Number.isFinite(value) && BigInt(digits) === BigInt(value);
}

function describeInexact(digits: string): string {
  return `is too large to be exact: ${shorten(digits)} is read as ${Number(digits)}`;
}

/** The digits of a number, of a very long one only the first and how many there are. */
function shorten(digits: string): string {
  return digits.length <= 20 ? digits : `${digits.slice(0, 10)}… (${digits.length} digits)`;
}

function isBeyondSafe(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** What is wrong with a string without quotes in YAML, or with typographic ones. */
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

/** A comment that was probably intended as text, somewhere after a value: few files have one. */
const LOST_TEXT = /#(?<=\S[ \t]+#)(?=[\p{L}\p{N}])|#(?<=[ \t]\p{L}[ \t]#)(?=[ \t])/u;

const LONGEST_COMMENT = 200;

const TYPOGRAPHIC = /^(?:[“”„‟«»][^“”„‟«»]*[“”„‟«»]|[‘‚][^‘‚]*[’‘])$/;

function typographicQuotes(path: Path, value: string): Problem {
  const quotes = `${value.at(0)} and ${value.at(-1)}`;
  return {
    ...{ rule: "typographic-quotes", severity: "warning", at: "value", path },
    message: `${formatPath(path)} is shown with its typographic quotes ${quotes}: delete them, or write straight ones`,
    suggestion: JSON.stringify(value.slice(1, -1).trim()),
  };
}

/** Whether a value is written without quotes, and not as a block or an alias. */
function isPlain(written: string): boolean {
  return !/^["'|>*]/.test(written);
}

/**
 * The comment after a value, if it was probably intended as text: a comment usually has a space after
 * its `#`, unless the `#` belongs to a single letter, as in `C #`.
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
    message: `${field} ends before ${JSON.stringify(truncate(lost))}, which is read as a comment`,
    ...(value.length + lost.length > 100 ? {} : { suggestion: JSON.stringify(`${value} ${lost}`) }),
    notes: ["Put quotes around the text, or move the comment to a separate line."],
  };
}
