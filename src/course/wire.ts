/** Turns what a file says into what is sent, and what is sent into what the service would hold. */
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { WRITABLE_FIELDS } from "./fields.ts";

/** A course as the service returns it: the fields of api.md, and any that it may add. */
export type Course = PlainObject & { readonly id: string };

/**
 * The body that creates a course: the writable fields in the document's order, without nulls, which
 * on create mean "not set" (cli.md section 7).
 */
export function toCreation(course: PlainObject): PlainObject {
  return writable(course, (value) => value !== null);
}

/**
 * The body that changes a course: the writable fields that are given, nulls included, which on
 * update mean "clear". The id is no attribute to change.
 */
export function toChange(course: PlainObject): PlainObject {
  return writable(course, (_value, name) => name !== "id");
}

function writable(
  course: PlainObject,
  keep: (value: unknown, name: string) => boolean,
): PlainObject {
  const body: Record<string, unknown> = {};
  for (const { name } of WRITABLE_FIELDS) {
    const value = Object.hasOwn(course, name) ? course[name] : undefined;
    if (value === undefined || !keep(value, name)) continue;
    // Few values need a copy, and thousands of courses have many.
    body[name] = holdsNull(value) ? withoutNulls(value) : value;
  }
  return body;
}

/** Whether there is a null inside an object, however deep. */
function holdsNull(value: unknown): boolean {
  if (isList(value)) return value.some(holdsNull);
  if (!isObject(value)) return false;
  return Object.values(value).some((inner) => inner === null || holdsNull(inner));
}

/** Inside an object a null says what leaving the key out says, and is easier to refuse. */
function withoutNulls(value: unknown): unknown {
  if (isList(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]));
}
