/** Writes courses for files: the text of a new file, or changes that bring a file up to date with the catalog. */
import { safeJson } from "../base/text.ts";
import { changedFields, isList, isObject, type PlainObject } from "../base/values.ts";
import { yamlText } from "../base/yaml-text.ts";
import { completed, diffCourses, isSameIn, pickGivenKeys } from "../course/difference.ts";
import { COURSE_SHAPE } from "../course/fields.ts";
import { partShape, type Shape } from "../course/shape.ts";
import { EXTERNAL_KEY, isPrivateKey, PROVIDER_KEY } from "../course/special-fields.ts";
import type { FileFormat } from "./parse.ts";

/** The text of a course file, such as `name: Knitting\n`. @param course as `fileCourse` gives it */
export function courseText(course: PlainObject, format: FileFormat): string {
  return format === "yaml" ? yamlText(course) : `${safeJson(course, 2)}\n`;
}

/**
 * A course as its file contains it: the writable fields in a fixed order, except nulls, the slug, which the service
 * generates, and fields that push would refuse; then private fields.
 *
 * @param options.provider the value of `provider`, which the file has instead of `provider_id`
 * @param options.defaults the fields with default values: a null overrides them if the course does not have the field
 */
export function fileCourse(
  course: PlainObject,
  {
    provider,
    withoutId = false,
    defaults = [],
  }: {
    provider?: string | undefined;
    withoutId?: boolean;
    defaults?: Iterable<string> | undefined;
  } = {},
): PlainObject {
  const given = pickGivenKeys(FILE_FIELDS, course);
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (name === "provider_id" && provider !== undefined) fields[PROVIDER_KEY] = provider;
    else if (name !== "id" || !withoutId) fields[name] = value;
  }
  for (const name of defaults) {
    if (Object.hasOwn(course, name) && !Object.hasOwn(given, name)) fields[name] = null;
  }
  for (const [name, value] of Object.entries(course)) {
    if (isPrivateKey(name)) fields[name] = value;
  }
  return fields;
}

/** The fields of files, including `provider` and `key`, which only files have. */
const FILE_FIELDS = COURSE_SHAPE.keys.filter(({ name, readOnly }) => name !== "slug" && !readOnly);

/** The columns of a table of courses: the fields that courses have, and the fields to fill in. */
export function fileColumns(courses: readonly PlainObject[]): string[] {
  const used = new Set(courses.flatMap((course) => Object.keys(course)));
  const names = FILE_FIELDS.map(({ name }) => name);
  const fields = names.filter((name) => used.has(name) || !IDENTITY.has(name));
  return [...fields, ...[...used].filter(isPrivateKey)];
}

/** The fields that identify a course and its provider, of which a file needs only some. */
const IDENTITY: ReadonlySet<string> = new Set(["id", EXTERNAL_KEY, PROVIDER_KEY, "provider_id"]);

/** The changes that bring a course in a file up to date with the catalog; a missing id and the slug are not changes. */
export function fileChanges(described: PlainObject, remote: PlainObject) {
  const changes = diffCourses(completed(remote, described), described);
  return changes.filter(({ path: [name], old }) => name !== "id" || old !== null);
}

/**
 * Applies changes to a course of a file. Values with the same meaning stay as they are written.
 *
 * @param fresh the changed course, as `fileCourse` gives it
 */
export function withChanges(
  written: PlainObject,
  changes: Readonly<ReturnType<typeof fileChanges>>,
  fresh: PlainObject,
): PlainObject {
  const result: Record<string, unknown> = { ...written };
  for (const name of changedFields(changes)) {
    for (const key of name === "provider_id" ? [name, PROVIDER_KEY] : [name]) {
      const shape = partShape(COURSE_SHAPE, key);
      if (Object.hasOwn(fresh, key)) result[key] = merge(written[key], fresh[key], shape);
      else delete result[key];
    }
  }
  return result;
}

/** A value for a file, in which parts with the same meaning stay as they are written. */
function merge(written: unknown, value: unknown, shape: Shape | undefined): unknown {
  if (shape === undefined || written === undefined) return value;
  if (isSameIn(shape, written, value)) return written;
  if (shape.kind === "list" && isList(written) && isList(value)) {
    return value.map((item, index) => {
      const same = written.find((old) => isSameIn(shape.of, old, item));
      return same ?? merge(written[index], item, shape.of);
    });
  }
  if (shape.kind !== "object" || !isObject(written) || !isObject(value)) return value;
  const kept = Object.entries(written).filter(([, old]) => old === null);
  const result: Record<string, unknown> = Object.fromEntries(kept);
  for (const { name, shape: inner } of shape.keys) {
    if (Object.hasOwn(value, name)) result[name] = merge(written[name], value[name], inner);
  }
  return result;
}
