/** The shapes of single values. */
import * as z from "zod/mini";
import { isList, memoize } from "../base/values.ts";
import type { RuleId } from "./problem.ts";
import { type Schema, type Shape, withKeywords } from "./shape.ts";
import { checkFormat, NOT_BLANK, type StringFormat } from "./string-formats.ts";

export const string: Shape = { kind: "string", schema: memoize(() => z.string()) };
/** A string with at least one character that is not whitespace. */
export const nonEmptyString: Shape = {
  kind: "string",
  schema: memoize(() => z.string().check(z.regex(/\S/))),
};

/** A string with at most `maximum` characters, and one that is not whitespace. */
export function shortString(maximum: number): Shape {
  const build = (): Schema => {
    const isFilled = refine(
      (text) => /\S/.test(String(text)),
      "blank",
      () => "must not be empty",
    );
    const isShort = refine(
      (text) => isAtMost(String(text), maximum),
      "too-long",
      (text) => `must have at most ${maximum} characters, not ${[...String(text)].length}`,
    );
    const schema = z.string().check(isFilled, isShort);
    return withKeywords(schema, { pattern: NOT_BLANK, maxLength: maximum });
  };
  return { kind: "string", schema: memoize(build) };
}

/** A check of a value. @param describe returns what is wrong, as a clause that follows the path */
function refine(
  isRight: (value: unknown) => boolean,
  rule: RuleId,
  describe: (value: unknown) => string,
) {
  return z.refine(isRight, { params: { rule, describe } });
}

/** Whether a string has at most `maximum` characters. Counts code points, as JSON Schema does. */
function isAtMost(text: string, maximum: number): boolean {
  return text.length <= maximum || (text.length <= 2 * maximum && [...text].length <= maximum);
}

export const url = stringWithFormat("url");
export const language = stringWithFormat("language");
export const currency = stringWithFormat("currency");
export const amount = stringWithFormat("amount");
export const uuid = stringWithFormat("uuid");

function stringWithFormat(format: StringFormat): Shape {
  const isRight = (value: string): boolean => checkFormat(format, value) === undefined;
  return { kind: "string", format, schema: memoize(() => z.stringFormat(format, isRight)) };
}

export const boolean: Shape = { kind: "boolean", schema: memoize(() => z.boolean()) };

export function choice(...values: [string, ...string[]]): Shape {
  return { kind: "enum", values, schema: memoize(() => z.enum(values)) };
}

/** A number whose digits are not lost when it is read: 9007199254740993 is read as 9007199254740992. */
const exactNumber = () =>
  z.number().check(
    refine(
      (value) => !Number.isInteger(value) || Number.isSafeInteger(value),
      "inexact-number",
      () => `is too large to be exact: at most ${Number.MAX_SAFE_INTEGER} is`,
    ),
  );

export const number: Shape = { kind: "number", integer: false, schema: memoize(exactNumber) };

export function numberFrom(minimum: number): Shape {
  const build = (): Schema => exactNumber().check(z.minimum(minimum));
  return { kind: "number", integer: false, minimum, schema: memoize(build) };
}

/** A whole number of at least `minimum`. Not `z.int`, whose issue says nothing about the rule. */
export function integerFrom(minimum: number): Shape {
  const build = (): Schema => {
    const isInteger = refine(
      Number.isInteger,
      "whole-number",
      (value) => `must be a whole number, not ${value}`,
    );
    const schema = exactNumber().check(z.minimum(minimum), isInteger);
    return withKeywords(schema, { type: "integer" });
  };
  return { kind: "number", integer: true, minimum, schema: memoize(build) };
}

/** A string, or a list of strings (paragraphs). Not a union, which collects an issue for each of millions of items. */
export const paragraphs: Shape = {
  kind: "paragraphs",
  of: string,
  schema: memoize(() => {
    const isText = (value: unknown): boolean => typeof value === "string";
    return withKeywords(
      z.custom((value) => isText(value) || (isList(value) && value.every(isText))),
      { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    );
  }),
};
