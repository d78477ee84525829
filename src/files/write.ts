/** Writes a course as the text of a course file, always in the same order and style. */
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { WRITABLE_FIELDS } from "../course/fields.ts";
import type { Key, Shape } from "../course/shape.ts";
import { escapeCharacter, INVISIBLE, yamlText } from "./write-yaml.ts";

/** The formats of a course file. */
export const FILE_FORMATS = ["yaml", "json"] as const;

/** One of them. */
export type FileFormat = (typeof FILE_FORMATS)[number];

/**
 * The text of a course's file: the writable fields in a fixed order, without nulls, without the slug,
 * which the service generates, and without keys that push would refuse. Reading the text gives the
 * same values.
 *
 * @param course a course as the service returns it
 */
export function courseText(course: PlainObject, format: FileFormat): string {
  const written = mapInOrder(course, FILE_FIELDS);
  // JSON is YAML, too, and needs less memory at such a length.
  if (format === "json" || isTooLong(written))
    return jsonText(written).replace(INVISIBLE, escapeCharacter);
  return yamlText(written);
}

function jsonText(written: PlainObject): string {
  return `${JSON.stringify(written, null, 2)}\n`;
}

/** Characters of a course from which on choosing styles would need too much memory. */
const MOST_DUMPED = 500_000;

function isTooLong(written: PlainObject): boolean {
  // The estimate costs less than writing the course.
  return mostOf(written, 1) > MOST_DUMPED && jsonText(written).length > MOST_DUMPED;
}

/** The most characters of a scalar other than a string, as JSON. */
const MOST_OF_SCALAR = 25;
/** An escaped character takes six. */
const MOST_OF_CHARACTER = 6;

/** An upper bound of the characters of a value as JSON. */
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

function mapInOrder(object: PlainObject, keys: readonly Key[]): PlainObject {
  const ordered: Record<string, unknown> = {};
  for (const { name, shape } of keys) {
    const value = Object.hasOwn(object, name) ? orderValue(object[name], shape) : undefined;
    if (!isEmptyValue(value, shape)) ordered[name] = value;
  }
  return ordered;
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
