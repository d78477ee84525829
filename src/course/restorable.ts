/** Reduces a course, as the service returned it, to what can be sent to the service again. */
import { formatPath, isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { FIELD_NAMES } from "./field-names.ts";
import { WRITABLE_FIELDS } from "./fields.ts";
import type { Shape } from "./shape.ts";

/** A course that can be sent, and what had to be left out. */
export interface Restorable {
  readonly course: PlainObject;
  /** The paths of values that the documented interface does not contain. */
  readonly dropped: readonly string[];
}

/**
 * The writable fields with their documented keys. The service rejects other keys, even those that it
 * returns itself.
 */
export function toRestorable(course: PlainObject): Restorable {
  const dropped: string[] = [];
  const kept: Record<string, unknown> = {};
  for (const { name, shape } of WRITABLE_FIELDS) {
    if (Object.hasOwn(course, name)) kept[name] = knownPart(shape, course[name], [name], dropped);
  }
  const known: readonly string[] = FIELD_NAMES;
  for (const [name, value] of Object.entries(course)) {
    if (!known.includes(name) && value !== null) dropped.push(formatPath([name]));
  }
  return { course: kept, dropped };
}

function knownPart(shape: Shape, value: unknown, path: Path, dropped: string[]): unknown {
  if (shape.kind === "list" && isList(value)) {
    return value.map((element, index) => knownPart(shape.of, element, [...path, index], dropped));
  }
  if (shape.kind !== "object" || !isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const key = shape.keys.find((each) => each.name === name);
    const innerPath = [...path, name];
    if (key !== undefined) return [[name, knownPart(key.shape, inner, innerPath, dropped)]];
    if (inner !== null) dropped.push(formatPath(innerPath));
    return [];
  });
  return Object.fromEntries(entries);
}
