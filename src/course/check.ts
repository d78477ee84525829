/** Checks one course against every rule that needs no service, and applies automatic fixes. */
import { findValues, isList, isObject, type Path, valueAt } from "../base/values.ts";
import { COURSE_SHAPE, shapeAt } from "./fields.ts";
import type { Fix, Problem } from "./problem.ts";
import { isSuspectText, textProblems } from "./text-rules.ts";
import { describeValue, type Mode, objectProblems, valueProblems } from "./value-problems.ts";

export interface CheckOptions {
  /** By default `create`. */
  readonly mode?: Mode;
  /** How many errors and how many warnings are returned at most; by default all. */
  readonly most?: number;
}

/**
 * Every problem of one course: unknown fields, then the fields in the documented order, then the rules
 * that span fields. For example, `{ pace: "fast" }` has the problem `pace must be self_paced or
 * instructor_paced, not "fast"`, and one problem for each missing field.
 */
export function checkCourse(course: unknown, options: CheckOptions = {}): Problem[] {
  const { mode = "create", most = Number.POSITIVE_INFINITY } = options;
  const problems: Problem[] = [];
  const counts = { error: 0, warning: 0 };
  for (const problem of findProblems(course, mode)) {
    if (++counts[problem.severity] <= most) problems.push(problem);
    if (counts.error >= most) break;
  }
  return problems;
}

function* findProblems(course: unknown, mode: Mode): Generator<Problem> {
  if (!isObject(course)) {
    const message = `this is ${typeof course === "string" ? "text" : describeValue(course)}, not a course`;
    const notes = ["Write a course field by field. For example: name: Knitting for Beginners"];
    yield { rule: "not-a-course", severity: "error", at: "value", path: [], message, notes };
    return;
  }
  yield* objectProblems(course, COURSE_SHAPE, [], mode);
  for (const text of findValues(course, isSuspectText)) yield* textProblems(text);
}

/** The problems of a single value, such as the value of `--set`. @param path a path that courses have */
export function checkValue(value: unknown, path: Path): Problem[] {
  const shape = shapeAt(path);
  return shape === undefined ? [] : [...valueProblems(value, shape, path)];
}

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

/** The problems that a changed course has and `before` did not have. */
export function causedProblems(
  before: unknown,
  after: unknown,
  options?: CheckOptions,
): readonly Problem[] {
  const keyOf = ({ rule, path }: Problem): string => JSON.stringify([rule, path]);
  const known = new Set(checkCourse(before, options).map(keyOf));
  return checkCourse(after, options).filter((problem) => !known.has(keyOf(problem)));
}
