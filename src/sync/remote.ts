/** Reads all courses in the catalog, although the order of the service's list may differ from page to page. */
import type { CollectedMemory } from "../base/collected-memory.ts";
import { CatalogError, REPEATED_PAGE } from "../base/errors.ts";
import type { Course } from "../course/request-body.ts";

/** Which courses to read; an empty filter reads all of the user's courses. */
export interface RemoteFilter {
  readonly id?: string | undefined;
  readonly providerId?: string;
  /** A part of the name, case-sensitive. */
  readonly name?: string | undefined;
  readonly published?: boolean | undefined;
}

interface ReadingEnd {
  /** The number of rows, including repeated courses. */
  readonly rows: number;
  /** Whether a course appeared after the end of the listing. */
  readonly changedWhileReading: boolean;
}

/** Lists courses page by page: the client, or a fake in a test. */
export interface Listing {
  /** Counts the memory of the courses that are kept. */
  readonly collected?: CollectedMemory;
  /** Yields pages of courses, each course once. */
  list(options: ListOptions): AsyncGenerator<readonly Course[], ReadingEnd, void>;
}

/** Which courses are listed, and how many are skipped before the first one. */
interface ListOptions {
  readonly filter: RemoteFilter;
  readonly offset?: number;
}

/** Enough for 10,000 courses whose pages have a random order. */
const MAX_READINGS = 20;
/** The limit for readings that repeat themselves, or continue after their end. */
const MAX_BROKEN_READINGS = 5;
/** After this many identical readings, another one would not help. */
const SAME_READINGS = 3;

/**
 * Reads all courses that match. A reading has as many rows as there are courses. If one course appears twice in
 * a reading, another course may be missing. So the listing is read again until as many courses have been seen as
 * the last reading has rows.
 *
 * @param onRepeats called if the listing repeats courses every time; by default, that is an error
 * @throws CatalogError of kind `unreachable` if the listing keeps changing or is too large
 */
export async function readRemoteCourses(
  listing: Listing,
  filter: RemoteFilter = {},
  onProgress: (count: number) => void = () => undefined,
  onRepeats: (message: string) => void | Promise<void> = refuseRepeats,
): Promise<Course[]> {
  const found = new Map<string, Course>();
  const readings = new Readings(listing, { filter });
  for await (const page of readings.pages()) {
    const replaced = page.flatMap((course) => found.get(normalizeId(course)) ?? []);
    await listing.collected?.add(page, replaced);
    for (const course of page) found.set(normalizeId(course), course);
    onProgress(found.size);
  }
  if (readings.repeats) await onRepeats(REPEATED_COURSES);
  return [...readings.ids].flatMap((id) => found.get(id) ?? []);
}

/** Yields every course once. @param onRepeats called if the listing repeats courses every time */
export async function* listAllCourses(
  listing: Listing,
  options: ListOptions,
  onRepeats: () => void,
): AsyncGenerator<readonly Course[], { readonly more: boolean }, void> {
  const seen = new Set<string>();
  const readings = new Readings(listing, options);
  for await (const page of readings.pages()) {
    const added = page.filter((course) => seen.size < seen.add(normalizeId(course)).size);
    if (added.length > 0) yield added;
  }
  if (readings.repeats) onRepeats();
  return { more: false };
}

/** Reads a listing again and again until each course was seen. */
class Readings {
  readonly #listing: Listing;
  readonly #options: ListOptions;
  /** After the last page: the ids of the courses in lowercase. */
  ids: ReadonlySet<string> = new Set();
  /** After the last page: whether the listing repeats some courses every time. */
  repeats = false;

  constructor(listing: Listing, options: ListOptions) {
    this.#listing = listing;
    this.#options = options;
  }

  /** @throws CatalogError if the listing keeps changing */
  async *pages(): AsyncGenerator<readonly Course[], void, void> {
    let last = "";
    let same = 0;
    let failure = changedEveryTime();
    let broken = 0;
    for (let reading = 0; reading < MAX_READINGS; reading++) {
      const ids = new Set<string>();
      const end = yield* this.#read(ids);
      if (end instanceof CatalogError) failure = end;
      const isBroken = end instanceof CatalogError || end.changedWhileReading;
      if (isBroken && ++broken === MAX_BROKEN_READINGS) break;
      if (end instanceof CatalogError) continue;
      const isComplete = !isBroken && end.rows === ids.size;
      this.ids = isComplete ? ids : new Set([...this.ids, ...ids]);
      if (isComplete) return;
      if (isBroken) continue;
      if (this.ids.size === end.rows) return;
      // A course was deleted between two readings.
      if (this.ids.size > end.rows) this.ids = ids;
      const latest = [...ids].join();
      same = latest === last ? same + 1 : 1;
      last = latest;
      this.repeats = same === SAME_READINGS;
      if (this.repeats) return;
    }
    throw failure;
  }

  /** Reads the listing once, and collects its ids. @returns the end, or the error of a repeated page */
  async *#read(ids: Set<string>): AsyncGenerator<readonly Course[], ReadingEnd | CatalogError> {
    const pages = this.#listing.list(this.#options);
    try {
      for (;;) {
        const page = await pages.next();
        if (page.done) return page.value;
        for (const course of page.value) ids.add(normalizeId(course));
        yield page.value;
      }
    } catch (thrown) {
      if (thrown instanceof CatalogError && thrown.facts.code === REPEATED_PAGE) return thrown;
      throw thrown;
    } finally {
      // Ends requests for pages that are no longer needed.
      await pages.return({ rows: 0, changedWhileReading: true });
    }
  }
}

/** The message about a listing that repeats courses every time. */
export const REPEATED_COURSES =
  "the service's list of courses is unreliable: some appear twice, so others may be missing";

function refuseRepeats(message: string): never {
  const advice =
    "Nothing was sent, because catalog could delete or recreate a course that the list omits.";
  throw new CatalogError("refused", message, { advice });
}

function changedEveryTime(): CatalogError {
  const message = "the service's list of courses changed each time that catalog read it";
  const advice = "Try again when no other program changes the catalog.";
  return new CatalogError("unreachable", message, { advice });
}

/** The id of a course in lowercase, in which ids are compared. */
export function normalizeId({ id }: Course): string {
  return id.toLowerCase();
}
