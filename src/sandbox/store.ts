/** Stores users, their providers and their courses in memory. */
import type { Provider } from "../course/provider.ts";
import type { StoredCourse } from "./stored-course.ts";

/** The owner of an API key (docs/service.md, "Authentication"). */
export interface User {
  readonly key: string;
  readonly providers: readonly Provider[];
}

/** A user with their first courses, in the order of creation. */
interface SeedUser extends User {
  readonly courses: readonly StoredCourse[];
}

/** The initial content of a store; keys and ids are unique, UUIDs in lower case. */
export interface Seed {
  readonly users: readonly SeedUser[];
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

/** A store in memory. */
export interface MemoryStore extends Store {
  /** How many courses it has. */
  readonly size: number;
  /** Every course as JSON, in the order of creation. */
  all(): Iterable<string>;
}

/** A course as JSON, since most are only ever listed, with the fields that filters need. */
interface StoredRow {
  readonly id: string;
  readonly slug: string;
  readonly providerId: string;
  readonly name: string;
  readonly published: boolean;
  readonly json: string;
}

/** Creates a store with the content of a seed. */
export function memoryStore(seed: Seed): MemoryStore {
  const users = new Map(
    seed.users.map(({ key, providers }): [string, User] => [key, { key, providers }]),
  );
  const rows = new Map<string, StoredRow>();
  const slugs = new Set<string>();
  const rowsByOwner = new Map<User, OwnerRows>();
  const owners = new Map<string, OwnerRows>();
  for (const user of users.values()) {
    const owned = new OwnerRows();
    rowsByOwner.set(user, owned);
    for (const { id } of user.providers) owners.set(id, owned);
  }
  const find = (user: User, id: string): StoredRow | undefined => rowsByOwner.get(user)?.get(id);
  const put = (course: StoredCourse): void => {
    const row = toRow(course);
    const before = rows.get(row.id);
    if (before !== undefined) slugs.delete(before.slug);
    slugs.add(row.slug);
    rows.set(row.id, row);
    owners.get(row.providerId)?.set(row);
  };
  const remove = (id: string): void => {
    const row = rows.get(id);
    if (row === undefined) return;
    rows.delete(id);
    slugs.delete(row.slug);
    owners.get(row.providerId)?.delete(id);
  };
  for (const { courses } of seed.users) for (const course of courses) put(course);

  return {
    userOf: (key) => users.get(key),
    courses: (user, query) => {
      const { id, providerId } = query;
      const found =
        id === undefined
          ? rowsByOwner.get(user)?.list(providerId)
          : [find(user, id)].filter((row) => row !== undefined);
      return selectPage(found ?? [], query);
    },
    course: (user, id) => {
      const row = find(user, id);
      return row === undefined ? undefined : JSON.parse(row.json);
    },
    hasCourse: (id) => rows.has(id),
    hasSlug: (slug) => slugs.has(slug),
    put,
    remove,
    get size() {
      return rows.size;
    },
    *all() {
      for (const { json } of rows.values()) yield json;
    },
  };
}

/** One user's rows. The lists are cached between changes, since a listing is read page by page. */
class OwnerRows {
  readonly #rows = new Map<string, StoredRow>();
  /** By provider; undefined for all. */
  readonly #lists = new Map<string | undefined, readonly StoredRow[]>();

  get(id: string): StoredRow | undefined {
    return this.#rows.get(id);
  }

  set(row: StoredRow): void {
    this.#rows.set(row.id, row);
    this.#lists.clear();
  }

  delete(id: string): void {
    this.#rows.delete(id);
    this.#lists.clear();
  }

  /** In the order of creation, which a `Map` preserves over replacements. */
  list(provider: string | undefined): readonly StoredRow[] {
    let list = this.#lists.get(provider);
    if (list === undefined) {
      const rows = [...this.#rows.values()];
      list = rows.filter(({ providerId }) => provider === undefined || providerId === provider);
      this.#lists.set(provider, list);
    }
    return list;
  }
}

function toRow(course: StoredCourse): StoredRow {
  const { id, slug, provider_id: providerId, name, published } = course;
  return { id, slug, providerId, name, published, json: JSON.stringify(course) };
}

function selectPage(rows: readonly StoredRow[], query: CourseQuery): string[] {
  const { limit, offset, id, name, published } = query;
  const end = offset + limit;
  // The list of a provider has only its courses.
  if (id === undefined && name === undefined && published === undefined) {
    return rows.slice(offset, end).map(({ json }) => json);
  }
  const matching: string[] = [];
  for (const row of rows) {
    if (matching.length >= end) break;
    if (matches(row, query)) matching.push(row.json);
  }
  return matching.slice(offset);
}

function matches(row: StoredRow, { providerId, name, published }: CourseQuery): boolean {
  return (
    (providerId === undefined || row.providerId === providerId) &&
    (name === undefined || row.name.includes(name)) &&
    (published === undefined || row.published === published)
  );
}
