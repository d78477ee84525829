/** Turns the content of a course file or a record into what is sent to the service. */
import { createHash } from "node:crypto";
import type { PlainObject } from "../base/values.ts";
import { pickGiven, pickGivenKeys } from "./difference.ts";
import { COURSE_SHAPE, WRITABLE_FIELDS } from "./fields.ts";
import { readValue } from "./read-value.ts";
import { EXTERNAL_KEY } from "./special-fields.ts";

/** A course as the service returns it, possibly with fields that catalog does not support. */
export type Course = PlainObject & { readonly id: string };

/**
 * The id of a new course whose file has none. Every run derives the same id: the UUIDv5 of `key:<key>`, or
 * of the url exactly as written if the course has no key, in the namespace of the provider's id.
 */
export function derivedId(course: PlainObject): string {
  const { provider_id: providerId, [EXTERNAL_KEY]: key, url } = course;
  const name = typeof key === "string" ? `${EXTERNAL_KEY}:${key}` : String(url);
  return uuidV5(name, String(providerId));
}

/** The UUID of a name in the namespace of another UUID (RFC 9562, section 5.5). */
function uuidV5(name: string, namespace: string): string {
  const space = Buffer.from(namespace.replaceAll("-", ""), "hex");
  const hex = createHash("sha1").update(space).update(name).digest("hex");
  // The two highest bits of this digit are the variant; the others are a part of the hash.
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const digits = `${hex.slice(0, 12)}5${hex.slice(13, 16)}${variant}${hex.slice(17, 32)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The body that creates a course: its writable fields, without nulls, which mean "not set". */
export function toCreateBody(course: PlainObject, id: string): Course {
  // Assigned: V8 gives the result of each spread another hidden class, which costs memory.
  return Object.assign(pickGivenKeys(WRITABLE_FIELDS, course), { id });
}

/** The body that changes a course: its writable fields except the id. Null means "clear". */
export function toUpdateBody(course: PlainObject): PlainObject {
  const given = WRITABLE_FIELDS.filter(({ name }) => {
    return name !== "id" && Object.hasOwn(course, name) && course[name] !== undefined;
  });
  return Object.fromEntries(
    given.map(({ name, shape }) => [name, pickGiven(shape, course[name]) ?? null]),
  );
}

/** A course as the service returned it, with the documented types, from which the other functions make a body. */
export function toRestorable(course: PlainObject): PlainObject {
  return Object(readValue(course, COURSE_SHAPE, "program"));
}
