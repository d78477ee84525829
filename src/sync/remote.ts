/** Reads the courses that the service holds, all of them and each once (cli.md section 8). */
import { CatalogError, REPEATED_PAGE } from "../base/errors.ts";
import type { Course } from "../course/wire.ts";

/** Which courses to read; all of the user's where nothing is said. */
export interface RemoteFilter {
  readonly providerId?: string;
  /** A part of the name; case matters. */
  readonly name?: string;
  readonly published?: boolean;
}

/** What can list courses: the client, or a test's own. */
export interface Listing {
  /** Yields page after page. @returns whether a course was met twice */
  list(options: {
    readonly filter: RemoteFilter;
  }): AsyncGenerator<readonly Course[], { readonly moved: boolean }, void>;
}

/** How often a listing that moves is read before it is given up. */
const READINGS = 5;

/**
 * All courses that match. A listing that showed a course twice moved while it was read, so that it
 * may have hidden another: it is read again.
 *
 * @param tell is told how many courses were read so far
 * @throws CatalogError of kind `unreachable` when the listing never stands still
 */
export async function readAll(
  listing: Listing,
  filter: RemoteFilter = {},
  tell: (count: number) => void = () => undefined,
): Promise<Course[]> {
  for (let reading = 0; reading < READINGS; reading++) {
    const { courses, moved } = await readOnce(listing, filter, tell);
    if (!moved) return courses;
  }
  throw new CatalogError(
    "unreachable",
    `the listing of the courses changed while it was read, ${READINGS} times over`,
    { advice: "Try again when nothing else writes to the catalog." },
  );
}

async function readOnce(
  listing: Listing,
  filter: RemoteFilter,
  tell: (count: number) => void,
): Promise<{ courses: Course[]; moved: boolean }> {
  const pages = listing.list({ filter });
  const courses: Course[] = [];
  try {
    for (;;) {
      const page = await pages.next();
      if (page.done) return { courses, moved: page.value.moved };
      courses.push(...page.value);
      tell(courses.length);
    }
  } catch (thrown) {
    const hasMoved = thrown instanceof CatalogError && thrown.facts.code === REPEATED_PAGE;
    if (!hasMoved) throw thrown;
    return { courses, moved: true };
  }
}
