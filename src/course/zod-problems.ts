/** Turns what zod reports into problems: rule, position, message, suggestion and notes. */
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
import { convertValue, keyByOtherName } from "./conversions.ts";
import { keyAt, shapeAt } from "./fields.ts";
import type { Problem } from "./problem.ts";
import type { RuleViolation } from "./rules.ts";
import { describeShape, type Key, type Owner, type Shape } from "./shape.ts";
import { checkFormat, type FormatFault, type StringFormat } from "./string-formats.ts";

type Facts = Omit<Problem, "message" | "severity" | "at"> &
  Partial<Pick<Problem, "severity" | "at">>;

/** A problem whose message is its path and a clause about it. */
export function problem(facts: Facts, text: string): Problem {
  const { rule, path, severity = "error", at = "value", suggestion, fix, notes } = facts;
  const message = `${formatPath(path)} ${text}`;
  return { rule, severity, at, path, message, suggestion, fix, notes };
}

/** The problem of an object that breaks a rule. @param parent the path of the object */
export function violationProblem(violation: RuleViolation, parent: Path): Problem {
  const { key, text, replacement, ...facts } = violation;
  const fix = replacement && { path: parent, value: replacement };
  return problem({ ...facts, fix, path: [...parent, key] }, text);
}

/** The problems of one issue. @param path of the issue, from the course */
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
    // zod also measures objects with a length that are not lists; their problem is the type.
    if (typeof input !== "number") return;
    const text = `must be at least ${issue.minimum} (is ${input})`;
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

/** What is wrong with a required key of this value: missing, null or empty. */
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

/** How a key can be written, as YAML. */
function formatExample({ name, shape, example }: Key): string {
  if (shape.kind === "enum") return `Allowed values of ${name}: ${shape.values.join(", ")}.`;
  return `For example, ${name}: ${typeof example === "string" ? scalar(example) : JSON.stringify(example)}`;
}

/** A string as YAML: in quotes if it would mean something else without them. */
function scalar(text: string): string {
  return /^[A-Za-z](?!.*(?:: |:$| #))/.test(text) || isUuid(text) ? text : JSON.stringify(text);
}

/** Suggestions take time, and an object with more unknown keys than this has no typing mistake. */
const MOST_SUGGESTIONS = 20;

/** The problems of unknown keys, each with the known key that it resembles. */
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
    const found = index < MOST_SUGGESTIONS ? findKey(shape.owner, name, free) : undefined;
    const suggestion = found?.name;
    const fix = found?.isCertain ? { path: [...path, name], name: found.name } : undefined;
    const shown = formatPath([...path, name]);
    // Once per object is enough.
    const notes: string[] | undefined =
      suggestion === undefined && !isListed ? [listFields(shape)] : undefined;
    isListed ||= notes !== undefined;
    yield {
      rule: "unknown-key",
      severity: "error",
      at: "key",
      path: [...path, name],
      message:
        name === "<<"
          ? "<< is not supported: YAML 1.2 has no merge keys; write the keys out"
          : `unknown field ${shown.includes('"') ? shown : `"${shown}"`}`,
      suggestion,
      fix,
      notes,
    };
  }
}

/** The key that an unknown one was intended to be. */
function findKey(owner: Owner, name: string, free: readonly string[]) {
  const other = keyByOtherName(owner, name, free);
  if (other !== undefined) return other;
  const near = closest(name, free);
  return near === undefined ? undefined : { name: near, isCertain: isMisspelling(name, near) };
}

function listFields({ owner, keys }: Shape & { readonly kind: "object" }): string {
  const names = keys.flatMap(({ name, readOnly }) => (readOnly ? [] : [name]));
  return `The fields of ${owner} are ${joinList(names, "and")}.`;
}

/** The problems of a value of the wrong type, or of a string that is not one of the allowed values. */
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
    yield problem({ rule: "choice", path, suggestion, fix }, `must be ${expected}`);
    return;
  }
  const suggestion = conversion && writeSuggestion(conversion.value, shape);
  const rest =
    shape.kind === "string" && suggestion !== undefined
      ? ": put it in quotes"
      : `, not ${describe(value)}`;
  yield problem({ rule: "type", path, suggestion, fix }, `must be ${expected}${rest}`);
}

/** A value as it should be written: a string that looks like a number needs its quotes. */
function writeSuggestion(value: unknown, { kind }: Shape): string | undefined {
  const text = kind === "string" ? JSON.stringify(value) : toFlowYaml(value);
  return text.length > LONGEST_SUGGESTION ? undefined : text;
}

/** A value as YAML in brackets, as it would be written. */
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

/** A longer suggestion does not help to see the difference. */
export const LONGEST_SUGGESTION = 200;

function describe(value: unknown): string {
  if (typeof value === "string") return "a string";
  if (isList(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return Number.isFinite(value) ? "a number" : String(value);
}

/** The required keys with their examples, or else the first key. */
function formatSample(keys: readonly Key[]): string {
  const needed = keys.filter((key) => key.required);
  const shown = needed.length > 0 ? needed : keys.slice(0, 1);
  return shown.map(({ name, example }) => `${name}: ${example}`).join(", ");
}
