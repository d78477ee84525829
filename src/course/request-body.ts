/** Turns the content of a course file or record into what is sent to the service. */
import { v5 } from "uuid";
import { formatPath, isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { EXTERNAL_KEY, FIELD_NAMES } from "./field-names.ts";
import { WRITABLE_FIELDS } from "./fields.ts";
import { fitScalar, type Shape } from "./shape.ts";

/** A course as the service returns it, possibly with fields that this program does not support. */
export type Course = PlainObject & { readonly id: string };

/**
 * The id of a new course whose file gives none, the same in every run: the UUIDv5 of `key:<key>`, or
 * without a key of its url exactly as written, in the namespace of its provider's id.
 *
 * @param course with `url` and a `provider_id` in either case
 */
export function derivedId(course: PlainObject): string {
  const { provider_id: providerId, [EXTERNAL_KEY]: key, url } = course;
  const name = typeof key === "string" ? `${EXTERNAL_KEY}:${key}` : String(url);
  // As bytes, since the library accepts strings only of the known UUID versions.
  return v5(name, Buffer.from(String(providerId).replaceAll("-", ""), "hex"));
}

/** The body that creates a course: writable fields without nulls, which mean "not set" there. */
export function toCreateBody(course: PlainObject): PlainObject {
  return writable(course, (value) => value !== null);
}

/** The body that changes a course: its writable fields except the id; null means "clear" there. */
export function toUpdateBody(course: PlainObject): PlainObject {
  return writable(course, (_value, name) => name !== "id");
}

function writable(
  course: PlainObject,
  isSent: (value: unknown, name: string) => boolean,
): PlainObject {
  const body: Record<string, unknown> = {};
  for (const { name } of WRITABLE_FIELDS) {
    const value = Object.hasOwn(course, name) ? course[name] : undefined;
    if (value !== undefined && isSent(value, name)) body[name] = withoutNulls(value);
  }
  return body;
}

/** Inside an object, null means the same as an absent key, which the service accepts everywhere. */
function withoutNulls(value: unknown): unknown {
  if (isList(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]));
}

/** A course that can be sent, and what had to be left out. */
interface Restorable {
  readonly course: PlainObject;
  /** The paths of values that the documented interface does not contain. */
  readonly dropped: readonly string[];
}

/** The writable fields with their documented keys and types: the service rejects others, even its own. */
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
  if (shape.kind !== "object" || !isObject(value)) return fitScalar(shape, value);
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const key = shape.byName.get(name);
    const innerPath = [...path, name];
    if (key !== undefined) return [[name, knownPart(key.shape, inner, innerPath, dropped)]];
    if (inner !== null) dropped.push(formatPath(innerPath));
    return [];
  });
  return Object.fromEntries(entries);
}
