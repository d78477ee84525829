/** Reads all remote courses, from a listing whose order may differ from page to page. */
import type { CollectedMemory } from "../base/collected-memory.ts";
import { CatalogError, REPEATED_PAGE } from "../base/errors.ts";
import type { Course } from "../course/request-body.ts";

/** Which courses to read; all of the user's courses if it is empty. */
export interface RemoteFilter {
  readonly id?: string | undefined;
  readonly providerId?: string;
  /** A part of the name, case-sensitive. */
  readonly name?: string | undefined;
  readonly published?: boolean | undefined;
}

/** What is known after one reading. */
interface ReadingEnd {
  /** How many rows there were, including those of courses that appeared before. */
  readonly rows: number;
  /** Whether a course came after the end. */
  readonly changedWhileReading: boolean;
}

/** What lists courses page by page: the client, or a fake in a test. */
export interface Listing {
  /** Counts the courses that are kept. */
  readonly collected?: CollectedMemory;
  /** Yields pages of courses, each course once. */
  list(options: ListOptions): AsyncGenerator<readonly Course[], ReadingEnd, void>;
}

/** Which courses are listed, and how many are left out before the first one. */
interface ListOptions {
  readonly filter: RemoteFilter;
  readonly offset?: number;
}

/** With pages in random order, about ten readings of 10,000 courses contain each of them. */
const MAX_READINGS = 20;
/** A listing that has no end, or that goes on after its end, is read again less often. */
const MAX_BROKEN_READINGS = 5;
/** After so many readings with the same rows, another one would not help. */
const SAME_READINGS = 3;

/**
 * Reads all courses that match. The number of rows of a reading is the number of courses. If a course
 * appears twice, another one may be missing, so the listing is read again, until the courses of all
 * readings are as many as the rows of the last.
 *
 * @param onProgress receives the number of courses read so far
 * @param onRepeats called if the listing repeats courses every time; by default an error
 * @param keep what is kept of a course
 * @throws CatalogError of kind `unreachable` if the listing keeps changing or is too large
 */
export async function readRemoteCourses(
  listing: Listing,
  filter: RemoteFilter = {},
  onProgress: (count: number) => void = () => undefined,
  onRepeats: (message: string) => void | Promise<void> = refuseRepeats,
  keep: (course: Course) => Course = (course) => course,
): Promise<Course[]> {
  const found = new Map<string, Course>();
  const readings = new Readings(listing, { filter });
  for await (const page of readings.pages()) {
    const replaced = page.flatMap((course) => found.get(normalizeId(course)) ?? []);
    await listing.collected?.add(page, replaced);
    for (const course of page) found.set(normalizeId(course), keep(course));
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

/** As many readings of a listing as it takes to see each course at least once. */
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

  /** Collects the ids of one reading. @returns the error of a page that repeated itself completely */
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
      // Ends the requests of pages that are no longer needed.
      await pages.return({ rows: 0, changedWhileReading: true });
    }
  }
}

/** What to say about a listing that repeats courses. */
export const REPEATED_COURSES =
  "the service lists some courses twice, in the same way every time; others may be missing";

function refuseRepeats(message: string): never {
  throw new CatalogError("refused", message, {
    advice: "Nothing was sent, because a course that is missing could be deleted or created again.",
  });
}

function changedEveryTime(): CatalogError {
  const message = "the list of courses changed while it was being read, every time";
  const advice = "Try again when nothing else is writing to the catalog.";
  return new CatalogError("unreachable", message, { advice });
}

/** The id of a course in lower case, as courses are compared. */
export function normalizeId({ id }: Course): string {
  return id.toLowerCase();
}
