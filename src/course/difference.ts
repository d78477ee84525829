/** Compares courses as the service understands them, and lists where they differ. */
import { isDeepStrictEqual } from "node:util";
import { isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { type Field, WRITABLE_FIELDS } from "./fields.ts";
import type { Course } from "./request-body.ts";
import { type Key, partShape, type Shape } from "./shape.ts";

/** One value that is to be another. Absent values are null. */
export interface Change {
  readonly path: Path;
  readonly old: unknown;
  readonly new: unknown;
}

/** The changes that turn the remote course into the desired one, in the documented field order. */
export function diffCourses(desired: PlainObject, remote: PlainObject): Change[] {
  return differingFields(desired, remote).flatMap(({ name, shape }) => {
    const value = pickGiven(shape, desired[name]) ?? null;
    const old = pickGiven(shape, remote[name]) ?? null;
    // Positions in an unordered list have no meaning.
    return isUnordered(shape)
      ? [{ path: [name], old, new: value }]
      : valueChanges([name], shape, value, old);
  });
}

/** A course that has no field. */
export const EMPTY_COURSE: PlainObject = Object.fromEntries(
  WRITABLE_FIELDS.filter(({ name }) => name !== "id").map(({ name }) => [name, null]),
);

/** The changes that a creation makes: the fields of its body. */
export function describeCreation(body: PlainObject): Change[] {
  return Object.entries(body)
    .filter(([name]) => name !== "id")
    .map(([name, value]) => ({ path: [name], old: null, new: value }));
}

/** The changes that a deletion makes: the fields that are lost. */
export function describeDeletion(course: PlainObject): Change[] {
  return diffCourses(EMPTY_COURSE, course);
}

/** The fields that `desired` gives with another value than `remote`; never the slug. */
export function differingFields(desired: PlainObject, remote: PlainObject): Field[] {
  return WRITABLE_FIELDS.filter(
    (field) =>
      field.name !== "slug" &&
      Object.hasOwn(desired, field.name) &&
      !isSameValue(field, desired[field.name], remote[field.name]),
  );
}

/** Fields that a file never clears by leaving them out. */
const NEVER_CLEARED: ReadonlySet<string> = new Set(["id", "slug", "published"]);

/** The writable fields that the remote course has and the desired one leaves out. */
export function unmanagedFields(desired: PlainObject, remote: PlainObject): string[] {
  return WRITABLE_FIELDS.filter(
    (field) =>
      !NEVER_CLEARED.has(field.name) &&
      !Object.hasOwn(desired, field.name) &&
      !isSameValue(field, undefined, remote[field.name]),
  ).map(({ name }) => name);
}

/** The desired course as a complete description: the fields that it leaves out are null. */
export function completed(desired: PlainObject, remote: PlainObject): PlainObject {
  const cleared = unmanagedFields(desired, remote).map((name) => [name, null]);
  return { ...desired, ...Object.fromEntries(cleared) };
}

/** Whether two values of a field are the same: null equals absent and the documented default. */
function isSameValue(field: Field, one: unknown, other: unknown): boolean {
  const { shape } = field;
  // Most values of a catalog are the same, and comparing them as they are needs no copies.
  if (isSame(shape, one, other)) return true;
  const left = pickGiven(shape, one) ?? field.default ?? null;
  const right = pickGiven(shape, other) ?? field.default ?? null;
  if (isUnordered(shape) && isList(left) && isList(right)) return isSameSet(left, right);
  return isSame(shape, left, right);
}

function isUnordered(shape: Shape | undefined): boolean {
  return shape?.kind === "list" && shape.unordered;
}

/** The part of a value that is given: the known keys that are not null, in order; null if there are none. */
export function pickGiven(shape: Shape, value: unknown): unknown {
  if (shape.kind === "list" && isList(value)) {
    return value.map((element) => pickGiven(shape.of, element) ?? (isObject(element) ? {} : null));
  }
  if (shape.kind !== "object" || !isObject(value)) return value;
  const given = pickGivenKeys(shape.keys, value);
  return Object.keys(given).length === 0 ? null : given;
}

/** An object with only these keys, in their order, without those that are not given. */
export function pickGivenKeys(keys: readonly Key[], object: PlainObject): PlainObject {
  const given: Record<string, unknown> = {};
  for (const { name, shape } of keys) {
    const value = pickGiven(shape, ownValue(object, name)) ?? null;
    if (value !== null) given[name] = value;
  }
  return given;
}

function isSameSet(one: readonly unknown[], other: readonly unknown[]): boolean {
  const left = new Set(one);
  const right = new Set(other);
  return left.size === right.size && [...left].every((element) => right.has(element));
}

/** Whether two values of a shape mean the same to the service. */
export function isSameIn(shape: Shape, one: unknown, other: unknown): boolean {
  return isSame(shape, pickGiven(shape, one), pickGiven(shape, other));
}

/**
 * Whether two values mean the same: null equals absent, the order of keys has no meaning, and a service
 * may write an amount, a number, a boolean or an id in another way.
 */
function isSame(shape: Shape | undefined, one: unknown, other: unknown): boolean {
  const left = one ?? null;
  const right = other ?? null;
  if (isList(left)) {
    const of = partShape(shape, 0);
    return (
      isList(right) &&
      left.length === right.length &&
      left.every((element, index) => isSame(of, element, right[index]))
    );
  }
  if (isObject(left)) {
    return (
      isObject(right) &&
      Object.keys(left).every((key) =>
        isSame(partShape(shape, key), left[key], ownValue(right, key)),
      ) &&
      Object.keys(right).every((key) => Object.hasOwn(left, key) || (right[key] ?? null) === null)
    );
  }
  if (left === right) return true;
  return isScalar(left) && isScalar(right) && normalized(shape, left) === normalized(shape, right);
}

type Scalar = string | number | boolean;

function isScalar(value: unknown): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** A value in the only way that its shape has to write it; other values as they are. */
function normalized(shape: Shape | undefined, value: Scalar): Scalar {
  if (shape?.kind === "boolean") return String(value);
  if (shape?.kind === "number") return typeof value === "string" ? Number(value) : value;
  if (shape?.kind !== "string") return value;
  if (shape.format === "uuid") return String(value).toLowerCase();
  return shape.format === "amount" ? normalAmount(String(value)) : value;
}

/** An amount without the zeros that do not count. It may have more digits than a number. */
function normalAmount(amount: string): string {
  if (!/^\d+(?:\.\d+)?$/.test(amount)) return amount;
  let [start, end] = [0, amount.length];
  while (/^0\d/.test(amount.slice(start, start + 2))) start++;
  if (amount.includes(".")) {
    while (amount[end - 1] === "0") end--;
    if (amount[end - 1] === ".") end--;
  }
  return amount.slice(start, end);
}

function valueChanges(
  path: Path,
  shape: Shape | undefined,
  value: unknown,
  old: unknown,
): Change[] {
  if (isList(value) && isList(old)) return listChanges(path, partShape(shape, 0), value, old);
  if (isObject(value) && isObject(old)) {
    const keys = new Set([...Object.keys(old), ...Object.keys(value)]);
    return [...keys].flatMap((key) =>
      valueChanges([...path, key], partShape(shape, key), ownValue(value, key), ownValue(old, key)),
    );
  }
  return isSame(shape, value, old) ? [] : [{ path, old: old ?? null, new: value ?? null }];
}

/** Equal elements at both ends are skipped; those between are compared position by position. */
function listChanges(
  path: Path,
  shape: Shape | undefined,
  value: readonly unknown[],
  old: readonly unknown[],
): Change[] {
  const { start, end } = commonEnds(value, old, (one, other) => isSame(shape, one, other));
  const last = Math.max(value.length, old.length) - end;
  const indexes = Array.from({ length: last - start }, (_, index) => start + index);
  return indexes.flatMap((index) => {
    const to = index < value.length - end ? value[index] : null;
    const from = index < old.length - end ? old[index] : null;
    return valueChanges([...path, index], shape, to, from);
  });
}

/** How many elements two lists share at their beginnings and at their ends. */
export function commonEnds(
  one: readonly unknown[],
  other: readonly unknown[],
  isEqual: (one: unknown, other: unknown) => boolean,
) {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && isEqual(one[start], other[start])) start++;
  let end = 0;
  while (end < shorter - start && isEqual(one.at(-1 - end), other.at(-1 - end))) end++;
  return { start, end };
}

/** The course with the other one's values in each field that has the same in both. */
export function shareValues(course: Course, other: PlainObject): Course {
  const shared: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(course)) {
    const known = ownValue(other, name);
    shared[name] = value === known || isDeepStrictEqual(value, known) ? known : value;
  }
  return { ...shared, id: course.id };
}

function ownValue(object: PlainObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
