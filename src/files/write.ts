/** Writes a course as the text of a course file, always in the same order and style. */
import type { PlainObject } from "../base/values.ts";
import { escapeInvisible, yamlText } from "../base/yaml-text.ts";
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
  return `${escapeInvisible(JSON.stringify(written, null, 2))}\n`;
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
