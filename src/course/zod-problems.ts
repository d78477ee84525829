/**
 * The problems of single values, from the issues of zod. For example, the issue `invalid_value` at `pace` becomes the
 * problem `pace must be self_paced or instructor_paced, not "self-paced"` with the suggestion `self_paced`.
 */
import type * as z from "zod/mini";
import { closest } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import { formatPath, isList, isObject, isUuid, type Path } from "../base/values.ts";
import { convertValue } from "./conversions.ts";
import { keyAt, shapeAt } from "./fields.ts";
import { type Fault, type Problem, problemOf } from "./problem.ts";
import { findIssues, isValid } from "./schema.ts";
import { describeShape, type Key, type ObjectShape, type Shape } from "./shape.ts";
import { notValue } from "./string-formats.ts";

/** The problems of a value of a shape. Each item of a list is checked by itself, as in `isValid`. */
export function* valueProblems(value: unknown, shape: Shape, path: Path): Generator<Problem> {
  if (isValid(value, shape)) return;
  if (shape.kind === "list" && isList(value)) {
    for (const [index, item] of value.entries()) {
      yield* valueProblems(item, shape.of, [...path, index]);
    }
    return;
  }
  const issues = findIssues(value, shape);
  let isCut = false;
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys") continue;
    yield* unknownKeys(issue.input, issue.keys, [...path, ...(issue.path as Path)]);
    isCut ||= issue.keys.some(isCutAmount);
  }
  // The other problems are consequences of an amount whose end is a key.
  if (isCut) return;
  for (const issue of issues) yield* issueProblems(issue, [...path, ...(issue.path as Path)]);
}

/** The problems of an issue of zod. @param path from the course to the value of the issue */
function* issueProblems(issue: z.core.$ZodIssue, path: Path): Generator<Problem> {
  if (issue.code === "unrecognized_keys") return;
  const fault: Fault | undefined = issue.code === "custom" ? issue.params?.fault : undefined;
  const key = keyAt(path);
  const missing =
    key?.required && fault === undefined ? requiredProblem(key, path, issue.input) : undefined;
  if (missing !== undefined) yield missing;
  else if (fault !== undefined) yield problemOf(fault, path);
  else yield* typeProblems(issue.input, path, shapeAt(path));
}

/** The problem of a required key whose value is missing, null or empty; undefined if it is none of these. */
export function requiredProblem(key: Key, path: Path, value: unknown): Problem | undefined {
  if (value === undefined || value === null) {
    const notes = [formatExample(key)];
    return value === null
      ? problemOf({ rule: "required", text: "is required and must not be null", notes }, path)
      : problemOf({ rule: "required", text: "is missing", at: "parent", notes }, path);
  }
  const isEmpty =
    typeof value === "string" ? !/\S/.test(value) : isList(value) && value.length === 0;
  return isEmpty ? problemOf({ rule: "blank", text: "must not be empty" }, path) : undefined;
}

/** A note on how to write a key: `For example: name: Knitting for Beginners`. */
function formatExample({ name, shape, example }: Key): string {
  if (shape.kind === "enum") return `Write ${name}: ${joinList(shape.values)}.`;
  if (name === "provider_id") return PROVIDER_EXAMPLE;
  return `For example: ${name}: ${typeof example === "string" ? scalar(example) : JSON.stringify(example)}`;
}

const PROVIDER_EXAMPLE =
  'Name one of your providers, for example provider: academy.example. "catalog providers ls" lists them.';

/** A string as YAML, in quotes if it would mean something else without quotes. */
function scalar(text: string): string {
  return /^[A-Za-z](?!.*(?:: |:$| #))/.test(text) || isUuid(text) ? text : JSON.stringify(text);
}

/** The problems of unknown keys, each with the most similar known key as a suggestion. */
export function* unknownKeys(
  object: unknown,
  unknown: readonly string[],
  path: Path,
): Generator<Problem> {
  const shape = shapeAt(path);
  if (shape?.kind !== "object" || !isObject(object)) return;
  const free = shape.keys.flatMap(({ name }) => (Object.hasOwn(object, name) ? [] : [name]));
  let isListed = false;
  for (const name of unknown) {
    const suggestion = closest(name, free);
    // The list of fields is needed only once for each object.
    const isNew: boolean = suggestion === undefined && !isListed;
    isListed ||= isNew;
    yield {
      rule: "unknown-key",
      severity: "error",
      at: "key",
      path: [...path, name],
      message: unknownKeyMessage(name, path),
      suggestion,
      fix: suggestion === undefined ? undefined : { path: [...path, name], name: suggestion },
      notes: isNew ? [listFields(shape)] : undefined,
    };
  }
}

function unknownKeyMessage(name: string, path: Path): string {
  if (name === "<<") {
    return "<< is not supported, because YAML 1.2 has no merge keys; write the fields out";
  }
  const shown = formatPath([...path, name]);
  const field = `unknown field ${shown.includes('"') ? shown : `"${shown}"`}`;
  return isCutAmount(name)
    ? `${field}: a decimal comma ends a value in brackets; write the amount as "49.90"`
    : field;
}

/** Whether a key is the rest of an amount with a decimal comma: in brackets, `price: 49,90` is a price of 49 and a key 90. */
function isCutAmount(name: string): boolean {
  return /^\d/.test(name);
}

/** A course has too many fields for a list, which would hide the problem. */
function listFields({ owner, keys }: ObjectShape): string {
  return owner === "a course"
    ? 'Run "catalog courses init" for all fields of a course.'
    : `The fields of ${owner} are ${joinList(
        keys.map(({ name }) => name),
        "and",
      )}.`;
}

/** The problems of a value with the wrong type, or of a string that is not one of the allowed values. */
function* typeProblems(value: unknown, path: Path, shape?: Shape): Generator<Problem> {
  if (shape === undefined) return;
  if (shape.kind === "paragraphs" && isList(value)) {
    for (const [index, element] of value.entries()) {
      if (typeof element !== "string") yield* typeProblems(element, [...path, index], shape.of);
    }
    return;
  }
  const example = shape.kind === "object" ? ` (for example { ${formatSample(shape.keys)} })` : "";
  const expected = `must be ${describeShape(shape)}${example}`;
  const conversion = convertValue(value, shape);
  const fixed = conversion?.isCertain ? conversion.value : undefined;
  if (shape.kind === "enum" && typeof value === "string") {
    const suggestion = conversion === undefined ? undefined : String(conversion.value);
    const text = expected + notValue(value);
    yield problemOf({ rule: "choice", text, suggestion, fixed }, path);
    return;
  }
  const isUnquoted = shape.kind === "string" && conversion !== undefined;
  const suggestion = isUnquoted ? undefined : conversion && JSON.stringify(conversion.value);
  const text = expected + (isUnquoted ? ": put it in quotes" : `, not ${describeValue(value)}`);
  yield problemOf({ rule: "type", text, suggestion, fixed }, path);
}

/** What a value is, for messages: `a string`, `true`. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return "a string";
  if (isList(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return Number.isFinite(value) ? "a number" : String(value);
}

/** The required keys of an object with their examples, or the first key if none is required. */
function formatSample(keys: readonly Key[]): string {
  const needed = keys.filter((key) => key.required);
  const shown = needed.length > 0 ? needed : keys.slice(0, 1);
  return shown.map(({ name, example }) => `${name}: ${example}`).join(", ");
}
