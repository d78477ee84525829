/** Turns the content of a course file or an record into what is sent to the service. */
import { v5 } from "uuid";
import { formatPath, isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { EXTERNAL_KEY } from "./field-names.ts";
import { FIELD_NAMES, WRITABLE_FIELDS } from "./fields.ts";
import { fitScalar, type Shape } from "./shape.ts";

/** A course as the service returns it, possibly with fields that catalog does not support. */
export type Course = PlainObject & { readonly id: string };

/**
 * The id of a new course whose file has none. Every run derives the same id: the UUIDv5 of `key:<key>`, or
 * of the url exactly as written if the course has no key, in the namespace of the provider's id.
 */
export function derivedId(course: PlainObject): string {
  const { provider_id: providerId, [EXTERNAL_KEY]: key, url } = course;
  const name = typeof key === "string" ? `${EXTERNAL_KEY}:${key}` : String(url);
  // As bytes, because the library rejects strings of unknown UUID versions.
  return v5(name, Buffer.from(String(providerId).replaceAll("-", ""), "hex"));
}

/** The body that creates a course: its writable fields, without nulls, which mean "not set". */
export function toCreateBody(course: PlainObject, id: string): Course {
  const body = writable(course, (value) => value !== null);
  // Assigned: V8 gives the result of each spread another hidden class, which costs memory.
  return Object.assign(body, { id });
}

/** The body that changes a course: its writable fields except the id. Null means "clear". */
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

/** A value without the nulls inside it, which mean the same as absent keys; no copy of a value without nulls. */
function withoutNulls(value: unknown): unknown {
  if (!hasNull(value)) return value;
  if (isList(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]));
}

function hasNull(value: unknown): boolean {
  if (isList(value)) return value.some(hasNull);
  return isObject(value) && Object.values(value).some((inner) => inner === null || hasNull(inner));
}

/** A course that can be sent, and what cannot be sent with it. */
interface Restorable {
  readonly course: PlainObject;
  /** The paths of the values that are not in docs/service.md, such as `prices[0].tax`. */
  readonly dropped: readonly string[];
}

/** The writable fields with their documented keys and types. The service rejects all others, even if it returned them. */
export function toRestorable(course: PlainObject): Restorable {
  const dropped: string[] = [];
  const kept: Record<string, unknown> = {};
  for (const { name, shape } of WRITABLE_FIELDS) {
    if (Object.hasOwn(course, name)) kept[name] = knownPart(shape, course[name], [name], dropped);
  }

  for (const [name, value] of Object.entries(course)) {
    if (!FIELD_NAMES.includes(name) && value !== null) dropped.push(formatPath([name]));
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
