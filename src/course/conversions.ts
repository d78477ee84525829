/**
 * Converts what people and other systems write into what a course needs:
 *
 *     convertValue("yes", …)     → true, certain
 *     convertValue("en, fr", …)  → ["en", "fr"], certain
 *     keyByOtherName("a course", "courseTitle", …) → name, certain
 */
import { closest, isMisspelling } from "../base/suggest.ts";
import { isList, isObject } from "../base/values.ts";
import { isValid, type Owner, type Shape } from "./shape.ts";
import { checkFormat, videoByAddress } from "./string-formats.ts";

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
  return { value: fault.suggestion, isCertain: fault.isGuess !== true };
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
  { owner, keys }: Extract<Shape, { kind: "object" }>,
): Conversion | undefined {
  if (owner === "a video") {
    return typeof value === "string" && value.length <= LONGEST ? videoByAddress(value) : undefined;
  }
  if (owner === "a certificate" && isYes(value)) {
    return { value: { type: "included" }, isCertain: false };
  }
  const [only, ...others] = keys.filter(({ required }) => required);
  if (only === undefined || others.length > 0 || typeof value !== "string") return undefined;
  const inner = item(value, only.shape);
  if (inner === undefined) return undefined;
  // A string with such a separator may name several people.
  const isSingle = !/[,;/&|\n@]|\s(?:and|und|et|y|e|і|и)\s|:\/\//i.test(value);
  return { value: { [only.name]: inner.value }, isCertain: inner.isCertain && isSingle };
}

function isYes(value: unknown): boolean {
  return value === true || (typeof value === "string" && YES.test(value));
}

/** The keys that another name can mean. Not certain if the name is common for several keys or meanings. */
interface OtherName {
  readonly names: readonly string[];
  readonly isCertain: boolean;
}

const surely = (...names: string[]): OtherName => ({ names, isCertain: true });
const maybe = (...names: string[]): OtherName => ({ names, isCertain: false });

/** For each object, its keys by the names that other systems have for them. */
const OTHER_NAMES: Readonly<Partial<Record<Owner, Readonly<Record<string, OtherName>>>>> = {
  "a course": {
    ...fromEach(surely("name"), "title", "course_name", "course_title"),
    ...fromEach(surely("url"), "link", "href", "permalink", "course_url", "course_link", "website"),
    ...fromEach(surely("audio"), "language", "languages", "lang", "locale", "spoken_languages"),
    ...fromEach(surely("short_description"), "summary", "excerpt", "teaser", "subtitle"),
    ...fromEach(surely("long_description"), "full_description", "description_long"),
    ...fromEach(maybe("long_description"), "content", "body"),
    description: maybe("long_description", "short_description"),
    ...fromEach(surely("instructors"), "instructor", "teacher", "teachers", "lecturers", "author"),
    ...fromEach(surely("prices"), "price", "pricing"),
    ...fromEach(surely("image_url"), "image", "thumbnail", "cover", "picture"),
    ...fromEach(surely("subtitles_text"), "subtitles", "captions"),
    ...fromEach(surely("provider_rating"), "rating"),
    ...fromEach(surely("number_of_lessons"), "lessons", "lesson_count", "lessons_count"),
    ...fromEach(maybe("duration_in_hours"), "duration", "hours", "length"),
    ...fromEach(surely("level"), "levels", "difficulty", "difficulty_level"),
    ...fromEach(maybe("syllabus"), "curriculum", "modules", "chapters", "outline"),
    ...fromEach(surely("what_you_will_learn"), "learning_outcomes", "learning_objectives"),
    ...fromEach(maybe("what_you_will_learn"), "objectives", "outcomes", "skills", "topics"),
  },
  "a topic": { ...fromEach(surely("title"), "name", "heading") },
  "a syllabus item": { ...fromEach(surely("title"), "name", "heading") },
  "an instructor": { ...fromEach(surely("name"), "title", "full_name") },
  "an organization": { ...fromEach(surely("name"), "title") },
  "a video": { ...fromEach(surely("url"), "link", "href", "src") },
  "a price": { ...fromEach(surely("price"), "amount", "value", "cost") },
};

function fromEach(target: OtherName, ...names: string[]): Record<string, OtherName> {
  return Object.fromEntries(names.map((name) => [name, target]));
}

const LONGEST_NAME = 64;

/** The key that another name means, of the `free` keys that the object lacks: `title` of a course is `name`. */
export function keyByOtherName(
  owner: Owner,
  name: string,
  free: readonly string[],
): { readonly name: string; readonly isCertain: boolean } | undefined {
  const folded = name
    .slice(0, LONGEST_NAME)
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/[\s-]+/g, "_")
    .toLowerCase();
  const known = OTHER_NAMES[owner] ?? {};
  const found = Object.hasOwn(known, folded) ? known[folded] : undefined;
  if (found === undefined) return undefined;
  const [first, ...others] = found.names.filter((candidate) => free.includes(candidate));
  if (first === undefined) return undefined;
  // If a name can mean two keys and the object has one of them, the other key is meant.
  const isOnly = found.names.length > 1 && others.length === 0;
  return { name: first, isCertain: found.isCertain || isOnly };
}
