/** Applies fixes to a course, and decides whether a fix is an improvement. */
import { isList, isObject, type Path, valueAt } from "../base/values.ts";
import { checkCourse } from "./check.ts";
import type { Fix, Problem } from "./problem.ts";
import { UNIQUE_FIELDS } from "./unique-fields.ts";

/** Whether another course has a value of a field that must be unique. */
export type IsTaken = (field: string, value: unknown) => boolean;

/** A changed course, and the value that the change replaced. */
interface Fixed {
  readonly course: unknown;
  readonly old: unknown;
}

/** Applies a fix to a copy of a course; undefined if the course does not have its path. */
export function applyFix(course: unknown, fix: Fix): Fixed | undefined {
  const parent = valueAt(course, fix.path.slice(0, -1));
  const last = fix.path.at(-1);
  if (last === undefined || typeof parent !== "object" || parent === null) return undefined;
  if (!Object.hasOwn(parent, last)) return undefined;
  const old = valueAt(course, fix.path);
  if (!("name" in fix)) return { course: withValue(course, fix.path, fix.value), old };
  if (!isObject(parent) || Object.hasOwn(parent, fix.name)) return undefined;
  const entries = Object.entries(parent).map(([name, value]) => [
    name === last ? fix.name : name,
    value,
  ]);
  const renamed = Object.fromEntries(entries);
  return { course: withValue(course, fix.path.slice(0, -1), renamed), old };
}

function withValue(root: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (isList(root)) {
    return root.map((item, index) => (index === step ? withValue(item, rest, value) : item));
  }
  if (!isObject(root)) return root;
  return { ...root, [step]: withValue(root[step], rest, value) };
}

/** Fixes that one fix may need after it: a renamed key has a value that is checked only then. */
const MOST_STEPS = 6;

/**
 * A changed course once the certain fixes of the problems that the change causes are applied, too;
 * undefined if it then still has a problem that the course did not have.
 */
export function improve(
  before: unknown,
  after: unknown,
  isTaken: IsTaken,
): { readonly course: unknown } | undefined {
  const known = new Set(checkCourse(before).map(keyOf));
  let course = after;
  for (let step = 0; step < MOST_STEPS; step++) {
    if (hasTaken(before, course, isTaken)) return undefined;
    const caused = checkCourse(course).filter((problem) => !known.has(keyOf(problem)));
    if (caused.length === 0) return { course };
    for (const { fix } of caused) {
      const fixed = fix === undefined ? undefined : applyFix(course, fix);
      if (fixed === undefined) return undefined;
      course = fixed.course;
    }
  }
  return undefined;
}

function keyOf({ rule, path }: Problem): string {
  return JSON.stringify([rule, path]);
}

function hasTaken(before: unknown, after: unknown, isTaken: IsTaken): boolean {
  return UNIQUE_FIELDS.some((field) => {
    const value = valueAt(after, [field]);
    return value !== valueAt(before, [field]) && isTaken(field, value);
  });
}
