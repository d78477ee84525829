/** Looks up courses in the catalog by ids or urls: a few one by one, many through the service's list. */
import { mapInOrder } from "../base/async.ts";
import { addTo, asText } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import { CourseIndex } from "./course-index.ts";
import { type Listing, normalizeId, type RemoteFilter, readRemoteCourses } from "./remote.ts";

/** Reads courses: the client, or a fake in a test. */
export interface CourseReader extends Listing {
  /** The course with that id, or undefined if the user has none. */
  course(id: string): Promise<Course | undefined>;
  /** The first courses of a provider, and whether there may be more. */
  firstPage(filter: {
    readonly providerId: string;
  }): Promise<{ readonly courses: readonly Course[]; readonly more: boolean }>;
}

/** The most courses that are looked up one by one; a page of the listing has up to a hundred. */
export const MAX_LOOKUPS = 25;

/** The existing courses with these ids, of all of the user's providers. */
export async function lookUpCourses(
  ids: readonly string[],
  reader: CourseReader,
  concurrency: number,
): Promise<Course[]> {
  const found: Course[] = [];
  if (ids.length <= MAX_LOOKUPS) {
    for await (const course of mapInOrder(ids, concurrency, (id) => reader.course(id))) {
      if (course === undefined) continue;
      await reader.collected?.add(course);
      found.push(course);
    }
    return found;
  }
  const requested = new Set(ids.map((id) => id.toLowerCase()));
  const nothing = (): void => undefined;
  // If a repeating listing omits a course, the rejection of its creation shows that the course exists.
  const all = await readRemoteCourses(reader, {}, nothing, nothing);
  return all.filter(({ id }) => requested.has(id.toLowerCase()));
}

export interface ExistingOptions {
  readonly concurrency: number;
  /** Called if a listing repeats courses every time, so it may omit others. */
  readonly onRepeats: (message: string) => void | Promise<void>;
  /** The ids that files contain, and that were not derived: courses of any provider may have them. */
  readonly named?: ReadonlySet<string>;
  /** The ids of the providers that a course may belong to; by default the provider in the course. */
  readonly providersOf?: (course: Course) => readonly string[];
}

/**
 * The courses in the catalog that may be some of these courses, by id or url. Up to 25 courses are looked up by id
 * and name, unless the list of their provider is a single page. For more courses, the complete list is read.
 */
export async function readExisting(
  courses: readonly Course[],
  reader: CourseReader,
  options: ExistingOptions,
): Promise<CourseIndex> {
  const { concurrency, onRepeats, named } = options;
  const { providersOf = (course) => [asText(course.provider_id)] } = options;
  const isMany = courses.length > MAX_LOOKUPS;
  const readAll = (filter: RemoteFilter): Promise<readonly Course[]> =>
    readRemoteCourses(reader, filter, undefined, onRepeats);
  const found = new Map<string, Course>();
  const add = (rows: readonly Course[]): void => {
    for (const row of rows) found.set(normalizeId(row), row);
  };
  const unlisted = new Set<string>();
  for (const [providerId, own] of byProvider(courses, providersOf)) {
    const listed = isMany
      ? { courses: await readAll({ providerId }), more: false }
      : await reader.firstPage({ providerId });
    add(listed.courses);
    const isListed = !listed.more;
    const names = isListed ? [] : new Set(own.map(({ name }) => asText(name)));
    for (const name of names) add(await readAll({ providerId, name }));
    // A complete listing contains every derived id.
    for (const { id } of own) if (!isListed || named?.has(id)) unlisted.add(id);
  }
  const missing = [...unlisted].filter((id) => !found.has(id));
  add(await lookUpCourses(missing, reader, concurrency));
  return new CourseIndex([...found.values()]);
}

function byProvider(
  courses: readonly Course[],
  providersOf: (course: Course) => readonly string[],
): Map<string, Course[]> {
  const groups = new Map<string, Course[]>();
  for (const course of courses) {
    const ids = new Set(providersOf(course).map((id) => id.toLowerCase()));
    for (const provider of ids) addTo(groups, provider, course);
  }
  return groups;
}
