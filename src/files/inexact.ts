/** Finds whole numbers that lose digits when they are read. */
import { findValues, formatPath } from "../base/values.ts";
import type { Problem } from "../course/problem.ts";
import type { SourceCourse } from "./read.ts";

/** The whole numbers beyond 2^53 of a course that are not read as they are written. */
export async function* findInexactNumbers(
  course: SourceCourse,
): AsyncGenerator<Problem, void, void> {
  for (const { path } of findValues(course.value, isBeyondSafe)) {
    // Found in the defaults file.
    if (course.defaults?.has(String(path[0]))) continue;
    const written = course.file.lines.text(await course.locate(path, "value")).trim();
    const digits = written.replace(/^[+"']|["']$/g, "");
    if (isExact(digits)) continue;
    const message = `${formatPath(path)} ${describeInexact(digits)}`;
    yield { rule: "inexact-number", severity: "error", at: "value", path, message };
  }
}

/** What is wrong with the first number of a JSON text that is not read as it is written. */
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
