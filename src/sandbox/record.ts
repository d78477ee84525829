/** Completes what a client sent to the course that the service holds (api.md, "Course"). */
import type { PlainObject } from "../base/values.ts";
import { FIELDS, type Field } from "../course/fields.ts";
import type { Course } from "../course/wire.ts";

/** A course as the service holds and returns it: every field, in the document's order. */
export type StoredCourse = Course & {
  readonly name: string;
  readonly slug: string;
  readonly provider_id: string;
  readonly published: boolean;
};

/** What the service decides itself. */
export interface OwnValues {
  /** In lower case. */
  readonly id: string;
  readonly slug: string;
  /** Milliseconds since 1970-01-01 UTC; used where the values hold no `last_fetched_at`. */
  readonly now: number;
}

/** api.md, "States": a course starts as pending. */
const FIRST_STATUS = "pending";
const SCHEMA_VERSION = "1.0.0";

/**
 * The course of these values, which obey every rule: defaults where a field is absent or null, null
 * where it has no default, UUIDs in lower case. A course and its changes laid over it make the
 * changed course.
 */
export function storedCourse(values: PlainObject, own: OwnValues): StoredCourse {
  const fields: Record<string, unknown> = {};
  for (const field of FIELDS) fields[field.name] = fieldValue(field, values);
  // Keys that exist keep their place, so the document's order stays.
  return Object.assign(fields, {
    id: own.id,
    name: String(values.name),
    slug: own.slug,
    provider_id: String(values.provider_id).toLowerCase(),
    published: values.published !== false,
    approval_status: values.approval_status ?? FIRST_STATUS,
    last_fetched_at: values.last_fetched_at ?? timestamp(own.now),
    schema_version: values.schema_version ?? SCHEMA_VERSION,
  });
}

function fieldValue(field: Field, values: PlainObject): unknown {
  const given = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
  return given ?? field.default ?? null;
}

/** The end of a time as JavaScript writes it. */
const MILLISECONDS = ".000Z";

/** api.md, Course: last_fetched_at is ISO 8601 with the UTC offset. */
function timestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -MILLISECONDS.length)}+00:00`;
}
