/** Recognizes the objects that are courses. No command may edit or remove an object of another program. */
import { isMisspelling } from "../base/suggest.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { keyByOtherName } from "./conversions.ts";
import { isPrivateKey } from "./field-names.ts";
import { COURSE_SHAPE } from "./fields.ts";

const FIELDS = COURSE_SHAPE.keys.map(({ name }) => name);

/** A course has at least an identity and one more field. */
const FEWEST_FIELDS = 2;

/** How much another name of a field counts. Less, because other programs also use such names. */
const OTHER_NAME = 0.5;

/** How many keys are looked at: if an object with more keys is a course, the first keys show it. */
const MAX_KEYS = 200;

/**
 * Whether an object is a course, even with many problems: at least two of its keys and at least half of
 * them, without private keys, are fields or probably misspelled fields.
 *
 *     { name: "Knitting", urll: "…" }   → true
 *     { name: "app", version: "1.0" }   → false
 */
export function isCourse(value: unknown): value is PlainObject {
  if (!isObject(value)) return false;
  const keys = Object.keys(value)
    .filter((name) => !isPrivateKey(name))
    .slice(0, MAX_KEYS);
  let fields = 0;
  for (const name of keys) fields += evidenceOf(name);
  return fields >= FEWEST_FIELDS && fields >= keys.length / 2;
}

function evidenceOf(name: string): number {
  if (COURSE_SHAPE.byName.has(name)) return 1;
  if (keyByOtherName("a course", name, FIELDS) !== undefined) return OTHER_NAME;
  return FIELDS.some((field) => isMisspelling(name, field)) ? 1 : 0;
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
