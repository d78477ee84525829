/** Writes a course as the text of a course file, always in the same order and style. */
import { Document, isSeq } from "yaml";
import { isUuid } from "../base/uuid.ts";
import { isList, isObject, memoize, type PlainObject } from "../base/values.ts";
import { pickGivenKeys } from "../course/difference.ts";
import { isPrivateKey, PROVIDER_KEY } from "../course/field-names.ts";
import { COURSE_SHAPE } from "../course/fields.ts";
import type { FileFormat } from "./parse.ts";

/** How a course's file differs from the complete one. */
export interface CourseTextOptions {
  /** What the file names its provider by, instead of `provider_id`. */
  readonly provider?: string | undefined;
  /** Whether the id is left out. */
  readonly withoutId?: boolean;
  /** Values of the fields that the file leaves out, from a defaults file: null overrides them. */
  readonly defaults?: PlainObject;
}

/** The text of a course's file. Reading it gives the values of `fileCourse`. */
export function courseText(
  course: PlainObject,
  format: FileFormat,
  options: CourseTextOptions = {},
): string {
  const written = fileCourse(course, options);
  if (format === "yaml") return yamlText(written);
  return `${JSON.stringify(written, null, 2)}\n`.replace(INVISIBLE, escapeCharacter);
}

/**
 * A course as its file contains it: the writable fields in a fixed order, without nulls, without the
 * slug, which the service generates, and without keys that push would refuse; then private keys.
 *
 * @param course a course as the service returns it
 */
export function fileCourse(
  course: PlainObject,
  { provider, withoutId = false, defaults = {} }: CourseTextOptions = {},
): PlainObject {
  const left = withoutId ? { ...course, id: null } : course;
  const own = Object.entries(course).filter(([name]) => isPrivateKey(name));
  const given = pickGivenKeys(FILE_FIELDS, left);
  const cleared = Object.keys(defaults).filter(
    (name) => Object.hasOwn(course, name) && !Object.hasOwn(given, name),
  );
  const nulls = Object.fromEntries(cleared.map((name) => [name, null]));
  const fields = { ...renameProvider(given, provider), ...nulls };
  return own.length === 0 ? fields : { ...fields, ...Object.fromEntries(own) };
}

function renameProvider(course: PlainObject, provider: string | undefined): PlainObject {
  if (provider === undefined) return course;
  const entries = Object.entries(course).map(([name, value]) =>
    name === "provider_id" ? [PROVIDER_KEY, provider] : [name, value],
  );
  return Object.fromEntries(entries);
}

/** With the keys that only files have: `provider` and `key`. */
const FILE_FIELDS = COURSE_SHAPE.keys.filter(({ name, readOnly }) => name !== "slug" && !readOnly);

/** A value as the text of a YAML document, in the style of all files that the program writes. */
export function yamlText(value: unknown): string {
  return `${blockText(value, "")}\n`;
}

/** A value after a colon or a dash; all its lines but the first begin with the indentation. */
function blockText(value: unknown, indentation: string): string {
  const inner = `${indentation}  `;
  if (isNested(value)) {
    const lines = isList(value)
      ? value.map((item) => `- ${blockText(item, inner)}`)
      : Object.entries(value).map(([name, part]) => {
          const key = scalarText(name, { flow: false });
          const start = key.length > LONGEST_KEY ? `? ${key}\n${indentation}:` : `${key}:`;
          return `${start}${isNested(part) ? `\n${inner}` : " "}${blockText(part, inner)}`;
        });
    return lines.join(`\n${indentation}`);
  }
  if (isList(value)) {
    return `[${value.map((item) => scalarText(item, { flow: true })).join(", ")}]`;
  }
  if (isObject(value)) return "{}";
  return typeof value === "string" && isBlock(value)
    ? literalText(value, indentation)
    : scalarText(value, { flow: false });
}

/** Characters of a key up to which YAML allows it without a question mark. */
const LONGEST_KEY = 1000;

/** Whether a value is a collection that is written on the lines below. */
function isNested(value: unknown): value is unknown[] | PlainObject {
  return isList(value) ? !isShortList(value) : isObject(value) && Object.keys(value).length > 0;
}

