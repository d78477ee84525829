/** Writes a course as the text of a course file, always in the same order and style. */
import { Document, isScalar, Scalar, type ScalarTag, type Tags, visit, type YAMLSeq } from "yaml";
import { isList, isObject, memoize, type PlainObject } from "../base/values.ts";
import { isPrivateKey, PROVIDER_KEY } from "../course/field-names.ts";
import { COURSE_SHAPE } from "../course/fields.ts";
import type { Key, Shape } from "../course/shape.ts";
import type { FileFormat } from "./parsed.ts";

/** How a course's file differs from the complete one. */
export interface CourseTextOptions {
  /** What the file names its provider by, instead of `provider_id`. */
  readonly provider?: string | undefined;
  /** Whether the id is left out. */
  readonly withoutId?: boolean;
}

/**
 * The text of a course's file: the writable fields in a fixed order, without nulls, without the slug,
 * which the service generates, and without keys that push would refuse; then private keys. Reading the text gives the
 * same values.
 *
 * @param course a course as the service returns it
 */
export function courseText(
  course: PlainObject,
  format: FileFormat,
  { provider, withoutId = false }: CourseTextOptions = {},
): string {
  const left = withoutId ? { ...course, id: null } : course;
  const own = Object.entries(course).filter(([name]) => isPrivateKey(name));
  const fields = renameProvider(mapInOrder(left, FILE_FIELDS), provider);
  const written = { ...fields, ...Object.fromEntries(own) };
  // JSON is YAML, too, and needs less memory at such a length.
  if (format === "json" || jsonText(written).length > MOST_DUMPED)
    return jsonText(written).replace(INVISIBLE, escapeCharacter);
  return yamlText(written);
}

function renameProvider(course: PlainObject, provider: string | undefined): PlainObject {
  if (provider === undefined) return course;
  const entries = Object.entries(course).map(([name, value]) =>
    name === "provider_id" ? [PROVIDER_KEY, provider] : [name, value],
  );
  return Object.fromEntries(entries);
}

function jsonText(written: PlainObject): string {
  return `${JSON.stringify(written, null, 2)}\n`;
}

/** Characters of a course from which on choosing styles would need too much memory. */
const MOST_DUMPED = 500_000;

/** With the keys that only files have: `provider` and `key`. */
const FILE_FIELDS = COURSE_SHAPE.keys.filter(({ name, readOnly }) => name !== "slug" && !readOnly);

function mapInOrder(object: PlainObject, keys: readonly Key[]): PlainObject {
  const ordered: Record<string, unknown> = {};
  for (const { name, shape } of keys) {
    const value = Object.hasOwn(object, name) ? orderValue(object[name], shape) : undefined;
    if (!isEmptyValue(value, shape)) ordered[name] = value;
  }
  return ordered;
}

/** A value without nulls and unknown keys, as a file contains it; undefined if nothing is left. */
export function fileValue(value: unknown, shape: Shape): unknown {
  const ordered = orderValue(value, shape);
  return isEmptyValue(ordered, shape) ? undefined : ordered;
}

function orderValue(value: unknown, shape: Shape): unknown {
  if (shape.kind === "object" && isObject(value)) return mapInOrder(value, shape.keys);
  if (shape.kind === "list" && isList(value))
    return value.map((item) => orderValue(item, shape.of));
  return value;
}

/** Null, or an object whose keys are all null: the service uses both for a field that is not set. */
function isEmptyValue(value: unknown, shape: Shape): boolean {
  if (value === null || value === undefined) return true;
  return shape.kind === "object" && isObject(value) && Object.keys(value).length === 0;
}

/** A value as the text of a YAML document, in the style of all files that the program writes. */
export function yamlText(value: unknown): string {
  const document = yamlDocument(value);
  visit(document, {
    Scalar: (key, scalar) => {
      if (typeof scalar.value !== "string") return;
      if (key !== "key") scalar.type = styleOf(scalar.value);
      else if (NOT_PLAIN.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
    Seq: (_, list) => {
      if (isShortList(list)) list.flow = true;
    },
  });
  return document.toString(LAYOUT);
}

/** A string or another scalar on one line, without quotes where YAML allows that. */
export function scalarText(value: unknown, { flow }: { readonly flow: boolean }): string {
  if (typeof value === "string" && (value.trim() === "" || NOT_PLAIN.test(value))) {
    return quotedText(value);
  }
  if (typeof value === "string" && value.includes("\n")) return quotedText(value);
  const document = yamlDocument(flow ? [value] : { k: value });
  visit(document, {
    Seq: (_, list) => {
      list.flow = true;
    },
  });
  const text = document.toString(LAYOUT).trim();
  return (flow ? text.slice(1, -1) : text.slice(2)).trim();
}

/** A string in double quotes. */
export function quotedText(value: string): string {
  return JSON.stringify(value).replace(INVISIBLE, escapeCharacter);
}

const LAYOUT = { lineWidth: 0, flowCollectionPadding: false } as const;

/** Building it takes as long as writing a course. */
const SCHEMA = memoize(() => {
  const { schema } = new Document(null, null, {
    // YAML 1.1 parsers read words such as `no`, and dates, as other values.
    compat: "yaml-1.1",
    customTags: (tags) => tags.map(escaping) as Tags,
  });
  return schema;
});

function yamlDocument(value: unknown): Document {
  return new Document(value, null, { aliasDuplicateObjects: false, schema: SCHEMA() });
}

/** Invisible characters that JSON does not escape: controls, separators, marks. */
const INVISIBLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A string with these is written in double quotes; a line feed is the only control in a block. */
const NOT_PLAIN = new RegExp(`[\\x00-\\x09\\x0b-\\x1f]|[\\ud800-\\udfff]|${INVISIBLE.source}`, "u");
/** Some parsers treat a tab at the beginning of a block as indentation. */
const NOT_BLOCK = new RegExp(
  `^[ \\n]*\\t|[\\x00-\\x08\\x0b-\\x1f]|[\\ud800-\\udfff]|${INVISIBLE.source}`,
  "u",
);

/** Characters from which on a string is written on separate lines. */
const LONG = 80;
/** Characters of a list, with its commas, up to which it is written on one line. */
const SHORT = 60;
/** URLs are written on one line, however long they are. */
const ADDRESS = /^[a-z]+:\/\/\S*$/i;

function styleOf(text: string): Scalar.Type {
  const isLong = text.includes("\n") || (text.length > LONG && !ADDRESS.test(text));
  if (text.trim() === "" || (isLong ? NOT_BLOCK : NOT_PLAIN).test(text)) return Scalar.QUOTE_DOUBLE;
  return isLong ? Scalar.BLOCK_LITERAL : Scalar.PLAIN;
}

/** A tag of strings that escapes invisible characters in double quotes: JSON strings are YAML. */
function escaping(tag: Tags[number]): Tags[number] {
  if (typeof tag === "string" || tag.tag !== "tag:yaml.org,2002:str" || tag.collection) return tag;
  const stringify: ScalarTag["stringify"] = (item, ...rest) =>
    item.type === Scalar.QUOTE_DOUBLE
      ? quotedText(String(item.value))
      : (tag.stringify?.(item, ...rest) ?? "");
  return { ...tag, stringify };
}

/** A character as JSON escapes it. */
function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Whether a list only has a few words, such as language codes. */
function isShortList({ items }: YAMLSeq): boolean {
  let length = 0;
  for (const item of items) {
    if (!isScalar(item) || /\s/.test(String(item.value))) return false;
    length += String(item.value).length + 2;
  }
  return length <= SHORT;
}
