/**
 * Says what is wrong where the schema of a course finds an issue, and what was probably meant: `self-paced` as a pace has
 * the problem `pace must be self_paced or instructor_paced, not "self-paced"` with the suggestion `self_paced`.
 */
import * as z from "zod/mini";
import { closest, findSlip, joinList, pluralize, truncateJson } from "../base/text.ts";
import { formatPath, isList, isObject, type Path, valueAt } from "../base/values.ts";
import { keyAt, namedPath, shapeAt } from "./fields.ts";
import { type Problem, problemAt } from "./problem.ts";
import { readValue } from "./read-value.ts";
import { describeShape, type Key, type Shape } from "./shape.ts";
import { UNIQUE_FIELDS } from "./special-fields.ts";
import { formatProblem, notText } from "./string-formats.ts";

type Issue = z.core.$ZodIssue;

/**
 * The problems of an issue: several, if an object has several unknown keys or a text is a list of paragraphs.
 *
 * @param root the value that the schema read
 * @param start the path of the value in the course
 */
export function problemsOf(issue: Issue, root: unknown, start: Path): readonly Problem[] {
  const inside = issue.path as Path;
  const path = [...start, ...inside];
  const value = valueAt(root, inside);
  if (issue.code === "unrecognized_keys") return unknownKeys(value, issue.keys, path);
  if (issue.code === "invalid_union" && isList(value)) return itemProblems(issue, value, path);
  const key = inside.length > 0 ? keyAt(path) : undefined;
  if (key !== undefined && (value ?? null) === null) {
    const parent = inside.slice(0, -1);
    const isUnset =
      typeof parent.at(-1) === "string" &&
      isAllNull(valueAt(root, parent), shapeAt(path.slice(0, -1)));
    return isUnset ? [] : [missingProblem(key, value, path)];
  }
  if (key?.required && isBlank(value)) return [problemAt(path, "blank", BLANK)];
  const shape = key?.shape ?? shapeAt(path);
  if (shape === undefined) return [];
  const isEmptyText = shape.kind === "string" && key?.isExpected && isBlank(value);
  return [isEmptyText ? problemAt(path, "incomplete", BLANK) : valueProblem(value, shape, path)];
}

/** The problems of a list of paragraphs, for which the schema also names why it is not a string. */
function itemProblems({ errors }: z.core.$ZodIssueInvalidUnion, list: unknown, path: Path) {
  const issues = errors.find((option) => option.every((issue) => issue.path.length > 0)) ?? [];
  return issues.flatMap((issue) => problemsOf(issue, list, path));
}

const BLANK = "must not be empty";

function isBlank(value: unknown): boolean {
  return isList(value) ? value.length === 0 : typeof value === "string" && !/\S/.test(value);
}

/** What is wrong with a value: neither absent nor null, and without parts, or of another type than its shape. */
function valueProblem(value: unknown, shape: Shape, path: Path): Problem {
  if (shape.kind === "number" && Number.isFinite(value)) return numberProblem(Number(value), path);
  if (shape.kind === "list" && isList(value)) return problemAt(path, "blank", BLANK);
  if (typeof value !== "string") return typeProblem(value, shape, path);
  if (shape.kind === "enum") return choiceProblem(value, shape.values, path);
  if (shape.kind !== "string") return typeProblem(value, shape, path);
  if (shape.format !== undefined) return formatProblem(shape.format, value, path);
  return problemAt(path, "blank", BLANK);
}

/** The problem of a number that is right, but probably not meant; undefined if it has none. */
export function unlikelyNumber(value: unknown, shape: Shape, path: Path): Problem | undefined {
  if (shape.kind !== "number" || shape.probably === undefined || typeof value !== "number")
    return undefined;
  const { minimum, isWhole } = shape.probably;
  if (!Number.isFinite(value)) return undefined;
  if (isWhole && !Number.isInteger(value)) {
    return problemAt(path, "whole-number", `must be a whole number, not ${value}`);
  }
  if (value >= minimum) return undefined;
  return problemAt(path, "number-range", `must be at least ${minimum}, not ${value}`);
}

function numberProblem(value: number, path: Path): Problem {
  if (!Number.isInteger(value))
    return problemAt(path, "type", `must be a whole number, not ${value}`);
  // 9007199254740993 is read as 9007199254740992.
  const text = `is too large to be exact: the largest exact number is ${Number.MAX_SAFE_INTEGER}`;
  return problemAt(path, "inexact-number", text);
}

