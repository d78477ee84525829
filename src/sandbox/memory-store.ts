/** Keeps the state of the service in memory, indexed by id, user and provider. */
import type { StoredCourse } from "./record.ts";
import type { CourseQuery, Seed, Store, User } from "./store.ts";

/** A course and when it was created, counted from 0. */
interface Entry {
  readonly created: number;
  course: StoredCourse;
}

/** A store that can be changed at once, for one that keeps it elsewhere. */
export interface MemoryStore extends Store {
  /** The course of that id, whoever owns it. @throws Error when there is none */
  stored(id: string): StoredCourse;
  /** Takes a course, in the place of the one with its id if there is one. */
  put(course: StoredCourse): void;
  /** Gives the course of that id away. @throws Error when there is none */
  take(id: string): void;
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

  const listsOf = ({ provider_id: provider }: StoredCourse): Entry[][] => {
    const owner = owners.get(provider);
    const lists = [byProvider.get(provider), owner && byUser.get(owner)];
    return lists.filter((list) => list !== undefined);
  };
  const entryOf = (id: string): Entry => {
    const entry = byId.get(id);
    if (entry === undefined) throw new Error(`the store holds no course ${id}`);
    return entry;
  };
  const insert = (entry: Entry): void => {
    byId.set(entry.course.id, entry);
    slugs.add(entry.course.slug);
    for (const list of listsOf(entry.course)) list.splice(placeOf(entry, list), 0, entry);
  };
  const withdraw = (entry: Entry): void => {
    slugs.delete(entry.course.slug);
    for (const list of listsOf(entry.course)) list.splice(placeOf(entry, list), 1);
  };
  const add = (course: StoredCourse): void => {
    if (byId.has(course.id)) throw new Error(`the store holds a course ${course.id} already`);
    insert({ created, course });
    created += 1;
  };
  const replace = (course: StoredCourse): void => {
    const entry = entryOf(course.id);
    withdraw(entry);
    entry.course = course;
    insert(entry);
  };
  const take = (id: string): void => {
    withdraw(entryOf(id));
    byId.delete(id);
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

  for (const { key, providers, courses } of seed.users) {
    const user: User = { key, providers };
    users.set(key, user);
    byUser.set(user, []);
    for (const { id } of providers) {
      owners.set(id, user);
      byProvider.set(id, []);
    }
    for (const course of courses) add(course);
  }

  return {
    userOf: (key) => users.get(key),
    courses: (user, query) => page(candidates(user, query), query),
    course: (user, id) => {
      const entry = byId.get(id);
      return entry !== undefined && owns(user, entry) ? entry.course : undefined;
    },
    hasCourse: (id) => byId.has(id),
    hasSlug: (slug) => slugs.has(slug),
    stored: (id) => entryOf(id).course,
    put: (course) => (byId.has(course.id) ? replace(course) : add(course)),
    take,
    add: async (course) => add(course),
    replace: async (course) => replace(course),
    remove: async (id) => take(id),
  };
}

function page(entries: readonly Entry[], query: CourseQuery): StoredCourse[] {
  const { limit, offset, id, name, published } = query;
  const end = offset + limit;
  if (id === undefined && name === undefined && published === undefined) {
    return entries.slice(offset, end).map(({ course }) => course);
  }
  const matching: StoredCourse[] = [];
  for (const { course } of entries) {
    if (matching.length >= end) break;
    if (matches(course, query)) matching.push(course);
  }
  return matching.slice(offset);
}

function matches(course: StoredCourse, { providerId, name, published }: CourseQuery): boolean {
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
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = list[middle];
    if (other !== undefined && other.created < entry.created) low = middle + 1;
    else high = middle;
  }
  return low;
}
