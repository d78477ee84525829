/** Walks a value along its shape and reports everything that does not fit. */
import { closest } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import { formatPath, isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { describe, nameOf, repairedText } from "./describe.ts";
import { formatFault } from "./formats.ts";
import type { Report } from "./problem.ts";
import type {
  ChoiceShape,
  Key,
  KnownKeys,
  ListShape,
  NumberShape,
  ObjectShape,
  Shape,
  TextShape,
} from "./shape.ts";

/** The path of a value, made only when there is something to say of it or within it. */
function pathOf(parent: Path, step: Step): Path {
  return [...parent, step];
}

type Step = Path[number];

/**
 * Reports every problem of a value that is neither undefined nor null.
 *
 * @param step the value's place in what stands at `parent`
 */
export function checkShape(
  value: unknown,
  shape: Shape,
  parent: Path,
  step: Step,
  report: Report,
): void {
  switch (shape.kind) {
    case "text":
      if (typeof value !== "string") {
        wrongText(value, shape, pathOf(parent, step), report);
        return;
      }
      if (shape.format !== undefined) {
        const fault = formatFault(shape.format, value);
        if (fault !== undefined) {
          const path = pathOf(parent, step);
          report({ ...fault, path, message: `${formatPath(path)} ${fault.message}` });
        }
      }
      return;
    case "choice":
      if (typeof value !== "string" || !shape.values.includes(value)) {
        reportChoice(value, shape, pathOf(parent, step), report);
      }
      return;
    case "number":
      if (!isNumberOf(value, shape)) reportNumber(value, shape, pathOf(parent, step), report);
      return;
    case "boolean":
      if (typeof value !== "boolean") {
        wrongType(value, "true or false", pathOf(parent, step), report);
      }
      return;
    case "paragraphs":
      if (typeof value !== "string") checkParagraphs(value, pathOf(parent, step), report);
      return;
    case "list":
      checkList(value, shape, pathOf(parent, step), report);
      return;
    case "object":
      checkObject(value, shape, pathOf(parent, step), report);
      return;
  }
}

function checkList(value: unknown, shape: ListShape, path: Path, report: Report): void {
  if (!isList(value)) {
    wrongType(value, "a list", path, report);
    return;
  }
  for (const [index, element] of value.entries()) {
    if (element === null) wrongType(element, nameOf(shape.of), pathOf(path, index), report);
    else checkShape(element, shape.of, path, index, report);
  }
}

function checkObject(value: unknown, shape: ObjectShape, path: Path, report: Report): void {
  if (!isObject(value)) {
    wrongType(value, nameOf(shape), path, report);
    return;
  }
  reportUnknownKeys(value, shape.known, path, report);
  for (const key of shape.keys) checkKey(value, key, path, report);
  for (const rule of shape.rules) rule.check(value, path, report);
}

/** Reports what is wrong with one key of a mapping: missing, blank, or of the wrong shape. */
export function checkKey(object: PlainObject, key: Key, parent: Path, report: Report): void {
  const value = Object.hasOwn(object, key.name) ? object[key.name] : undefined;
  if (value === undefined || value === null) {
    if (key.required) reportAbsent(value, key, pathOf(parent, key.name), report);
    return;
  }
  if (key.required && isBlank(value)) {
    const path = pathOf(parent, key.name);
    report({ rule: "blank", path, message: `${formatPath(path)} is blank` });
    return;
  }
  checkShape(value, key.shape, parent, key.name, report);
}

function reportAbsent(value: null | undefined, key: Key, path: Path, report: Report): void {
  const [at, message] =
    value === null
      ? (["value", `${formatPath(path)} is required and may not be null`] as const)
      : (["parent", `${formatPath(path)} is missing`] as const);
  report({ rule: "required", path, at, message, notes: [exampleOf(key)] });
}

/** How a key may be written, as YAML. */
function exampleOf({ name, shape, example }: Key): string {
  if (shape.kind === "choice") return `${name} is one of ${joinList(shape.values)}.`;
  return `For example, ${name}: ${typeof example === "string" ? example : JSON.stringify(example)}`;
}

function isBlank(value: unknown): boolean {
  return typeof value === "string" ? !/\S/.test(value) : isList(value) && value.length === 0;
}

/** Suggestions cost time, and who writes more unknown keys than this has not mistyped one. */
const MOST_SUGGESTIONS = 20;

/** Reports keys that nobody knows, each with the known one that it resembles. */
export function reportUnknownKeys(
  object: PlainObject,
  { owner, names, offered }: KnownKeys,
  path: Path,
  report: Report,
): void {
  let told = 0;
  for (const name of Object.keys(object)) {
    if (names.has(name)) continue;
    const helped = told++ < MOST_SUGGESTIONS;
    // A key that is there already was not meant.
    const free = helped ? [...names].filter((known) => !Object.hasOwn(object, known)) : [];
    const suggestion = closest(name, free);
    // Once in an object is enough.
    const notes = told === 1 && suggestion === undefined ? [keysOf(owner, offered)] : undefined;
    const message =
      name === "<<"
        ? "<< is not a key of a course, and YAML 1.2 has no merge keys: write the keys out"
        : `${formatPath([...path, name])} is not a key of ${owner}`;
    report({
      rule: "unknown-key",
      at: "key",
      path: [...path, name],
      message,
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(notes === undefined ? {} : { notes }),
    });
  }
}

function keysOf(owner: string, offered: readonly string[]): string {
  return `The keys of ${owner} are ${joinList(offered, "and")}.`;
}

function reportChoice(value: unknown, shape: ChoiceShape, path: Path, report: Report): void {
  if (typeof value !== "string") {
    wrongType(value, nameOf(shape), path, report);
    return;
  }
  const suggestion = closest(value, shape.values);
  report({
    rule: "choice",
    path,
    message: `${formatPath(path)} is not one of ${joinList(shape.values)}`,
    ...(suggestion === undefined ? {} : { suggestion }),
  });
}

function isNumberOf(value: unknown, { least, whole }: NumberShape): boolean {
  return (
    typeof value === "number" &&
    Number.isFinite(value) &&
    !(whole && !Number.isInteger(value)) &&
    (least === undefined || value >= least)
  );
}

function reportNumber(value: unknown, shape: NumberShape, path: Path, report: Report): void {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    wrongType(value, nameOf(shape), path, report);
    return;
  }
  if (shape.whole && !Number.isInteger(value)) {
    report({
      rule: "whole-number",
      path,
      message: `${formatPath(path)} is ${value}, not a whole number`,
    });
  }
  if (shape.least !== undefined && value < shape.least) {
    report({
      rule: "number-range",
      path,
      message: `${formatPath(path)} is ${value}, but at least ${shape.least} is allowed`,
    });
  }
}

function checkParagraphs(value: unknown, path: Path, report: Report): void {
  if (!isList(value)) {
    wrongType(value, "a text or a list of texts", path, report);
    return;
  }
  for (const [index, element] of value.entries()) {
    if (typeof element !== "string") wrongType(element, "a text", [...path, index], report);
  }
}

/** A number or boolean where a text belongs only lacks its quotation marks, if that text is right. */
function wrongText(value: unknown, { format }: TextShape, path: Path, report: Report): void {
  const repaired = repairedText(value, "a text");
  const message = `${formatPath(path)} is ${describe(value)}, not a text`;
  // What cannot be repaired may be a mapping, which not even `String` can make a text of.
  const fits =
    repaired !== undefined &&
    (format === undefined || formatFault(format, String(value)) === undefined);
  report({ rule: "type", path, message, ...(fits ? { suggestion: repaired } : {}) });
}

function wrongType(value: unknown, expected: string, path: Path, report: Report): void {
  const repaired = repairedText(value, expected);
  report({
    rule: "type",
    path,
    message: `${formatPath(path)} is ${describe(value)}, not ${expected}`,
    ...(repaired === undefined ? {} : { suggestion: repaired }),
  });
}
