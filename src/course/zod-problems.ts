/**
 * Turns the issues of zod into problems. For example, the issue `invalid_value` at `pace` becomes the problem
 * `pace must be self_paced or instructor_paced, not "self-paced"` with the suggestion `self_paced`.
 */
import type * as z from "zod/mini";
import { closest, isMisspelling } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import {
  formatPath,
  isList,
  isObject,
  isUuid,
  type Path,
  type PlainObject,
} from "../base/values.ts";
import { convertValue } from "./conversions.ts";
import type { RuleViolation } from "./cross-field-rules.ts";
import { keyAt, shapeAt } from "./fields.ts";
import type { Problem } from "./problem.ts";
import { describeShape, type Key, type Shape } from "./shape.ts";
import { checkFormat, type FormatFault, notValue, type StringFormat } from "./string-formats.ts";

type Facts = Omit<Problem, "message" | "severity" | "at"> &
  Partial<Pick<Problem, "severity" | "at">>;

/** A problem whose message is the path and a clause, such as `pace must not be empty`. */
export function problem(facts: Facts, text: string): Problem {
  const { rule, path, severity = "error", at = "value", suggestion, fix, notes } = facts;
  const message = `${formatPath(path)} ${text}`;
  return { rule, severity, at, path, message, suggestion, fix, notes };
}

/** The problem for a broken rule about several keys. @param parent the path of the object with the keys */
export function violationProblem(violation: RuleViolation, parent: Path): Problem {
  const { key, text, ...facts } = violation;
  return problem({ ...facts, path: [...parent, key] }, text);
}

/** The problems of an issue of zod. @param path from the course to the value of the issue */
export function* issueProblems(issue: z.core.$ZodIssue, path: Path): Generator<Problem> {
  const { input } = issue;
  if (issue.code === "custom" && issue.params?.violation !== undefined) {
    yield violationProblem(issue.params.violation, path.slice(0, -1));
    return;
  }
  if (issue.code === "unrecognized_keys") {
    yield* unknownKeys(isObject(input) ? input : {}, issue.keys, path);
    return;
  }
  const key = keyAt(path);
  if (key?.required) {
    const needed = requiredProblem(key, path, input);
    if (needed !== undefined) {
      yield needed;
      return;
    }
  }
  if (issue.code === "too_small") {
    // zod also measures objects that have a `length`; their problem is the type.
    if (typeof input !== "number") return;
    const text = `must be at least ${issue.minimum}, not ${input}`;
    yield problem({ rule: "number-range", path }, text);
  } else if (issue.code === "custom" && issue.params?.describe !== undefined) {
    yield problem({ rule: issue.params.rule, path }, issue.params.describe(input));
  } else if (issue.code === "invalid_format") {
    const fault = checkFormat(issue.format as StringFormat, String(input));
    if (fault !== undefined) yield formatProblem(fault, path);
  } else {
    yield* typeProblems(input, path, shapeAt(path));
  }
}

function formatProblem({ text, isGuess, ...fault }: FormatFault, path: Path): Problem {
  const { suggestion } = fault;
  const isFix = suggestion !== undefined && isGuess !== true;
  return problem({ ...fault, path, fix: isFix ? { path, value: suggestion } : undefined }, text);
}

