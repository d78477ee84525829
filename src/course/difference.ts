/** Says where two values of a field differ, as deep as the difference lies (cli.md section 8). */
import { isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { comparable, differingFields, sameDeep } from "./equal.ts";
import type { Field } from "./fields.ts";

/** One value that is to be another. Absent values are null. */
export interface Change {
  readonly path: Path;
  readonly old: unknown;
  readonly new: unknown;
}

/** The changes that make the held course say what the wanted one does, in the document's order. */
export function changesOf(wanted: PlainObject, held: PlainObject): Change[] {
  return differingFields(wanted, held).flatMap((field) => fieldChanges(field, wanted, held));
}

function fieldChanges(field: Field, wanted: PlainObject, held: PlainObject): Change[] {
  const value = comparable(field.shape, wanted[field.name]) ?? null;
  const old = comparable(field.shape, held[field.name]) ?? null;
  // The order of a set means nothing, so no place in it does.
  const isSet = field.shape.kind === "list" && field.shape.setLike === true;
  return isSet ? [{ path: [field.name], old, new: value }] : valueChanges([field.name], value, old);
}

function valueChanges(path: Path, value: unknown, old: unknown): Change[] {
  if (isObject(value) && isObject(old)) return mappingChanges(path, value, old);
  if (isList(value) && isList(old)) return listChanges(path, value, old);
  return sameDeep(value, old) ? [] : [{ path, old: old ?? null, new: value ?? null }];
}

function mappingChanges(path: Path, value: PlainObject, old: PlainObject): Change[] {
  const keys = new Set([...Object.keys(old), ...Object.keys(value)]);
  return [...keys].flatMap((key) => valueChanges([...path, key], own(value, key), own(old, key)));
}

/** What is alike at both ends stays; of what lies between, elements are compared one by one. */
function listChanges(path: Path, value: readonly unknown[], old: readonly unknown[]): Change[] {
  const shorter = Math.min(value.length, old.length);
  let start = 0;
  while (start < shorter && sameDeep(value[start], old[start])) start++;
  let end = 0;
  while (end < shorter - start && sameDeep(value.at(-1 - end), old.at(-1 - end))) end++;
  const last = Math.max(value.length, old.length) - end;
  const places = Array.from({ length: last - start }, (_, index) => start + index);
  // One element may have changed in more places than a call can take arguments.
  return places.flatMap((index) => {
    const to = index < value.length - end ? value[index] : null;
    const from = index < old.length - end ? old[index] : null;
    return valueChanges([...path, index], to, from);
  });
}

function own(mapping: PlainObject, key: string): unknown {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}
