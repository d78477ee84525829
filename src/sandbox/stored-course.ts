/** Completes what a client sent to the course that the service stores. */
import type { Clock } from "../base/process.ts";
import type { PlainObject } from "../base/values.ts";
import { FIELDS } from "../course/fields.ts";
import type { Course } from "../course/request-body.ts";

/** A course as the service stores and returns it: every field, in the documented order. */
export type StoredCourse = Course & {
  readonly name: string;
  readonly slug: string;
  readonly provider_id: string;
  readonly published: boolean;
};

interface ServiceValues {
  /** In lower case. */
  readonly id: string;
  readonly slug: string;
  /** Milliseconds since 1970-01-01 UTC, for a course without `last_fetched_at`. */
  readonly now: number;
}

/**
 * Completes valid values: the default where a field is absent or null, null where it has no default,
 * UUIDs in lower case. An existing course with changes merged in gives the changed course.
 */
export function toStoredCourse(
  values: PlainObject,
  { id, slug, now }: ServiceValues,
): StoredCourse {
  const fields: Record<string, unknown> = {};
  for (const { name, default: usual = null } of FIELDS) {
    fields[name] = (Object.hasOwn(values, name) ? values[name] : undefined) ?? usual;
  }
  // Assigning to existing keys preserves the documented order.
  return Object.assign(fields, {
    id,
    name: String(values.name),
    slug,
    provider_id: String(values.provider_id).toLowerCase(),
    published: values.published !== false,
    approval_status: values.approval_status ?? "pending",
    last_fetched_at: values.last_fetched_at ?? formatTimestamp(now),
    schema_version: values.schema_version ?? "1.0.0",
  });
}

/** ISO 8601 with the UTC offset, in seconds. */
function formatTimestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -".000Z".length)}+00:00`;
}

const LONGEST_PREFIX = 60;
const SUFFIX_LENGTH = 8;
const SUFFIXES = 36 ** SUFFIX_LENGTH;

/** A name in lower-case ASCII letters, digits and hyphens; `other` if nothing is left of it. */
export function asciiSlug(name: string, other: string): string {
  const words = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const slug = words.replace(/[^a-z0-9]+/g, "-").replace(/^-/, "");
  return slug.slice(0, LONGEST_PREFIX).replace(/-$/, "") || other;
}

export function newSlug(
  name: string,
  clock: Pick<Clock, "random">,
  isUsed: (slug: string) => boolean,
): string {
  const prefix = asciiSlug(name, "course");
  // Counting up ends even if the random numbers repeat.
  let number = Math.floor(clock.random() * SUFFIXES);
  let slug = withSuffix(prefix, number);
  while (isUsed(slug)) {
    number = (number + 1) % SUFFIXES;
    slug = withSuffix(prefix, number);
  }
  return slug;
}

function withSuffix(prefix: string, number: number): string {
  return `${prefix}-${number.toString(36).padStart(SUFFIX_LENGTH, "0")}`;
}