/** A string as a literal block. */
function literalText(value: string, indentation: string): string {
  const indented = /^\n* /.test(value) ? "2" : "";
  const end = value.endsWith("\n\n") ? "+" : value.endsWith("\n") ? "" : "-";
  const lines = `\n${value}`.replace(/\n$/, "").replace(/\n(?=[^\n])/g, `\n${indentation}`);
  return `|${indented}${end}${lines}`;
}

/** A string or another scalar on one line, without quotes where YAML allows that. */
export function scalarText(value: unknown, { flow }: { readonly flow: boolean }): string {
  if (typeof value === "string") {
    const isSimple = value.length <= LONGEST_SIMPLE && SIMPLE.test(value);
    const isSpecial = flow ? SPECIAL_IN_BRACKETS.test(value) : SPECIAL.test(value);
    if (isSimple ? !isSpecial : isUuid(value)) return value;
    if (value.trim() === "" || isSpecial || DECIMAL.test(value) || NOT_PLAIN.test(value))
      return quotedText(value);
  } else if (typeof value === "boolean" || (Number.isFinite(value) && !Object.is(value, -0))) {
    return String(value);
  }
  // `yaml` decides about all others, which takes many times as long.
  const document = new Document(flow ? [value] : { k: value }, null, { schema: SCHEMA() });
  if (isSeq(document.contents)) document.contents.flow = true;
  const text = document.toString(LAYOUT);
  return flow ? text.slice("[".length, -"]\n".length) : text.slice("k: ".length, -"\n".length);
}

/** Strings that need no quotes in any YAML parser. */
const SIMPLE =
  /^(?!(?:[yn]|yes|no|on|off|true|false|null)$)\p{L}(?:[\p{L}\p{M}\p{N} .,;!?'"()/&%+*=@_~$-]|:(?! |$)|(?<! )#)*(?<![ -])$/iu;
/** Characters of a string up to which that is tested: longer addresses are rare. */
const LONGEST_SIMPLE = 1000;
const DECIMAL = /^\d+(?:\.\d+)?$/;
/** A document marker, which a key can be, and what parsers of YAML 1.1 do not accept as a string. */
const SPECIAL = /^(?:---|\.\.\.|=$)/;
const SPECIAL_IN_BRACKETS = /^(?:=$|:)|[,?]/;

/** A string in double quotes. */
export function quotedText(value: string): string {
  return JSON.stringify(value).replace(INVISIBLE, escapeCharacter);
}

const LAYOUT = { lineWidth: 0, flowCollectionPadding: false } as const;

// YAML 1.1 parsers read words such as `no`, and dates, as other values.
/** Building it takes as long as writing a course. */
const SCHEMA = memoize(() => new Document(null, null, { compat: "yaml-1.1" }).schema);

/** Invisible characters that JSON does not escape: controls, separators, marks. */
const INVISIBLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A string with these is written in double quotes; a line feed is the only control in a block. */
const NOT_PLAIN = new RegExp(`[\\x00-\\x1f]|[\\ud800-\\udfff]|${INVISIBLE.source}`, "u");
/** Some parsers treat a tab at the beginning of a block as indentation, or ignore a blank last line. */
const NOT_BLOCK = new RegExp(
  `^[ \\n]*\\t|\\n[ \\t]+\\n*$|[\\x00-\\x08\\x0b-\\x1f]|[\\ud800-\\udfff]|${INVISIBLE.source}`,
  "u",
);

/** Characters from which on a string is written on separate lines. */
const LONG = 80;
/** Characters of a list, with its commas, up to which it is written on one line. */
const SHORT = 60;
/** URLs are written on one line, however long they are. */
const ADDRESS = /^[a-z]+:\/\/\S*$/i;

/** Whether a string is written on separate lines. */
function isBlock(text: string): boolean {
  const isLong = text.includes("\n") || (text.length > LONG && !ADDRESS.test(text));
  return isLong && isBlockText(text);
}

/** Whether every YAML parser reads a string back from a block. */
export function isBlockText(text: string): boolean {
  return text.trim() !== "" && !NOT_BLOCK.test(text);
}

/** A character as JSON escapes it. */
function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Whether a list only has a few words, such as language codes. */
function isShortList(items: readonly unknown[]): boolean {
  let length = 0;
  for (const item of items) {
    if ((typeof item === "object" && item !== null) || /\s/.test(String(item))) return false;
    length += String(item).length + 2;
  }
  return length <= SHORT;
}
