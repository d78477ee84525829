/**
 * Reads remote courses: all of a listing, whose order may differ from page to page, or those with
 * some ids or urls, of which a few are looked up one by one.
 */
import { mapInOrder } from "../base/async.ts";
import type { CollectedMemory } from "../base/collected-memory.ts";
import { CatalogError, REPEATED_PAGE } from "../base/errors.ts";
import { addTo } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import { CourseIndex } from "./identify.ts";

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

function normalizeId({ id }: Course): string {
  return id.toLowerCase();
}

/** What reads courses: the client. */
export interface CourseReader extends Listing {
  /** The course with that id, or undefined if the user has none. */
  course(id: string): Promise<Course | undefined>;
  /** The first courses of a provider, and whether there may be more. */
  firstPage(filter: {
    readonly providerId: string;
  }): Promise<{ readonly courses: readonly Course[]; readonly more: boolean }>;
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

/** How `readExisting` looks for courses. */
export interface ExistingOptions {
  readonly concurrency: number;
  /** Called if a listing repeats courses every time, so that it may lack some. */
  readonly onRepeats: (message: string) => void | Promise<void>;
  /** The ids that were not derived, which courses of any provider may have. */
  readonly named?: ReadonlySet<string>;
  /** The ids of the providers that may have the course; by default its own. */
  readonly providersOf?: (course: Course) => readonly string[];
}

/**
 * The remote courses that some of these may be: by id, or by url. Up to 25 courses are looked up by
 * id and name, unless the listing of their provider is a single page; for more, it is read.
 */
export async function readExisting(
  courses: readonly Course[],
  reader: CourseReader,
  options: ExistingOptions,
): Promise<CourseIndex> {
  const { concurrency, onRepeats, named } = options;
  const { providersOf = (course) => [String(course.provider_id)] } = options;
  const isMany = courses.length > MOST_LOOKUPS;
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
    const names = isListed ? [] : new Set(own.map(({ name }) => String(name)));
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
