/**
 * Checks one course against every rule that needs no service, and finds the values that were probably meant. For example,
 * `self-paced` as a pace has the problem `pace must be self_paced or instructor_paced, not "self-paced"` with the
 * suggestion `self_paced`.
 */
import { closest, findSlip, joinList, pluralize, truncateJson } from "../base/text.ts";
import {
  findValues,
  formatPath,
  isList,
  isObject,
  type Path,
  type PlainObject,
} from "../base/values.ts";
import { COURSE_SHAPE, keyAt, shapeAt } from "./fields.ts";
import { MAX_FINDINGS, type Problem, problemAt } from "./problem.ts";
import { readValue } from "./read-value.ts";
import { brokenRules } from "./rules.ts";
import {
  describeShape,
  type Key,
  type NumberShape,
  type ObjectShape,
  type Shape,
} from "./shape.ts";
import { isIdentity, isPrivateKey, PROVIDER_KEY } from "./special-fields.ts";
import { formatProblem, notText } from "./string-formats.ts";
import { isSuspectText, textProblems } from "./text-rules.ts";

/** `create` requires every required field. `patch` checks only the given fields, and null clears one. */
export type Mode = "create" | "patch";

/** The problems of a value of a shape, in the order of its parts. */
function* valueProblems(value: unknown, shape: Shape, path: Path): Generator<Problem> {
  if (shape.kind === "object" && isObject(value)) yield* objectProblems(value, shape, path);
  else if ((shape.kind === "list" || shape.kind === "paragraphs") && isList(value)) {
    for (const [index, item] of value.entries()) {
      yield* valueProblems(item, shape.of, [...path, index]);
    }
  } else {
    const problem = singleProblem(value, shape, path);
    if (problem !== undefined) yield problem;
  }
}

/** The problem of a value that has no parts, or another type than its shape; undefined if it has none. */
function singleProblem(value: unknown, shape: Shape, path: Path): Problem | undefined {
  switch (shape.kind) {
    case "any":
      return undefined;
    case "string":
      if (typeof value !== "string") break;
      if (shape.format !== undefined) return formatProblem(shape.format, value, path);
      return shape.filled && isBlank(value) ? problemAt(path, "blank", BLANK) : undefined;
    case "number":
      if (!Number.isFinite(value)) break;
      return numberProblem(Number(value), shape, path);
    case "paragraphs":
      if (typeof value === "string") return undefined;
      break;
    case "boolean":
      if (typeof value === "boolean") return undefined;
      break;
    case "enum":
      if (typeof value !== "string") break;
      return shape.values.includes(value) ? undefined : choiceProblem(value, shape.values, path);
  }
  return typeProblem(value, shape, path);
}

const BLANK = "must not be empty";

function isBlank(value: unknown): boolean {
  return isList(value) ? value.length === 0 : typeof value === "string" && !/\S/.test(value);
}

function numberProblem(
  value: number,
  { integer, probably }: NumberShape,
  path: Path,
): Problem | undefined {
  if (!Number.isInteger(value) && (integer || probably?.isWhole)) {
    const rule = integer ? "type" : "whole-number";
    return problemAt(path, rule, `must be a whole number, not ${value}`);
  }
  if (probably !== undefined && value < probably.minimum) {
    return problemAt(path, "number-range", `must be at least ${probably.minimum}, not ${value}`);
  }
  // 9007199254740993 is read as 9007199254740992.
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return undefined;
  const text = `is too large to be exact: the largest exact number is ${Number.MAX_SAFE_INTEGER}`;
  return problemAt(path, "inexact-number", text);
}

function choiceProblem(value: string, values: readonly string[], path: Path): Problem {
  const meant = findSlip(value, values);
  return problemAt(path, "choice", `must be ${joinList(values)}${notText(value)}`, {
    suggestion: meant ?? closest(value, values),
    fix: meant === undefined ? undefined : { path, value: meant },
  });
}

function typeProblem(value: unknown, shape: Shape, path: Path): Problem {
  const meant = findMeantValue(value, shape);
  const isUnquoted = shape.kind === "string" && meant !== undefined;
  const advice = isUnquoted ? ": put it in quotes" : `, not ${describeValue(value)}`;
  const example = isUnquoted ? "" : exampleText(shape, path);
  return problemAt(path, "type", `must be ${describeShape(shape)}${example}${advice}`, {
    suggestion: meant === undefined || isUnquoted ? undefined : JSON.stringify(meant),
    fix: meant === undefined ? undefined : { path, value: meant },
  });
}

