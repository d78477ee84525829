/** Looks up courses in the catalog by ids or urls: a few one by one, many through the service's list. */
import { mapInOrder } from "../base/async.ts";
import { asText } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import type { CatalogClient } from "../service/client.ts";
import { CourseIndex } from "./course-index.ts";
import { normalizeId, readRemoteCourses } from "./remote.ts";

/** The most courses that are looked up one by one; a page of the listing has up to a hundred. */
export const MAX_LOOKUPS = 25;

/** The existing courses with these ids, of all of the user's providers. */
export async function lookUpCourses(
  ids: readonly string[],
  client: Pick<CatalogClient, "course" | "courses">,
  concurrency: number,
): Promise<Course[]> {
  if (ids.length <= MAX_LOOKUPS) {
    const found: Course[] = [];
    for await (const course of mapInOrder(ids, concurrency, (id) => client.course(id))) {
      if (course !== undefined) found.push(course);
    }
    return found;
  }
  const requested = new Set(ids.map((id) => id.toLowerCase()));
  const nothing = (): void => undefined;
  // If a repeating listing omits a course, the rejection of its creation shows that the course exists.
  const all = await readRemoteCourses(client, {}, nothing, nothing);
  return all.filter(({ id }) => requested.has(id.toLowerCase()));
}

export interface ExistingOptions {
  readonly concurrency: number;
  /** The ids that files contain, and that were not derived: courses of any provider may have them. */
  readonly named?: ReadonlySet<string>;
  /** The ids of the providers that a course may belong to; by default the provider in the course. */
  readonly providersOf?: (course: Course) => readonly string[];
}

/**
 * The courses in the catalog that may be some of these courses, by id or url: the complete listing of their providers,
 * and the courses of other providers with the ids that files contain.
 *
 * @throws CatalogError of kind `refused` if a listing may lack courses
 */
export async function readExisting(
  courses: readonly Course[],
  client: Pick<CatalogClient, "course" | "courses">,
  { concurrency, named, providersOf = (course) => [asText(course.provider_id)] }: ExistingOptions,
): Promise<CourseIndex> {
  const found = new Map<string, Course>();
  const providers = new Set(courses.flatMap(providersOf).map((id) => id.toLowerCase()));
  for (const providerId of providers) {
    for (const row of await readRemoteCourses(client, { providerId }))
      found.set(normalizeId(row), row);
  }
  const missing = [...(named ?? [])].filter((id) => !found.has(id));
  for (const row of await lookUpCourses(missing, client, concurrency))
    found.set(normalizeId(row), row);
  return new CourseIndex([...found.values()]);
}
