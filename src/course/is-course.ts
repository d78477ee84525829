/** Tells the objects that are courses from those of other programs, which nothing may edit or remove. */
import { isMisspelling } from "../base/suggest.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { keyByOtherName } from "./conversions.ts";
import { isPrivateKey } from "./field-names.ts";
import { COURSE_SHAPE } from "./fields.ts";

const FIELDS = COURSE_SHAPE.keys.map(({ name }) => name);

/** A course has at least an identity and one more field. */
const FEWEST_FIELDS = 2;

/** How much a field counts by the name that other systems have for it: so do many other programs. */
const OTHER_NAME = 0.5;

/** Keys that are looked at: a course with more of them has enough fields among the first. */
const MOST_KEYS = 200;

/**
 * Whether an object is a course, possibly one with many mistakes: at least two of its keys and at
 * least half of them, without private ones, are fields or were probably intended as such.
 */
export function isCourse(value: unknown): value is PlainObject {
  if (!isObject(value)) return false;
  const keys = Object.keys(value)
    .filter((name) => !isPrivateKey(name))
    .slice(0, MOST_KEYS);
  let fields = 0;
  for (const name of keys) fields += evidenceOf(name);
  return fields >= FEWEST_FIELDS && fields >= keys.length / 2;
}

function evidenceOf(name: string): number {
  if (COURSE_SHAPE.byName.has(name)) return 1;
  if (keyByOtherName("a course", name, FIELDS) !== undefined) return OTHER_NAME;
  return FIELDS.some((field) => isMisspelling(name, field)) ? 1 : 0;
}

/**
 * A test of the objects of one file. The rows of a table share their columns, of which each may leave
 * some empty.
 */
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
