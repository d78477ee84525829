/** Walks a value along its shape and reports everything that does not fit. */
import { closest } from "../base/suggest.ts";
import { oneOf } from "../base/text.ts";
import { formatPath, isList, isMapping, type Mapping, type Path } from "../base/values.ts";
import { describe, nameOf, repairedText } from "./describe.ts";
import { formatFault } from "./formats.ts";
import type { Report } from "./problem.ts";
import type { ChoiceShape, Key, NumberShape, ObjectShape, Shape } from "./shape.ts";

/** Reports every problem of a value that is neither undefined nor null. */
export function checkShape(value: unknown, shape: Shape, path: Path, report: Report): void {
  switch (shape.kind) {
    case "text":
      if (typeof value !== "string") {
        wrongType(value, "a text", path, report);
        return;
      }
      if (shape.format !== undefined) {
        const fault = formatFault(shape.format, value);
        if (fault !== undefined) {
          report({ ...fault, path, message: `${formatPath(path)} ${fault.message}` });
        }
      }
      return;
    case "choice":
      checkChoice(value, shape, path, report);
      return;
    case "number":
      checkNumber(value, shape, path, report);
      return;
    case "boolean":
      if (typeof value !== "boolean") wrongType(value, "true or false", path, report);
      return;
    case "paragraphs":
      checkParagraphs(value, path, report);
      return;
    case "list":
      if (!isList(value)) {
        wrongType(value, "a list", path, report);
        return;
      }
      for (const [index, element] of value.entries()) {
        const at = [...path, index];
        if (element === null) wrongType(element, nameOf(shape.of), at, report);
        else checkShape(element, shape.of, at, report);
      }
      return;
    case "object":
      if (!isMapping(value)) {
        wrongType(value, nameOf(shape), path, report);
        return;
      }
      checkObject(value, shape, path, report);
      return;
  }
}

function checkObject(object: Mapping, shape: ObjectShape, path: Path, report: Report): void {
  const known = shape.keys.map((key) => key.name);
  const unknown = Object.keys(object).filter((name) => !known.includes(name));
  reportUnknownKeys(unknown, known, path, report, shape.called);
  for (const key of shape.keys) checkKey(object, key, path, report);
  for (const rule of shape.rules) rule(object, path, report);
}

/** Reports what is wrong with one key of a mapping: missing, blank, or of the wrong shape. */
export function checkKey(object: Mapping, key: Key, path: Path, report: Report): void {
  const value = Object.hasOwn(object, key.name) ? object[key.name] : undefined;
  const at = [...path, key.name];
  if (value === undefined || value === null) {
    if (key.required) {
      const nulled = value === null;
      report({
        rule: "required",
        path: at,
        at: nulled ? "value" : "parent",
        message: nulled
          ? `${formatPath(at)} is required and may not be null`
          : `${formatPath(at)} is missing`,
      });
    }
    return;
  }
  if (key.required && isBlank(value)) {
    report({ rule: "blank", path: at, message: `${formatPath(at)} is blank` });
    return;
  }
  checkShape(value, key.shape, at, report);
}

function isBlank(value: unknown): boolean {
  return typeof value === "string" ? value.trim() === "" : isList(value) && value.length === 0;
}

/** Suggestions cost time, and who writes more unknown keys than this has not mistyped one. */
const MOST_SUGGESTIONS = 20;

/** Reports keys that nobody knows, each with the known one that it resembles. */
export function reportUnknownKeys(
  unknown: readonly string[],
  known: readonly string[],
  path: Path,
  report: Report,
  owner: string,
): void {
  for (const [index, name] of unknown.entries()) {
    const suggestion = index < MOST_SUGGESTIONS ? closest(name, known) : undefined;
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
    });
  }
}

function checkChoice(value: unknown, shape: ChoiceShape, path: Path, report: Report): void {
  if (typeof value !== "string") {
    wrongType(value, nameOf(shape), path, report);
    return;
  }
  if (shape.values.includes(value)) return;
  const suggestion = closest(value, shape.values);
  report({
    rule: "choice",
    path,
    message: `${formatPath(path)} is not one of ${oneOf(shape.values)}`,
    ...(suggestion === undefined ? {} : { suggestion }),
  });
}

function checkNumber(value: unknown, shape: NumberShape, path: Path, report: Report): void {
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
  if (typeof value === "string") return;
  if (!isList(value)) {
    wrongType(value, "a text or a list of texts", path, report);
    return;
  }
  for (const [index, element] of value.entries()) {
    if (typeof element !== "string") wrongType(element, "a text", [...path, index], report);
  }
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
