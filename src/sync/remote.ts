/** Reads all remote courses, each exactly once. */
import { CatalogError, REPEATED_PAGE } from "../base/errors.ts";
import type { Course } from "../course/request-body.ts";

/** Which courses to read; all of the user's courses if it is empty. */
export interface RemoteFilter {
  readonly providerId?: string;
  /** A part of the name, case-sensitive. */
  readonly name?: string;
  readonly published?: boolean;
}

/** What lists courses page by page: the client, or a fake in a test. */
export interface Listing {
  /** Yields pages of courses. @returns `changedWhileReading`: whether a course appeared twice */
  list(options: {
    readonly filter: RemoteFilter;
  }): AsyncGenerator<readonly Course[], { readonly changedWhileReading: boolean }, void>;
}

const MAX_READINGS = 5;

/**
 * Reads all courses that match. If a course appears twice, the listing changed while it was read
 * and another course may have been missed, so it is read again.
 *
 * @param onProgress receives the number of courses read so far
 * @throws CatalogError of kind `unreachable` if the listing keeps changing
 */
export async function readRemoteCourses(
  listing: Listing,
  filter: RemoteFilter = {},
  onProgress: (count: number) => void = () => undefined,
): Promise<Course[]> {
  for (let reading = 0; reading < MAX_READINGS; reading++) {
    const courses = await readOnce(listing.list({ filter }), onProgress);
    if (courses !== undefined) return courses;
  }
  throw new CatalogError(
    "unreachable",
    `the list of courses changed while it was being read, ${MAX_READINGS} times in a row`,
    { advice: "Try again when nothing else is writing to the catalog." },
  );
}

async function readOnce(
  pages: ReturnType<Listing["list"]>,
  onProgress: (count: number) => void,
): Promise<Course[] | undefined> {
  const courses: Course[] = [];
  try {
    for (;;) {
      const page = await pages.next();
      if (page.done) return page.value.changedWhileReading ? undefined : courses;
      for (const course of page.value) courses.push(course);
      onProgress(courses.length);
    }
  } catch (thrown) {
    if (thrown instanceof CatalogError && thrown.facts.code === REPEATED_PAGE) return undefined;
    throw thrown;
  }
}
