/** Checks one course against every rule that needs no service, and applies automatic fixes. */
import * as z from "zod/mini";
import {
  type FoundValue,
  findInside,
  findValues,
  formatPath,
  isList,
  isObject,
  type Path,
  type PlainObject,
  valueAt,
} from "../base/values.ts";
import { COURSE_RULES, isGiven } from "./cross-field-rules.ts";
import { isPrivateKey, PROVIDER_KEY, UNIQUE_FIELDS } from "./field-names.ts";
import { COURSE_SHAPE, type Field, shapeAt } from "./fields.ts";
import type { Fix, Problem } from "./problem.ts";
import { isValid, type Shape } from "./shape.ts";
import { isSuspectText, textProblems } from "./text-rules.ts";
import {
  describeValue,
  issueProblems,
  requiredProblem,
  unknownKeys,
  violationProblem,
} from "./zod-problems.ts";

export interface CheckOptions {
  /** `create` requires every required field. `patch` checks only the given fields, and null clears one. */
  readonly mode?: "create" | "patch";
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

function* findProblems(course: unknown, mode: "create" | "patch"): Generator<Problem> {
  if (!isObject(course)) {
    const message = `this is ${typeof course === "string" ? "text" : describeValue(course)}, not a course`;
    const notes = ["Write a course field by field. For example: name: Knitting for Beginners"];
    yield { rule: "not-a-course", severity: "error", at: "value", path: [], message, notes };
    return;
  }
  const wrapper = findWrapper(course);
  if (wrapper !== undefined) {
    yield wrapper;
    return;
  }
  const unknown = Object.keys(course).filter(
    (name) => !COURSE_SHAPE.byName.has(name) && !isPrivateKey(name),
  );
  if (unknown.length > 0) yield* unknownKeys(course, unknown, []);
  for (const field of COURSE_SHAPE.keys) {
    for (const problem of fieldProblems(course, field, mode)) yield* withoutGuess(course, problem);
  }
  const found: Problem[] = [];
  for (const rule of COURSE_RULES) {
    rule(course, (violation) => found.push(violationProblem(violation, [])));
  }
  yield* found;
  yield* findTextProblems(course);
}

/**
 * The problem, without a fix if a decimal comma cut the amount: in brackets, `price: 49,90` is a price of 49 and a key 90,
 * which has no other problem.
 */
function* withoutGuess(course: PlainObject, problem: Problem): Generator<Problem> {
  const { path } = problem;
  const key = path.at(-1);
  const cut = findCutAmount(valueAt(course, path.slice(0, -1)), path.slice(0, -1));
  if (cut === undefined || (key !== cut.key && key !== cut.rest)) yield problem;
  else if (key === cut.key) {
    const message = `${formatPath(path)} has a decimal comma, which ends a value in brackets: write ${cut.amount}`;
    yield { ...problem, message, suggestion: undefined, fix: undefined };
  }
}

/** The key of an amount in an object that a decimal comma cut, and the key that is the rest of it. */
function findCutAmount(object: unknown, path: Path) {
  if (!isObject(object)) return undefined;
  const names = Object.keys(object);
  const rest = names.find((name) => object[name] === null && /^\d/.test(name));
  if (rest === undefined) return undefined;
  const key = names.find((name) => typeof object[name] === "number" && isAmount([...path, name]));
  if (key === undefined) return undefined;
  // A key such as 5 may have been 5 or 05.
  const isClear = Number.isInteger(object[key]) && /^[1-9]\d$/.test(rest);
  const amount = isClear ? `"${object[key]}.${rest}"` : 'the amount with a point, such as "49.90"';
  return { key, rest, amount };
}

function isAmount(path: Path): boolean {
  const shape = shapeAt(path);
  return shape?.kind === "string" && shape.format === "amount";
}

/** The problem of an object that only contains a list of courses, as exports of other systems do. */
function findWrapper(course: PlainObject): Problem | undefined {
  const names = Object.keys(course);
  if (names.length === 0 || names.length > MAX_WRAPPED) return undefined;
  if (names.some((name) => COURSE_SHAPE.byName.has(name))) return undefined;
  const path = findInside(course, isCourseList);
  if (path === undefined) return undefined;
  const shown = formatPath(path);
  const message = `a course file starts with the course or the list; here the list is inside "${shown}"`;
  const notes = [
    `Remove "${shown}" and everything around its list, so that the file starts with the list.`,
  ];
  return { rule: "not-a-course", severity: "error", at: "key", path, message, notes };
}

/** An object around a list has few keys: the list, and facts such as the number of the page. */
const MAX_WRAPPED = 12;

function isCourseList(value: unknown): boolean {
  if (!isList(value) || value.length === 0) return false;
  return value.every(
    (item) => isObject(item) && Object.keys(item).some((name) => WRAPPED_KEYS.has(name)),
  );
}

/** Every object in a list of courses has one of these keys. */
const WRAPPED_KEYS = new Set(["name", "title", "url"]);

function fieldProblems(
  course: PlainObject,
  field: Field,
  mode: "create" | "patch",
): Iterable<Problem> {
  const { name } = field;
  const value = Object.hasOwn(course, name) ? course[name] : undefined;
  const isMissing = value === undefined || value === null;
  if (isMissing && (!field.required || (mode === "patch" && value === undefined))) return [];
  const path = [name];
  if (isMissing) {
    // A course needs only one of `provider_id` and `provider`.
    if (name === "provider_id" && isGiven(course, PROVIDER_KEY)) return [];
    if (name === PROVIDER_KEY && (mode === "create" || isGiven(course, "provider_id"))) return [];
    const missing = requiredProblem(field, path, value);
    return missing === undefined ? [] : [missing];
  }
  if (!field.readOnly) return shapeProblems(value, field.shape, path);
  const message = `${name} is set by the service, so catalog does not send it`;
  return [{ rule: "read-only", severity: "warning", at: "key", path, message }];
}

/** The problems of a single value, such as the value of `--set`. @param path a path that courses have */
export function checkValue(value: unknown, path: Path): Problem[] {
  const shape = shapeAt(path);
  return shape === undefined ? [] : [...shapeProblems(value, shape, path)];
}

function* shapeProblems(value: unknown, shape: Shape, path: Path): Generator<Problem> {
  if (isValid(value, shape)) return;
  if (shape.kind === "list" && isList(value) && value.length > 0) {
    for (const [index, item] of value.entries()) {
      yield* shapeProblems(item, shape.of, [...path, index]);
    }
    return;
  }
  const issues = z.safeParse(shape.schema(), value, PARSE_OPTIONS).error?.issues ?? [];
  const isUnknown = ({ code }: z.core.$ZodIssue): boolean => code === "unrecognized_keys";
  const inOrder = [...issues.filter(isUnknown), ...issues.filter((issue) => !isUnknown(issue))];
  for (const issue of inOrder) yield* issueProblems(issue, [...path, ...(issue.path as Path)]);
}

/** The issues get the invalid values. Generated code would save no time: few values have problems. */
const PARSE_OPTIONS = { reportInput: true, jitless: true };

/** The problems of all strings and keys of a course, found in one pass. */
function findTextProblems(course: PlainObject): Problem[] {
  const found = findValues(
    course,
    (value, key): value is unknown => isSuspectText(value) || isBroken(key),
  );
  return [...found.flatMap(findSurrogates), ...found.flatMap(textProblems)];
}

/** Surrogates without their other half in a string and in its key (RFC 7493, section 2.1). */
function findSurrogates({ path, value }: FoundValue<unknown>): Problem[] {
  const key = path.at(-1);
  return [
    ...(isBroken(key) ? [loneSurrogate(path, "key", key)] : []),
    ...(isBroken(value) ? [loneSurrogate(path, "value", value)] : []),
  ];
}

function isBroken(text: unknown): text is string {
  return typeof text === "string" && !text.isWellFormed();
}

function loneSurrogate(path: Path, at: Problem["at"], text: string): Problem {
  // With the flag u, a surrogate matches only without its other half.
  const [half = ""] = /\p{Cs}/u.exec(text) ?? [];
  const code = half.charCodeAt(0).toString(16);
  const what = at === "key" ? "the key " : "";
  const message = `${what}${formatPath(path)} contains half of a character (\\u${code}); write the complete character`;
  return { rule: "lone-surrogate", severity: "error", at, path, message };
}

/** Whether another course already has this value of a field that must be unique. */
export type IsTaken = (field: string, value: unknown) => boolean;

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

/** Rounds of fixes after a fix: the value of a renamed key, for example, is checked only under its new name. */
const MAX_STEPS = 6;

/**
 * Applies the automatic fixes of the problems that a change causes.
 *
 * @returns the fixed course; undefined if it still has a problem that `before` did not have
 */
export function improve(
  before: unknown,
  after: unknown,
  isTaken: IsTaken,
): { readonly course: unknown } | undefined {
  const findCaused = causedSince(before);
  let course = after;
  for (let step = 0; step < MAX_STEPS; step++) {
    if (hasTaken(before, course, isTaken)) return undefined;
    const caused = findCaused(course);
    if (caused.length === 0) return { course };
    for (const { fix } of caused) {
      const fixed = fix === undefined ? undefined : applyFix(course, fix);
      if (fixed === undefined) return undefined;
      course = fixed.course;
    }
  }
  return undefined;
}

/** A function that finds the problems that a changed course has and `before` did not have. */
export function causedSince(
  before: unknown,
  options?: CheckOptions,
): (after: unknown) => Problem[] {
  const keyOf = ({ rule, path }: Problem): string => JSON.stringify([rule, path]);
  const known = new Set(checkCourse(before, options).map(keyOf));
  return (after) => checkCourse(after, options).filter((problem) => !known.has(keyOf(problem)));
}

function hasTaken(before: unknown, after: unknown, isTaken: IsTaken): boolean {
  return UNIQUE_FIELDS.some((field) => {
    const value = valueAt(after, [field]);
    return value !== valueAt(before, [field]) && isTaken(field, value);
  });
}
