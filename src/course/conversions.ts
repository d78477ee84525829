/**
 * Converts what people and other systems write into what a course needs:
 *
 *     convertValue("yes", …)     → true, certain
 *     convertValue("en, fr", …)  → ["en", "fr"], certain
 */
import { closest, isMisspelling } from "../base/suggest.ts";
import { isList, isObject } from "../base/values.ts";
import { isValid } from "./schema.ts";
import type { Shape } from "./shape.ts";
import { checkFormat } from "./string-formats.ts";

export interface Conversion {
  readonly value: unknown;
  /** Whether no other value can be meant, so that `--fix` may apply it. */
  readonly isCertain: boolean;
}

/** The valid value that was probably intended; undefined if there is none. */
export function convertValue(value: unknown, shape: Shape): Conversion | undefined {
  const converted = convert(value, shape);
  // The other conversions always give valid values, and zod takes time to refuse a value.
  if (converted === undefined || typeof converted.value !== "object") return converted;
  // If an object only lacks the list around it, its other problems are reported and fixed afterwards.
  const isWrapped = isList(converted.value) && converted.value[0] === value && isObject(value);
  return isWrapped || isValid(converted.value, shape) ? converted : undefined;
}

/** People do not write a longer string by accident where a list or an object is needed. */
const LONGEST = 1000;

function convert(value: unknown, shape: Shape): Conversion | undefined {
  switch (shape.kind) {
    case "string":
      return convertToString(value, shape);
    case "enum":
      return typeof value === "string" ? convertToChoice(value, shape.values) : undefined;
    case "number":
      return typeof value === "string" ? convertToNumber(value, shape) : undefined;
    case "boolean":
      return typeof value === "string" ? convertToBoolean(value) : undefined;
    case "list":
      return convertToList(value, shape);
    case "object":
      return convertToObject(value, shape);
    default:
      return undefined;
  }
}

function certain(value: unknown): Conversion {
  return { value, isCertain: true };
}

const YES = /^(?:true|yes|on|wahr|ja|vrai|oui|verdadero|s[ií])$/i;
const NO = /^(?:false|no|off|falsch|nein|faux|non|falso)$/i;

function convertToBoolean(written: string): Conversion | undefined {
  if (YES.test(written)) return certain(true);
  return NO.test(written) ? certain(false) : undefined;
}

/** A number that is written as text: `"7.5"`, or `"7,5"` with one or two decimal places. */
function convertToNumber(written: string, shape: Shape): Conversion | undefined {
  if (!/^-?\d+(?:\.\d+|,\d\d?)?$/.test(written)) return undefined;
  const value = Number(written.replace(",", "."));
  return isValid(value, shape) ? certain(value) : undefined;
}

function convertToString(
  value: unknown,
  { format }: Extract<Shape, { kind: "string" }>,
): Conversion | undefined {
  if (typeof value === "boolean" || Number.isFinite(value)) {
    const text = String(value);
    const fits = format === undefined || checkFormat(format, text) === undefined;
    return fits ? { value: text, isCertain: typeof value === "number" } : undefined;
  }
  if (typeof value !== "string" || format === undefined) return undefined;
  const fault = checkFormat(format, value);
  if (fault?.suggestion === undefined) return fault === undefined ? certain(value) : undefined;
  return { value: fault.suggestion, isCertain: fault.fixed !== undefined };
}

function convertToChoice(value: string, values: readonly string[]): Conversion | undefined {
  const found = closest(value, values);
  return found === undefined ? undefined : { value: found, isCertain: isMisspelling(value, found) };
}

/** A single value where a list is expected. Several codes or words may be in one string: `"en, fr"`. */
function convertToList(
  value: unknown,
  { of }: Extract<Shape, { kind: "list" }>,
): Conversion | undefined {
  if (isList(value) || value === null || value === undefined) return undefined;
  if (isObject(value)) return of.kind === "object" ? certain([value]) : undefined;
  const isShort = typeof value === "string" && value.length <= LONGEST;
  const isWord = of.kind === "enum" || (of.kind === "string" && of.format !== undefined);
  // A name such as "Portuguese (Brazil)" may contain a comma.
  const single = isShort && isWord ? item(value, of) : undefined;
  const parts =
    isShort && isWord && single === undefined
      ? value.split(/[,;|/]/).map((part) => part.trim())
      : [value];
  const items = parts.map((part) => item(part, of));
  const found = items.filter((one) => one !== undefined);
  if (found.length < items.length) return undefined;
  return { value: found.map((one) => one.value), isCertain: found.every((one) => one.isCertain) };
}

function item(value: unknown, shape: Shape): Conversion | undefined {
  return isValid(value, shape) ? certain(value) : convertValue(value, shape);
}

function convertToObject(
  value: unknown,
  { keys }: Extract<Shape, { kind: "object" }>,
): Conversion | undefined {
  const [only, ...others] = keys.filter(({ required }) => required);
  if (only === undefined || others.length > 0 || typeof value !== "string") return undefined;
  const inner = item(value, only.shape);
  if (inner === undefined) return undefined;
  // A string with such a separator may name several people.
  const isSingle = !/[,;/&|\n@]|\s(?:and|und|et|y|e|і|и)\s|:\/\//i.test(value);
  return { value: { [only.name]: inner.value }, isCertain: inner.isCertain && isSingle };
}
