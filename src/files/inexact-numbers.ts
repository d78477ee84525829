/** Finds numbers that lose digits when they are read: 9007199254740993 is read as 9007199254740992. */
import { findValues, formatPath } from "../base/values.ts";
import type { Problem } from "../course/problem.ts";
import type { SourceCourse } from "./course-file.ts";

/** The integers beyond 2^53 in a course that lose digits when they are read. */
export async function* findInexactNumbers(
  course: SourceCourse,
): AsyncGenerator<Problem, void, void> {
  for (const { path } of findValues(course.value, isBeyondSafe)) {
    // Default values are checked in their own file.
    if (course.defaults?.has(String(path[0]))) continue;
    const written = course.file.lines.text(await course.locate(path, "value")).trim();
    const digits = written.replace(/^[+"']|["']$/g, "");
    if (isExact(digits)) continue;
    const message = `${formatPath(path)} ${describeInexact(digits)}`;
    yield { rule: "inexact-number", severity: "error", at: "value", path, message };
  }
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