/** What is wrong where a required key is absent or null. */
function missingProblem({ name, example }: Key, value: unknown, path: Path): Problem {
  const notes = exampleNotes(name, example);
  if (value === null)
    return problemAt(path, "required", "is required and must not be null", { notes });
  return problemAt(path, "required", "is missing", { at: "parent", notes });
}

export function exampleNotes(name: string, example: unknown): string[] {
  return [`For example: ${name}: ${JSON.stringify(example)}`];
}

/** Whether a value is an object with known keys that are all null, as the service may return what was never set. */
export function isAllNull(value: unknown, shape: Shape | undefined): boolean {
  if (shape?.kind !== "object" || !isObject(value)) return false;
  const names = Object.keys(value);
  const isNull = (name: string): boolean =>
    (value[name] ?? null) === null && shape.byName.has(name);
  return names.length > 0 && names.every(isNull);
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

/** The value itself if it is right, or else what it can only mean; undefined if that is not certain. */
function certainValue(value: unknown, shape: Shape): unknown {
  if (shape.kind === "object") return undefined;
  if (z.validate(shape.schema, value)) {
    return unlikelyNumber(value, shape, []) === undefined ? value : undefined;
  }
  const { fix } = valueProblem(value, shape, []);
  return fix !== undefined && "value" in fix ? fix.value : undefined;
}

/** An example of what has parts, because people may not know how to write it: `, such as ["en"]`. */
function exampleText(shape: Shape, path: Path): string {
  const isList = shape.kind === "list" && shape.of.kind !== "enum";
  const example = isList || shape.kind === "object" ? keyAt(path)?.example : undefined;
  return example === undefined ? "" : `, such as ${JSON.stringify(example)}`;
}

/** What a value is, for messages: `"Beginner"`, `a list`, `true`. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return truncateJson(value);
  if (isList(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return Number.isFinite(value) ? "a number" : String(value);
}

/** The problems of unknown keys, each with the most similar known key as a suggestion. */
function unknownKeys(object: unknown, unknown: readonly string[], path: Path): Problem[] {
  const shape = shapeAt(path);
  const keys = shape?.kind === "object" ? shape.keys : [];
  const isCourse = path.length === 0;
  const free = keys.flatMap(({ name }) => (Object.hasOwn(Object(object), name) ? [] : [name]));
  const facts = { rule: "unknown-field", severity: "error", at: "key" } as const;
  const problems = unknown.slice(0, MOST_UNKNOWN).map((name, index): Problem => {
    const meant = findSlip(name, free);
    // Another id or key would make it another course.
    const isFixed =
      meant !== undefined && !(isCourse && UNIQUE_FIELDS.some((field) => field === meant));
    const suggestion = meant ?? findSynonym(name, free) ?? closest(name, free);
    const place = [...path, name];
    const shown = formatPath(place);
    const advice = /^\d/.test(name)
      ? ': a decimal comma ends a value in brackets; write the amount as "49.90"'
      : isCourse && namedPath(name).length > 1
        ? PATH_TEXT
        : spaceText(name);
    const message = `unknown field ${shown.includes('"') ? shown : `"${shown}"`}${advice}`;
    const fix = isFixed ? { path: place, name: meant } : undefined;
    const notes = index === 0 && suggestion === undefined ? fieldsNotes(name, isCourse) : undefined;
    return { ...facts, path: place, message, suggestion, fix, notes };
  });
  const next = unknown[MOST_UNKNOWN];
  if (next === undefined) return problems;
  const message = pluralize(unknown.length - MOST_UNKNOWN, "more unknown field");
  return [...problems, { ...facts, path: [...path, next], message }];
}

/** Unknown fields of one object that are reported one by one. */
const MOST_UNKNOWN = 20;

function fieldsNotes(name: string, isCourse: boolean): string[] {
  const isShort = isCourse && /^[\p{L}\d_-]{1,40}$/u.test(name);
  const keep = isShort ? [`To keep it as a note that is never sent, call it "x-${name}".`] : [];
  return [...keep, 'Run "catalog courses init" for all fields of a course.'];
}

const PATH_TEXT =
  ": only update accepts a path, if the course has this value and no other field sets it";

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

/** What is wrong with a name that contains a space other than U+0020, which looks the same. */
function spaceText(name: string): string {
  const [space = ""] = /[^\S \t\r\n]/.exec(name) ?? [];
  const code = space.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return space === "" ? "" : `: it has the space U+${code}, which looks like an ordinary space`;
}
