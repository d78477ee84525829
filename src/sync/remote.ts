/** Reads the courses in the catalog that a command works with. */
import { CatalogError } from "../base/errors.ts";
import type { Course } from "../course/request-body.ts";
import type { CatalogClient, CourseFilter } from "../service/client.ts";

/**
 * Reads all courses that match.
 *
 * @param onRepeats called if every reading of the listing shows a course twice; by default, that is an error
 */
export async function readRemoteCourses(
  client: Pick<CatalogClient, "courses">,
  filter: CourseFilter = {},
  onProgress: (count: number) => void = () => undefined,
  onRepeats: (message: string) => void | Promise<void> = refuseRepeats,
): Promise<Course[]> {
  const found: Course[] = [];
  const pages = client.courses(filter);
  for (;;) {
    const page = await pages.next();
    if (page.done) {
      if (page.value.repeats) await onRepeats(REPEATED_COURSES);
      return found;
    }
    for (const course of page.value) found.push(course);
    onProgress(found.length);
  }
}

/** The message about a listing that shows a course twice every time. */
export const REPEATED_COURSES =
  "the service's list of courses is unreliable: some appear twice, so others may be missing";

/** @throws CatalogError of kind `refused` */
export function refuseRepeats(message: string): never {
  const advice =
    "Nothing was sent, because catalog could delete or recreate a course that the list omits.";
  throw new CatalogError("refused", message, { advice });
}

/** The id of a course in lowercase, in which ids are compared. */
export function normalizeId({ id }: Course): string {
  return id.toLowerCase();
}
