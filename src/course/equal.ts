/** Compares field values as the service means them (cli.md sections 8 and 11). */
import { isList, isMapping, type Mapping } from "../base/values.ts";
import { type Field, WRITABLE_FIELDS } from "./fields.ts";

/**
 * Whether two values of a field are the same: null equals absent and equals the documented default,
 * object key order and the order of set-like lists do not matter.
 */
function sameValue(field: Field, one: unknown, other: unknown): boolean {
  const left = one ?? field.default ?? null;
  const right = other ?? field.default ?? null;
  if (field.shape.kind === "list" && field.shape.setLike && isList(left) && isList(right)) {
    return sameSet(left, right);
  }
  if (field.shape.kind === "text" && field.shape.format === "uuid") {
    return String(left).toLowerCase() === String(right).toLowerCase();
  }
  return deepEqual(left, right);
}

/** The fields of `wanted` whose value `held` does not have; the slug, which nobody sets, left out. */
export function differingFields(wanted: Mapping, held: Mapping): Field[] {
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

function deepEqual(one: unknown, other: unknown): boolean {
  const left = one ?? null;
  const right = other ?? null;
  if (isList(left)) {
    return (
      isList(right) &&
      left.length === right.length &&
      left.every((element, index) => deepEqual(element, right[index]))
    );
  }
  if (isMapping(left)) {
    if (!isMapping(right)) return false;
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...keys].every((key) => deepEqual(own(left, key), own(right, key)));
  }
  return left === right;
}

function own(mapping: Mapping, key: string): unknown {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}
