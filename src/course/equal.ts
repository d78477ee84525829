/** Compares field values as the service means them (cli.md sections 8 and 11). */
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { type Field, WRITABLE_FIELDS } from "./fields.ts";
import type { Shape } from "./shape.ts";

/**
 * Whether two values of a field are the same: null equals absent and equals the documented default,
 * object key order and the order of set-like lists do not matter.
 */
function sameValue(field: Field, one: unknown, other: unknown): boolean {
  // Nearly all values of a catalog are, and nothing has to be made to see it.
  if (isIdentical(one, other)) return true;
  const left = comparable(field.shape, one) ?? field.default ?? null;
  const right = comparable(field.shape, other) ?? field.default ?? null;
  if (field.shape.kind === "list" && field.shape.setLike && isList(left) && isList(right)) {
    return sameSet(left, right);
  }
  const isId = field.shape.kind === "text" && field.shape.format === "uuid";
  if (isId && typeof left === "string" && typeof right === "string") {
    return left.toLowerCase() === right.toLowerCase();
  }
  return sameDeep(left, right);
}

/** Whether the second value says what the first says in the same way; more nulls say nothing. */
function isIdentical(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (isList(one)) {
    return (
      isList(other) &&
      one.length === other.length &&
      one.every((element, index) => isIdentical(element, other[index]))
    );
  }
  if (!isObject(one) || !isObject(other)) return false;
  let left = 0;
  for (const key of Object.keys(other)) {
    if (Object.hasOwn(one, key)) {
      if (!isIdentical(one[key], other[key])) return false;
      left++;
    } else if (other[key] !== null) {
      return false;
    }
  }
  return left === Object.keys(one).length;
}

/**
 * What of a value counts in a comparison: of objects the known keys that are set, as the service may
 * add others, which no file can hold. An object of which nothing is left is null.
 */
export function comparable(shape: Shape, value: unknown): unknown {
  if (shape.kind === "list" && isList(value)) {
    return value.map((element) => comparable(shape.of, element));
  }
  if (shape.kind !== "object" || !isObject(value)) return value;
  const entries = shape.keys
    .map((key) => [key.name, comparable(key.shape, own(value, key.name)) ?? null] as const)
    .filter(([, inner]) => inner !== null);
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** The fields of `wanted` whose value `held` does not have; the slug, which nobody sets, left out. */
export function differingFields(wanted: PlainObject, held: PlainObject): Field[] {
  return WRITABLE_FIELDS.filter(
    (field) =>
      field.name !== "slug" &&
      Object.hasOwn(wanted, field.name) &&
      !sameValue(field, wanted[field.name], held[field.name]),
  );
}

function sameSet(one: readonly unknown[], other: readonly unknown[]): boolean {
  const left = new Set(one);
  const right = new Set(other);
  return left.size === right.size && [...left].every((element) => right.has(element));
}

/** Whether two values say the same: null equals absent, and the order of keys means nothing. */
export function sameDeep(one: unknown, other: unknown): boolean {
  const left = one ?? null;
  const right = other ?? null;
  if (isList(left)) {
    return (
      isList(right) &&
      left.length === right.length &&
      left.every((element, index) => sameDeep(element, right[index]))
    );
  }
  if (isObject(left)) {
    if (!isObject(right)) return false;
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...keys].every((key) => sameDeep(own(left, key), own(right, key)));
  }
  return left === right;
}

function own(mapping: PlainObject, key: string): unknown {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}
