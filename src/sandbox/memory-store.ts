/** Keeps the state of the service in memory, indexed by id, user and provider. */
import { bytesOf, courseOf, type Held, held } from "./held.ts";
import type { CourseQuery, Seed, Store, User } from "./store.ts";

/** A course and when it was created, counted from 0. */
interface Entry {
  readonly created: number;
  course: Held;
}

/** A store that can be changed at once, for one that keeps it elsewhere; each change can be undone. */
export interface MemoryStore extends Store {
  /** Takes a course, in the place of the one with its id if there is one. @returns takes it back */
  put(course: Held): () => void;
  /**
   * Gives the course of that id away.
   *
   * @returns brings it back to where it was
   * @throws Error when there is none
   */
  take(id: string): () => void;
}

/** A store that starts from a seed and forgets all at its end. */
export function memoryStore(seed: Seed): MemoryStore {
  const users = new Map<string, User>();
  const owners = new Map<string, User>();
  const byId = new Map<string, Entry>();
  const byUser = new Map<User, Entry[]>();
  const byProvider = new Map<string, Entry[]>();
  const slugs = new Set<string>();
  let created = 0;

  const listsOf = ({ provider_id: provider }: Held): Entry[][] => {
    const owner = owners.get(provider);
    const lists = [byProvider.get(provider), owner && byUser.get(owner)];
    return lists.filter((list) => list !== undefined);
  };
  const insert = (entry: Entry): void => {
    byId.set(entry.course.id, entry);
    slugs.add(entry.course.slug);
    for (const list of listsOf(entry.course)) {
      const place = placeOf(entry, list);
      if (place === list.length) list.push(entry);
      else list.splice(place, 0, entry);
    }
  };
  const withdraw = (entry: Entry): void => {
    byId.delete(entry.course.id);
    slugs.delete(entry.course.slug);
    for (const list of listsOf(entry.course)) list.splice(placeOf(entry, list), 1);
  };
  const change = (entry: Entry, course: Held): void => {
    // Most changes leave it in its lists, which may be long.
    if (entry.course.provider_id === course.provider_id && entry.course.slug === course.slug) {
      entry.course = course;
      return;
    }
    withdraw(entry);
    entry.course = course;
    insert(entry);
  };
  const put = (course: Held): (() => void) => {
    const entry = byId.get(course.id);
    if (entry === undefined) {
      const added = { created, course };
      created += 1;
      insert(added);
      return () => withdraw(added);
    }
    const before = entry.course;
    change(entry, course);
    return () => change(entry, before);
  };
  const take = (id: string): (() => void) => {
    const entry = byId.get(id);
    if (entry === undefined) throw new Error(`the store holds no course ${id}`);
    withdraw(entry);
    return () => insert(entry);
  };
  const owns = (user: User, { course }: Entry): boolean => owners.get(course.provider_id) === user;
  const candidates = (user: User, { id, providerId }: CourseQuery): readonly Entry[] => {
    if (id !== undefined) {
      const entry = byId.get(id);
      return entry !== undefined && owns(user, entry) ? [entry] : [];
    }
    if (providerId === undefined) return byUser.get(user) ?? [];
    return owners.get(providerId) === user ? (byProvider.get(providerId) ?? []) : [];
  };

  for (const { key, providers } of seed.users) {
    const user: User = { key, providers };
    users.set(key, user);
    byUser.set(user, []);
    for (const { id } of providers) {
      owners.set(id, user);
      byProvider.set(id, []);
    }
  }
  for (const { courses } of seed.users) for (const course of courses) put(held(course));

  return {
    userOf: (key) => users.get(key),
    courses: (user, query) => page(candidates(user, query), query),
    course: (user, id) => {
      const entry = byId.get(id);
      return entry !== undefined && owns(user, entry) ? courseOf(entry.course) : undefined;
    },
    hasCourse: (id) => byId.has(id),
    hasSlug: (slug) => slugs.has(slug),
    put,
    take,
    settled: async () => undefined,
    add: async (course) => void put(held(course)),
    replace: async (course) => void put(held(course)),
    remove: async (id) => void take(id),
  };
}

function page(entries: readonly Entry[], query: CourseQuery): Buffer[] {
  const { limit, offset, id, name, published } = query;
  const end = offset + limit;
  if (id === undefined && name === undefined && published === undefined) {
    return entries.slice(offset, end).map(({ course }) => bytesOf(course));
  }
  const matching: Held[] = [];
  for (const { course } of entries) {
    if (matching.length >= end) break;
    if (matches(course, query)) matching.push(course);
  }
  return matching.slice(offset).map(bytesOf);
}

function matches(course: Held, { providerId, name, published }: CourseQuery): boolean {
  return (
    (providerId === undefined || course.provider_id === providerId) &&
    (name === undefined || course.name.includes(name)) &&
    (published === undefined || course.published === published)
  );
}

/** Where an entry stands, or belongs, in a list ordered by creation. */
function placeOf(entry: Entry, list: readonly Entry[]): number {
  let low = 0;
  let high = list.length;
  // Most are added at the end.
  if ((list[high - 1]?.created ?? -1) < entry.created) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = list[middle];
    if (other !== undefined && other.created < entry.created) low = middle + 1;
    else high = middle;
  }
  return low;
}