/** What a value of another type can only mean; undefined if that is not certain. */
function findMeantValue(value: unknown, shape: Shape): unknown {
  const meant = readValue(value, shape, "file");
  if (isList(meant) && shape.kind === "list" && !isList(value)) {
    const items = meant.map((item) => certainValue(item, shape.of));
    return items.includes(undefined) ? undefined : items;
  }
  return Object.is(meant, value) ? undefined : certainValue(meant, shape);
}

/** The value itself if it has no problem, or else what it can only mean; undefined if that is not certain. */
function certainValue(value: unknown, shape: Shape): unknown {
  const problem = singleProblem(value, shape, []);
  if (problem === undefined) return value;
  return problem.fix !== undefined && "value" in problem.fix ? problem.fix.value : undefined;
}

/** An example of what has parts, because people may not know how to write it: `, such as ["en"]`. */
function exampleText(shape: Shape, path: Path): string {
  const isList = shape.kind === "list" && shape.of.kind !== "enum";
  const example = isList || shape.kind === "object" ? keyAt(path)?.example : undefined;
  return example === undefined ? "" : `, such as ${JSON.stringify(example)}`;
}

/** What a value is, for messages: `"Beginner"`, `a list`, `true`. */
function describeValue(value: unknown): string {
  if (typeof value === "string") return truncateJson(value);
  if (isList(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return Number.isFinite(value) ? "a number" : String(value);
}

/** The problems of an object: unknown keys, then its keys in the documented order, then the rules about several keys. */
function* objectProblems(
  object: PlainObject,
  shape: ObjectShape,
  path: Path,
  mode: Mode = "create",
): Generator<Problem> {
  const isCourse = path.length === 0;
  const unknown = Object.keys(object).filter(
    (name) => !shape.byName.has(name) && !(isCourse && isPrivateKey(name)),
  );
  if (unknown.length > 0) yield* unknownKeys(object, unknown, shape, path);
  // In brackets, `price: 49,90` is a price of 49 and a key 90: the other problems are consequences.
  if (!isCourse && unknown.some(isCutAmount)) return;
  for (const key of shape.keys) {
    const value = object[key.name];
    // Most values have no problem, and this test builds no path.
    const isMissing = (value ?? null) === null;
    if (isMissing ? !key.required && !key.isExpected : isFine(value, key)) continue;
    yield* keyProblems(object, key, [...path, key.name], mode);
  }
  yield* brokenRules(object, shape.owner, path);
}

/** Whether a value has no problem; false if that has to be looked for. */
function isFine(value: unknown, { shape, required, isExpected, readOnly }: Key): boolean {
  return !readOnly && !((required || isExpected) && isBlank(value)) && hasNoProblem(value, shape);
}

function hasNoProblem(value: unknown, shape: Shape): boolean {
  if (shape.kind === "object") return false;
  if ((shape.kind === "list" || shape.kind === "paragraphs") && isList(value)) {
    return value.every((item) => hasNoProblem(item, shape.of));
  }
  return singleProblem(value, shape, NO_PATH) === undefined;
}

const NO_PATH: Path = [];

function* keyProblems(
  object: PlainObject,
  { name, shape, required, isExpected, readOnly, replacedBy, example }: Key,
  path: Path,
  mode: Mode,
): Generator<Problem> {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if ((value ?? null) === null || isAllNull(value, shape)) {
    if (isExpected) {
      const at = value === undefined ? "parent" : "value";
      yield problemAt(path, "incomplete", "is missing", { at, notes: exampleNotes(name, example) });
    }
    const replacement = replacedBy === undefined ? undefined : object[replacedBy];
    if (!required || (replacement ?? null) !== null) return;
    // Null is a problem of the key that has it.
    if (value === undefined && replacement === null) return;
    // A course without a provider lacks a `provider_id`.
    if (value === undefined && (mode === "patch" || name === PROVIDER_KEY)) return;
    const isProvider = name === "provider_id";
    const notes = isProvider ? [PROVIDER_NOTE] : exampleNotes(name, example);
    if (value === null) {
      yield problemAt(path, "required", "is required and must not be null", { notes });
    } else {
      // Files usually name the provider with `provider`, so the message asks for that field.
      const missing = isProvider ? [PROVIDER_KEY] : path;
      yield { ...problemAt(missing, "required", "is missing", { at: "parent", notes }), path };
    }
  } else if (readOnly) {
    const text = "is set by the service, so catalog does not send it";
    yield problemAt(path, "read-only", text, { at: "key" });
  } else if (required && isBlank(value)) {
    yield problemAt(path, "blank", BLANK);
  } else if (isExpected && shape.kind === "string" && isBlank(value)) {
    yield problemAt(path, "incomplete", BLANK);
  } else yield* valueProblems(value, shape, path);
}

function exampleNotes(name: string, example: unknown): string[] {
  return [`For example: ${name}: ${JSON.stringify(example)}`];
}

/** Whether a value is an object with known keys that are all null, as the service may return what was never set. */
function isAllNull(value: unknown, shape: Shape): boolean {
  if (shape.kind !== "object" || !isObject(value)) return false;
  const entries = Object.entries(value);
  const isNull = ([name, part]: [string, unknown]): boolean =>
    shape.byName.has(name) && (part ?? null) === null;
  return entries.length > 0 && entries.every(isNull);
}

const PROVIDER_NOTE =
  'Name one of your providers, for example provider: academy.example. "catalog providers ls" lists them.';

/** The problems of unknown keys, each with the most similar known key as a suggestion. */
function* unknownKeys(
  object: PlainObject,
  unknown: readonly string[],
  { keys }: ObjectShape,
  path: Path,
): Generator<Problem> {
  const isCourse = path.length === 0;
  const free = keys.flatMap(({ name }) => (Object.hasOwn(object, name) ? [] : [name]));
  for (const [index, name] of unknown.entries()) {
    if (index === MOST_UNKNOWN) {
      const rest = pluralize(unknown.length - index, "more unknown field");
      const place = [...path, name];
      yield { rule: "unknown-field", severity: "error", at: "key", path: place, message: rest };
      return;
    }
    const meant = findSlip(name, free);
    // Another id or key would make it another course.
    const isFixed = meant !== undefined && !(isCourse && isIdentity(meant));
    const suggestion = meant ?? findSynonym(name, free) ?? closest(name, free);
    const place = [...path, name];
    const shown = formatPath(place);
    const advice = isCutAmount(name)
      ? ': a decimal comma ends a value in brackets; write the amount as "49.90"'
      : spaceText(name);
    yield {
      rule: "unknown-field",
      severity: "error",
      at: "key",
      path: place,
      message: `unknown field ${shown.includes('"') ? shown : `"${shown}"`}${advice}`,
      suggestion,
      fix: isFixed ? { path: place, name: meant } : undefined,
      notes: index === 0 && suggestion === undefined ? fieldsNotes(name, isCourse) : undefined,
    };
  }
}

/** Unknown fields of one object that are reported one by one. */
const MOST_UNKNOWN = 20;

function fieldsNotes(name: string, isCourse: boolean): string[] {
  const isShort = isCourse && /^[\p{L}\d_-]{1,40}$/u.test(name);
  const keep = isShort ? [`To keep it as a note that is never sent, call it "x-${name}".`] : [];
  return [...keep, 'Run "catalog courses init" for all fields of a course.'];
}

/** Names that other systems have for fields. */
const SYNONYMS: Readonly<Record<string, string>> = {
  title: "name",
  description: "long_description",
  language: "audio",
  languages: "audio",
  link: "url",
};

function findSynonym(name: string, free: readonly string[]): string | undefined {
  const key = name.toLowerCase();
  const field = Object.hasOwn(SYNONYMS, key) ? SYNONYMS[key] : undefined;
  return free.find((each) => each === field);
}

/** What is wrong with a name that has another space than that of the keyboard, which looks the same. */
function spaceText(name: string): string {
  const [space = ""] = /[^\S \t\r\n]/.exec(name) ?? [];
  const code = space.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return space === "" ? "" : `: it has the space U+${code}, which looks like another one`;
}

/** Whether a key is the rest of an amount with a decimal comma. */
function isCutAmount(name: string): boolean {
  return /^\d/.test(name);
}

/**
 * The problems of one course, up to the limits of errors and of warnings: unknown fields, then the fields in the
 * documented order, then the rules that span fields. For example, `{ pace: "fast" }` has the problem `pace must be
 * self_paced or instructor_paced, not "fast"`, and one problem for each missing field.
 */
export function checkCourse(course: unknown, mode: Mode = "create"): Problem[] {
  const problems: Problem[] = [];
  const counts = { error: 0, warning: 0 };
  for (const problem of findProblems(course, mode)) {
    if (counts[problem.severity]++ <= MAX_FINDINGS) problems.push(problem);
    if (counts.error > MAX_FINDINGS) break;
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

/** The problems that a changed course has and `before` did not have. */
export function causedProblems(before: unknown, after: unknown, mode: Mode): readonly Problem[] {
  const keyOf = ({ rule, path }: Problem): string => JSON.stringify([rule, path]);
  const known = new Set(checkCourse(before, mode).map(keyOf));
  return checkCourse(after, mode).filter((problem) => !known.has(keyOf(problem)));
}
