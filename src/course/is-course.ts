/** Recognizes the objects that are courses. No command may edit or remove an object of another program. */
import { isNearlySame } from "../base/suggest.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { isPrivateKey } from "./field-names.ts";
import { COURSE_SHAPE } from "./fields.ts";

const FIELDS = COURSE_SHAPE.keys.map(({ name }) => name);

/** A course has at least an identity and one more field. */
const FEWEST_FIELDS = 2;

/** How many keys are looked at: if an object with more keys is a course, the first keys show it. */
const MAX_KEYS = 200;

/** The keys of a provider, of which two are no fields of a course. */
const PROVIDER_KEYS = ["id", "name", "description", "slug", "url", "domain", "published"];

/**
 * Whether an object is a course, even with many problems: at least two of its keys and at least half of
 * them, without private keys, are fields or differ from one by at most one letter in five.
 *
 *     { name: "Knitting", "image-urll": "…" } → true
 *     { name: "app", version: "1.0" }         → false
 */
export function isCourse(value: unknown): value is PlainObject {
  if (!isObject(value)) return false;
  const keys = Object.keys(value)
    .filter((name) => !isPrivateKey(name))
    .slice(0, MAX_KEYS);
  const isProvider = "domain" in value && keys.every((name) => PROVIDER_KEYS.includes(name));
  const fields = keys.filter(isLikeField).length;
  return !isProvider && fields >= FEWEST_FIELDS && fields >= keys.length / 2;
}

function isLikeField(name: string): boolean {
  return COURSE_SHAPE.byName.has(name) || FIELDS.some((field) => isNearlySame(name, field));
}

/** Recognizes the courses of one file: of a table, all rows or none, because a row may have few cells. */
export function courseTest(
  values: readonly unknown[],
  isTable = false,
): (value: unknown) => value is PlainObject {
  if (!isTable) return isCourse;
  const columns: Record<string, unknown> = {};
  for (const row of values) if (isObject(row)) Object.assign(columns, row);
  const isTableOfCourses = isCourse(columns);
  return (value): value is PlainObject => isTableOfCourses && isObject(value);
}
