/** Writes a course as the text of a course file, always in the same order and style (cli.md section 8). */
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { WRITABLE_FIELDS } from "../course/fields.ts";
import type { Key, Shape } from "../course/shape.ts";
import { UNSEEN, yamlText } from "./write-yaml.ts";

/** The languages of a course file. */
export const FILE_FORMATS = ["yaml", "json"] as const;

/** One of them. */
export type FileFormat = (typeof FILE_FORMATS)[number];

/**
 * The whole text of a course's file: the fields that a client may set, in the document's order,
 * without nulls, and without the slug, which is the service's own. Keys that push would refuse are
 * left out. Read again, the text gives the same values.
 *
 * @param course a course as the service gives it
 */
export function courseText(course: PlainObject, format: FileFormat): string {
  const written = mapInOrder(course, FILE_FIELDS);
  // JSON is YAML, too, and the only kind that a library writes at such a length.
  if (format === "json" || isTooLong(written)) return jsonText(written).replace(UNSEEN, escaped);
  return yamlText(written);
}

function jsonText(written: PlainObject): string {
  return `${JSON.stringify(written, null, 2)}\n`;
}

/** Characters of a course from which on the patterns that choose a style would need too much memory. */
const MOST_DUMPED = 500_000;

function isTooLong(written: PlainObject): boolean {
  // Hardly one is, and to see that costs less than to write it out.
  return mostOf(written, 1) > MOST_DUMPED && jsonText(written).length > MOST_DUMPED;
}

/** The most characters that any scalar but a text takes up as JSON. */
const MOST_OF_SCALAR = 25;
/** A character may take up six where it must be escaped. */
const MOST_OF_CHARACTER = 6;

/** As many characters as a value may take up as JSON, or more. */
function mostOf(value: unknown, depth: number): number {
  if (typeof value === "string") return MOST_OF_CHARACTER * value.length + 2;
  if (typeof value !== "object" || value === null) return MOST_OF_SCALAR;
  let most = 2 * depth + 2;
  for (const [key, inner] of Object.entries(value)) {
    most += MOST_OF_CHARACTER * key.length + 2 * depth + 6 + mostOf(inner, depth + 1);
  }
  return most;
}

const FILE_FIELDS = WRITABLE_FIELDS.filter(({ name }) => name !== "slug");

function mapInOrder(mapping: PlainObject, keys: readonly Key[]): PlainObject {
  const ordered: Record<string, unknown> = {};
  for (const { name, shape } of keys) {
    const value = Object.hasOwn(mapping, name) ? written(mapping[name], shape) : undefined;
    if (!isNothing(value, shape)) ordered[name] = value;
  }
  return ordered;
}

function written(value: unknown, shape: Shape): unknown {
  if (shape.kind === "object" && isObject(value)) return mapInOrder(value, shape.keys);
  if (shape.kind === "list" && isList(value)) return value.map((item) => written(item, shape.of));
  return value;
}

/** Null, or an object whose every key is null: a service may say "never set" either way. */
function isNothing(value: unknown, shape: Shape): boolean {
  if (value === null || value === undefined) return true;
  return shape.kind === "object" && isObject(value) && Object.keys(value).length === 0;
}

/** A character as JSON writes out those that it must. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
