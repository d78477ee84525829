/**
 * Converts what people and other systems write into what a course needs:
 *
 *     convertValue("yes", …)     → true, certain
 *     convertValue("en, fr", …)  → ["en", "fr"], certain
 */
import { closest } from "../base/suggest.ts";
import { isObject } from "../base/values.ts";
import { LONGEST_SUGGESTION } from "./problem.ts";
import { isValid } from "./schema.ts";
import type { ObjectShape, Shape, StringShape } from "./shape.ts";
import { checkFormat } from "./string-formats.ts";

export interface Conversion {
  readonly value: unknown;
  /** Whether no other value can be meant, so that `--fix` may apply it. */
  readonly isCertain: boolean;
}

/** The value that was probably intended; undefined if there is none. Items of a list are checked afterwards. */
export function convertValue(value: unknown, shape: Shape): Conversion | undefined {
  if (shape.kind === "list") return convertToList(value, shape.of);
  if (shape.kind === "string") return convertToString(value, shape);
  if (typeof value !== "string") return undefined;
  if (shape.kind === "object") return convertToObject(value, shape);
  if (shape.kind === "enum") return convertToChoice(value, shape.values);
  if (shape.kind === "number") return convertToNumber(value, shape);
  return shape.kind === "boolean" ? convertToBoolean(value) : undefined;
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

function convertToString(value: unknown, { format }: StringShape): Conversion | undefined {
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
  return found === undefined ? undefined : certain(found);
}

/** A single value where a list is expected. Several codes or words may be in one string: `"en, fr"`. */
function convertToList(value: unknown, of: Shape): Conversion | undefined {
  if (isObject(value)) return of.kind === "object" ? certain([value]) : undefined;
  if (typeof value !== "string" || value.length > LONGEST_SUGGESTION) return undefined;
  // A name such as "Portuguese (Brazil)" may contain a comma.
  const single = convertToItem(value, of);
  const parts = single === undefined ? value.split(/[,;|/]/) : [];
  const items =
    single === undefined ? parts.map((part) => convertToItem(part.trim(), of)) : [single];
  const found = items.filter((one) => one !== undefined);
  if (found.length < items.length) return undefined;
  return { value: found.map((one) => one.value), isCertain: found.every((one) => one.isCertain) };
}

function convertToItem(value: string, shape: Shape): Conversion | undefined {
  return isValid(value, shape) ? certain(value) : convertValue(value, shape);
}

/** A text where an object is expected that needs only one: `Casting on` as a lesson is its title. */
function convertToObject(text: string, { keys }: ObjectShape): Conversion | undefined {
  const [only, ...others] = keys.filter(({ required }) => required);
  if (only?.shape.kind !== "string" || others.length > 0 || !isValid(text, only.shape)) {
    return undefined;
  }
  // A text with such a separator may name several people.
  const isSingle = !/[,;/&|\n@]|\s(?:and|und|et|y|e|і|и)\s|:\/\//i.test(text);
  return { value: { [only.name]: text }, isCertain: isSingle };
}
