/** Stores users, their providers and their courses in memory, and completes the courses of clients. */
import type { Clock } from "../base/io.ts";
import type { PlainObject } from "../base/values.ts";
import { FIELDS } from "../course/fields.ts";
import type { Provider } from "../course/provider.ts";
import type { Course } from "../course/request-body.ts";

/** The owner of an API key (docs/service.md). */
export interface User {
  readonly key: string;
  readonly providers: readonly Provider[];
}

/** A course as the service stores and returns it, with every field in the documented order. */
export type StoredCourse = Course & {
  readonly name: string;
  readonly slug: string;
  readonly provider_id: string;
  readonly published: boolean;
};

/** The initial content of a store. UUIDs are lowercase; of two users or courses with one key or id, the last one counts. */
export interface Seed {
  /** Courses in the order of creation. */
  readonly users: readonly (User & { readonly courses: readonly StoredCourse[] })[];
}

/** The filters and the page of a listing (docs/service.md, "Lists"). UUIDs are lowercase. */
interface CourseFilter {
  readonly limit: number;
  readonly offset: number;
  readonly id?: string | undefined;
  readonly providerId?: string | undefined;
  /** A part of the name; case-sensitive. */
  readonly name?: string | undefined;
  readonly published?: boolean | undefined;
}

/** The state of the service. A change is complete when its call returns, and has no effect if the call throws. */
export type Store = ReturnType<typeof memoryStore>;

export function memoryStore(seed: Seed) {
  const users = new Map<string, User>();
  const owners = new Map<string, User>();
  for (const { key, providers } of seed.users) {
    const user = { key, providers };
    users.set(key, user);
    for (const { id } of providers) owners.set(id, user);
  }
  // A `Map` keeps the order of creation when a course is replaced.
  const courses = new Map<string, StoredCourse>();
  for (const course of seed.users.flatMap((user) => user.courses)) courses.set(course.id, course);
  const isOf = (user: User, course: StoredCourse | undefined): course is StoredCourse =>
    course !== undefined && owners.get(course.provider_id) === user;

  return {
    /** Adds a course, or replaces the course with the same id. The provider must exist. */
    put: (course: StoredCourse): void => {
      courses.set(course.id, course);
    },
    remove: (id: string): void => {
      courses.delete(id);
    },
    userOf: (key: string) => users.get(key),
    /** The user's courses in the order of creation. */
    courses: (user: User, query: CourseFilter): readonly StoredCourse[] => {
      const { id, limit, offset } = query;
      const found: StoredCourse[] = [];
      for (const course of id === undefined ? courses.values() : [courses.get(id)]) {
        if (found.length >= offset + limit) break;
        if (isOf(user, course) && matches(course, query)) found.push(course);
      }
      return found.slice(offset);
    },
    /** The course with that id, if it is the user's. */
    course: (user: User, id: string): StoredCourse | undefined => {
      const course = courses.get(id);
      return isOf(user, course) ? course : undefined;
    },
    /** The course with that id, of any user. */
    find: (id: string) => courses.get(id),
    all: (): readonly StoredCourse[] => [...courses.values()],
  };
}

function matches(course: StoredCourse, { providerId, name, published }: CourseFilter): boolean {
  return (
    (providerId === undefined || course.provider_id === providerId) &&
    (name === undefined || course.name.includes(name)) &&
    (published === undefined || course.published === published)
  );
}

/**
 * Completes the valid values of a new course, or of an existing course with changes. A field that is absent or
 * null gets its default, or null if it has none. UUIDs become lowercase.
 */
export function toStoredCourse(
  values: PlainObject,
  clock: Pick<Clock, "now" | "random" | "uuid">,
): StoredCourse {
  const fields: Record<string, unknown> = {};
  for (const { name, default: usual = null } of FIELDS) {
    fields[name] = (Object.hasOwn(values, name) ? values[name] : undefined) ?? usual;
  }
  const { id, slug, name } = values;
  // Assigning to existing keys preserves the documented order.
  return Object.assign(fields, {
    id: typeof id === "string" ? id.toLowerCase() : clock.uuid(),
    name: String(name),
    slug: typeof slug === "string" && slug.trim() !== "" ? slug : newSlug(String(name), clock),
    provider_id: String(values.provider_id).toLowerCase(),
    published: values.published !== false,
    approval_status: values.approval_status ?? "pending",
    last_fetched_at: values.last_fetched_at ?? formatTimestamp(clock.now()),
    schema_version: values.schema_version ?? "1.0.0",
  });
}

/** Formats a time in ISO 8601, with seconds and the UTC offset: `2026-11-23T10:15:00+00:00`. */
function formatTimestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -".000Z".length)}+00:00`;
}

const SUFFIX_LENGTH = 8;

/** A name in lowercase ASCII letters, digits and hyphens: `Café 2` gives `cafe-2`; `other` if nothing is left. */
export function asciiSlug(name: string, other: string): string {
  const words = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return words.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || other;
}

/** A slug with a random suffix. */
function newSlug(name: string, clock: Pick<Clock, "random">): string {
  const number = Math.floor(clock.random() * 36 ** SUFFIX_LENGTH);
  return `${asciiSlug(name, "course")}-${number.toString(36).padStart(SUFFIX_LENGTH, "0")}`;
}
