/** Finds whole numbers that lose digits when they are read. */
import { findValues, formatPath } from "../base/values.ts";
import type { Problem } from "../course/problem.ts";
import type { SourceCourse } from "./read.ts";

/** The whole numbers beyond 2^53 of a course that are not read as they are written. */
export async function findInexactNumbers(course: SourceCourse): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { path, value } of findValues(course.value, isBeyondSafe)) {
    const written = course.file.lines.text(await course.locate(path, "value")).trim();
    const digits = written.replace(/^[+"']|["']$/g, "");
    if (!/^-?\d+$/.test(digits) || BigInt(digits) === BigInt(value)) continue;
    const message = `${formatPath(path)} is too large to be exact: ${shorten(digits)} is read as ${value}`;
    problems.push({ rule: "inexact-number", severity: "error", at: "value", path, message });
  }
  return problems;
}

/** The digits of a number, of a very long one only the first and how many there are. */
function shorten(digits: string): string {
  return digits.length <= 20 ? digits : `${digits.slice(0, 10)}… (${digits.length} digits)`;
}

function isBeyondSafe(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
}
