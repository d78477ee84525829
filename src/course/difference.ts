/** Compares courses as the service understands them, and lists the differences. */
import { commonEnds, isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { WRITABLE_FIELDS } from "./fields.ts";
import { type Key, partShape, type Shape } from "./shape.ts";
import { normalizeUrl } from "./special-fields.ts";

/** One value that differs. A missing value is null. */
export interface Change {
  readonly path: Path;
  readonly old: unknown;
  readonly new: unknown;
}

/**
 * The changes that turn the remote course into the desired course, in the documented field order: `{ name: "B" }`
 * and `{ name: "A", pace: "self_paced" }` give `[{ path: ["name"], old: "A", new: "B" }]`.
 */
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

export const EMPTY_COURSE: PlainObject = Object.fromEntries(
  WRITABLE_FIELDS.filter(({ name }) => name !== "id").map(({ name }) => [name, null]),
);

/** The changes of a creation: every field of its body is new. */
export function describeCreation(body: PlainObject): Change[] {
  return Object.entries(body)
    .filter(([name]) => name !== "id")
    .map(([name, value]) => ({ path: [name], old: null, new: value }));
}

/** The changes of a deletion: every field of the course is lost. */
export function describeDeletion(course: PlainObject): Change[] {
  return diffCourses(EMPTY_COURSE, course);
}

/** The fields that `desired` has with another value than `remote`; never the slug, which the service generates. */
export function differingFields(desired: PlainObject, remote: PlainObject): Key[] {
  return WRITABLE_FIELDS.filter(
    (field) =>
      field.name !== "slug" &&
      Object.hasOwn(desired, field.name) &&
      !isSameValue(field, desired[field.name], remote[field.name]),
  );
}

/** Fields that are not cleared when a file omits them. */
const NEVER_CLEARED: ReadonlySet<string> = new Set(["id", "slug", "published"]);

/** The names of the writable fields that the remote course has and the desired course omits. */
export function unmanagedFields(desired: PlainObject, remote: PlainObject): string[] {
  return WRITABLE_FIELDS.filter(
    (field) =>
      !NEVER_CLEARED.has(field.name) &&
      !Object.hasOwn(desired, field.name) &&
      !isSameValue(field, undefined, remote[field.name]),
  ).map(({ name }) => name);
}

/** The desired course as a complete description: the fields that it omits are null. */
export function completed(desired: PlainObject, remote: PlainObject): PlainObject {
  const cleared = unmanagedFields(desired, remote).map((name) => [name, null]);
  return { ...desired, ...Object.fromEntries(cleared) };
}

/** Whether two values of a field are the same: null equals absent, an empty list and the documented default. */
function isSameValue(field: Key, one: unknown, other: unknown): boolean {
  const { shape } = field;
  // Most values are equal, and this comparison copies nothing.
  if (isSame(shape, one, other)) return true;
  const [left, right] = [knownValue(field, one), knownValue(field, other)];
  if (isUnordered(shape) && isList(left) && isList(right)) return isSameSet(left, right);
  return isSame(shape, left, right);
}

/** The value of a field, or else its default; null without both. */
function knownValue(field: Key, value: unknown): unknown {
  const given = [pickGiven(field.shape, value), field.default];
  return (
    given.find((each) => (each ?? null) !== null && !(isList(each) && each.length === 0)) ?? null
  );
}

function isUnordered(shape: Shape | undefined): boolean {
  return shape?.kind === "list" && shape.isUnordered;
}

/** A value with only its known keys that are not null; null if none are left: `{ b: 1, a: null }` → `{ b: 1 }`. */
export function pickGiven(shape: Shape, value: unknown): unknown {
  if (shape.kind === "list" && isList(value)) {
    return value.map((element) => pickGiven(shape.of, element) ?? (isObject(element) ? {} : null));
  }
  if (shape.kind !== "object" || !isObject(value)) return value;
  const given = pickGivenKeys(shape.keys, value);
  return Object.keys(given).length === 0 ? null : given;
}

/** An object with only these keys, in their order, without keys that are null or missing. */
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

/** Whether two values of a shape mean the same to the service; unknown keys do not count. */
export function isSameIn(shape: Shape, one: unknown, other: unknown): boolean {
  return isSame(shape, pickGiven(shape, one), pickGiven(shape, other));
}

/**
 * Whether two values mean the same: null equals absent, the order of keys has no meaning, and the service may write
 * the same amount, number, boolean, id, url or line break differently: `49.9` and `49.90`, `https://A.example/` and `https://a.example`.
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
  if (left === null || right === null || typeof right === "object") return false;
  return normalized(shape, left) === normalized(shape, right);
}

/** A value in the one notation that is compared: `49.90` as an amount becomes `49.9`. */
function normalized(shape: Shape | undefined, written: unknown): unknown {
  // Programs for tables write other line breaks than web forms.
  const value = typeof written === "string" ? written.replace(/\r\n?/g, "\n") : written;
  if (shape?.kind === "boolean") return String(value);
  if (shape?.kind === "number") return typeof value === "string" ? Number(value) : value;
  if (shape?.kind !== "string") return value;
  if (shape.format === "uuid") return String(value).toLowerCase();
  if (shape.format === "url") return normalizeUrl(String(value));
  return shape.format === "amount" ? normalAmount(String(value)) : value;
}

/** An amount without superfluous zeros: `049.90` → `49.9`. Text, because a number has too few digits. */
function normalAmount(amount: string): string {
  if (!/^\d+(?:\.\d+)?$/.test(amount)) return amount;
  return amount.replace(/^0+(?=\d)/, "").replace(/\.0+$|(\.\d*[1-9])0+$/, "$1");
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

/** Skips equal elements at both ends, and compares the elements in the middle position by position. */
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

function ownValue(object: PlainObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
