/** Finds whole numbers that lose digits when they are read. */
import { formatPath, isList, isObject, type Path } from "../base/values.ts";
import type { Problem } from "../course/problem.ts";
import type { SourceCourse } from "./read.ts";

/** The whole numbers beyond 2^53 of a course that are not read as they are written. */
export async function findInexactNumbers(course: SourceCourse): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { path, value } of largeIntegers(course.value, [])) {
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

function* largeIntegers(
  value: unknown,
  path: Path,
): Generator<{ readonly path: Path; readonly value: number }> {
  if (typeof value === "number") {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) yield { path, value };
  } else if (isList(value)) {
    for (const [index, element] of value.entries()) yield* largeIntegers(element, [...path, index]);
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) yield* largeIntegers(inner, [...path, key]);
  }
}
