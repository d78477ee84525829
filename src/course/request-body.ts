/** Turns the content of a course file into what is sent to the service. */
import { v5 } from "uuid";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { WRITABLE_FIELDS } from "./fields.ts";

/** A course as the service returns it, possibly with fields that this program does not support. */
export type Course = PlainObject & { readonly id: string };

/**
 * The id of a new course whose file gives none, the same in every run: the UUIDv5 of its url, exactly
 * as it is written, in the namespace of its provider's id.
 *
 * @param providerId a UUID in either case
 */
export function newCourseId(providerId: string, url: string): string {
  // As bytes, since the library accepts strings only of the known UUID versions.
  return v5(url, Buffer.from(providerId.replaceAll("-", ""), "hex"));
}

/**
 * The body that creates a course: the writable fields in the documented order, without nulls, which
 * mean "not set" there.
 */
export function toCreateBody(course: PlainObject): PlainObject {
  return writable(course, (value) => value !== null);
}

/**
 * The body that changes a course: the writable fields that are given, including nulls, which mean
 * "clear" there. The id cannot be changed.
 */
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
