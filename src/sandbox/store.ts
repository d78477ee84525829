/** Stores users, their providers and their courses in memory. */
import type { Provider } from "../course/provider.ts";
import type { StoredCourse } from "./stored-course.ts";

/** The owner of an API key (docs/service.md, "Authentication"). */
export interface User {
  readonly key: string;
  readonly providers: readonly Provider[];
}

/** The initial content of a store; keys and ids are unique, UUIDs in lower case. */
export interface Seed {
  /** Courses in the order of creation. */
  readonly users: readonly (User & { readonly courses: readonly StoredCourse[] })[];
}

/** Filters and page of a listing (docs/service.md, "Listing courses"). UUIDs in lower case. */
export interface CourseQuery {
  readonly limit: number;
  readonly offset: number;
  readonly id?: string | undefined;
  readonly providerId?: string | undefined;
  /** Case-sensitive part of the name. */
  readonly name?: string | undefined;
  readonly published?: boolean | undefined;
}

/** The state of the service. A change is complete when its call returns, and lost if it throws. */
export interface Store {
  userOf(key: string): User | undefined;
  /** The user's courses in the order of creation, each as JSON. */
  courses(user: User, query: CourseQuery): readonly string[];
  course(user: User, id: string): StoredCourse | undefined;
  /** Whether any user has a course with that id. */
  hasCourse(id: string): boolean;
  hasSlug(slug: string): boolean;
  /** Adds a course, or replaces the one with its id. Its provider must exist. */
  put(course: StoredCourse): void;
  remove(id: string): void;
}

export interface MemoryStore extends Store {
  readonly size: number;
  /** Every course as JSON, in the order of creation. */
  all(): Iterable<string>;
}

/** A course as JSON, since most are only ever listed, with its owner and the fields that filters need. */
interface StoredRow {
  readonly owner: User | undefined;
  readonly slug: string;
  readonly providerId: string;
  readonly name: string;
  readonly published: boolean;
  readonly json: string;
}

/** Creates a store with the content of a seed. */
export function memoryStore(seed: Seed): MemoryStore {
  const users = new Map<string, User>();
  const owners = new Map<string, User>();
  for (const { key, providers } of seed.users) {
    const user = { key, providers };
    users.set(key, user);
    for (const { id } of providers) owners.set(id, user);
  }
  // A `Map` preserves the order of creation over replacements.
  const rows = new Map<string, StoredRow>();
  const slugs = new Set<string>();
  const find = (user: User, id: string): StoredRow | undefined => {
    const row = rows.get(id);
    return row?.owner === user ? row : undefined;
  };
  const put = (course: StoredCourse): void => {
    const { id, slug, provider_id: providerId, name, published } = course;
    slugs.delete(rows.get(id)?.slug ?? "");
    slugs.add(slug);
    const json = JSON.stringify(course);
    rows.set(id, { owner: owners.get(providerId), slug, providerId, name, published, json });
  };
  for (const { courses } of seed.users) for (const course of courses) put(course);

  return {
    userOf: (key) => users.get(key),
    courses: (user, query) => {
      const { id, limit, offset } = query;
      const row = id === undefined ? undefined : find(user, id);
      const candidates = id === undefined ? rows.values() : row === undefined ? [] : [row];
      const found: string[] = [];
      for (const candidate of candidates) {
        if (found.length >= offset + limit) break;
        if (candidate.owner === user && matches(candidate, query)) found.push(candidate.json);
      }
      return found.slice(offset);
    },
    course: (user, id) => {
      const row = find(user, id);
      return row === undefined ? undefined : JSON.parse(row.json);
    },
    hasCourse: (id) => rows.has(id),
    hasSlug: (slug) => slugs.has(slug),
    put,
    remove: (id) => {
      slugs.delete(rows.get(id)?.slug ?? "");
      rows.delete(id);
    },
    get size() {
      return rows.size;
    },
    *all() {
      for (const { json } of rows.values()) yield json;
    },
  };
}

function matches(row: StoredRow, { providerId, name, published }: CourseQuery): boolean {
  return (
    (providerId === undefined || row.providerId === providerId) &&
    (name === undefined || row.name.includes(name)) &&
    (published === undefined || row.published === published)
  );
}