/** The problem of a required key whose value is missing, null or empty; undefined if it is none of these. */
export function requiredProblem(key: Key, path: Path, value: unknown): Problem | undefined {
  if (value === undefined || value === null) {
    const facts = { rule: "required", path, notes: [formatExample(key)] } as const;
    return value === null
      ? problem(facts, "is required and must not be null")
      : problem({ ...facts, at: "parent" }, "is missing");
  }
  const isEmpty =
    typeof value === "string" ? !/\S/.test(value) : isList(value) && value.length === 0;
  return isEmpty ? problem({ rule: "blank", path }, "must not be empty") : undefined;
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

/** Suggestions take time, and in an object with more unknown keys, the keys are not misspelled. */
const MAX_SUGGESTIONS = 20;

/** The problems of unknown keys, each with the most similar known key as a suggestion. */
export function* unknownKeys(
  object: PlainObject,
  unknown: readonly string[],
  path: Path,
): Generator<Problem> {
  const shape = shapeAt(path);
  if (shape?.kind !== "object") return;
  const free = shape.keys.flatMap(({ name }) => (Object.hasOwn(object, name) ? [] : [name]));
  let isListed = false;
  for (const [index, name] of unknown.entries()) {
    const suggestion = index < MAX_SUGGESTIONS ? closest(name, free) : undefined;
    const isMisspelled = suggestion !== undefined && isMisspelling(name, suggestion);
    const fix = isMisspelled ? { path: [...path, name], name: suggestion } : undefined;
    const shown = formatPath([...path, name]);
    // The list of fields is needed only once for each object.
    const notes: string[] | undefined =
      suggestion === undefined && !isListed ? [listFields(shape)] : undefined;
    isListed ||= notes !== undefined;
    const message =
      name === "<<"
        ? "<< is not supported, because YAML 1.2 has no merge keys; write the fields out"
        : `unknown field ${shown.includes('"') ? shown : `"${shown}"`}${isCutAmount(name) ? CUT : ""}`;
    const facts = { path: [...path, name], message, suggestion, fix, notes };
    yield { rule: "unknown-key", severity: "error", at: "key", ...facts };
  }
}

/** Whether a key is the rest of an amount with a decimal comma: in brackets, `price: 49,90` is a price of 49 and a key 90. */
export function isCutAmount(name: string): boolean {
  return /^\d/.test(name);
}

const CUT = ': a decimal comma ends a value in brackets; write the amount as "49.90"';

/** A longer list would hide the problem. */
const MAX_LISTED = 15;

function listFields({ owner, keys }: Shape & { readonly kind: "object" }): string {
  const names = keys.flatMap(({ name, readOnly }) => (readOnly ? [] : [name]));
  return names.length > MAX_LISTED
    ? `Run "catalog courses init" for all fields of ${owner}.`
    : `The fields of ${owner} are ${joinList(names, "and")}.`;
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
  const expected = describeShape(shape) + example;
  const conversion = convertValue(value, shape);
  const fix = conversion?.isCertain ? { path, value: conversion.value } : undefined;
  if (shape.kind === "enum" && typeof value === "string") {
    const suggestion = conversion === undefined ? undefined : String(conversion.value);
    const text = `must be ${expected}${notValue(value)}`;
    yield problem({ rule: "choice", path, suggestion, fix }, text);
    return;
  }
  const suggestion = conversion && writeSuggestion(conversion.value, shape);
  const rest =
    shape.kind === "string" && suggestion !== undefined
      ? ": put it in quotes"
      : `, not ${describeValue(value)}`;
  yield problem({ rule: "type", path, suggestion, fix }, `must be ${expected}${rest}`);
}

/** A suggested value as it should be written: the string `49.90` needs quotes. */
function writeSuggestion(value: unknown, { kind }: Shape): string | undefined {
  const text = kind === "string" ? JSON.stringify(value) : toFlowYaml(value);
  return text.length > LONGEST_SUGGESTION ? undefined : text;
}

/** A value as YAML on one line: `[{ name: Ada Lovelace }]`. */
function toFlowYaml(value: unknown): string {
  if (isList(value)) return `[${value.map(toFlowYaml).join(", ")}]`;
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, inner]) => `${key}: ${toFlowYaml(inner)}`);
    return `{ ${entries.join(", ")} }`;
  }
  const isPlain =
    typeof value === "string" &&
    /^[\p{L}_][\p{L}\p{N}_ .-]*$/u.test(value) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}

/** A longer suggestion is omitted, because it does not help to see the difference. */
export const LONGEST_SUGGESTION = 200;

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
