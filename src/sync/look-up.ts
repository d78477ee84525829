/** Reads courses by their ids: a few one by one, many through the listing. */
import { mapInOrder } from "../base/concurrent.ts";
import type { Course } from "../course/request-body.ts";
import { type Listing, readRemoteCourses } from "./remote.ts";

/** What reads courses: the client, or a fake in a test. */
export interface CourseReader extends Listing {
  /** The course with that id, or undefined if the user has none. */
  course(id: string): Promise<Course | undefined>;
}

/** More courses are read through the listing, whose pages contain up to a hundred. */
export const MOST_LOOKUPS = 25;

/** The courses with these ids that exist, whichever of the user's providers they belong to. */
export async function lookUpCourses(
  ids: readonly string[],
  reader: CourseReader,
  concurrency: number,
): Promise<Course[]> {
  const found: Course[] = [];
  if (ids.length <= MOST_LOOKUPS) {
    for await (const course of mapInOrder(ids, concurrency, (id) => reader.course(id))) {
      if (course === undefined) continue;
      await reader.collected?.add(course);
      found.push(course);
    }
    return found;
  }
  const requested = new Set(ids.map((id) => id.toLowerCase()));
  const nothing = (): void => undefined;
  // A course that a repeating listing lacks is found when its creation is rejected.
  const all = await readRemoteCourses(reader, {}, nothing, nothing);
  return all.filter(({ id }) => requested.has(id.toLowerCase()));
}
