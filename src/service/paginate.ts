/** Reads the service's list of courses page by page, several pages at once. */
import { CatalogError, REPEATED_PAGE } from "../base/errors.ts";
import { formatNumber } from "../base/text.ts";
import type { Course } from "../course/request-body.ts";

/** The largest page that the service sends (docs/service.md, "Limits"). */
const PAGE_SIZE = 100;

/** No catalog has more courses, so a longer listing has no end. */
const MAX_COURSES = 1_000_000;
/** The most characters of all ids, which stay in memory; an id of the service has 36. */
const MAX_ID_CHARACTERS = 64 * MAX_COURSES;

/** The filters of a listing, and the part of the listing to read (docs/service.md, "Listing courses"). */
export interface CourseQuery {
  readonly id?: string | undefined;
  readonly providerId?: string;
  /** A part of the name; case-sensitive. */
  readonly name?: string | undefined;
  readonly published?: boolean | undefined;
  /** 1 to 100. */
  readonly limit?: number;
  /** 0 or more. */
  readonly offset?: number;
}

/** Which courses to list. */
export interface ListOptions {
  readonly filter?: Omit<CourseQuery, "limit" | "offset">;
  /** The most courses to list; all by default. */
  readonly limit?: number;
  /** How many courses to skip; 0 by default. */
  readonly offset?: number;
  /** Whether an empty first page ends the listing at once: for searches that rarely find a course. */
  readonly mayBeEmpty?: boolean;
}

/** What is known at the end of a listing. */
export interface ListingEnd {
  /** Whether there may be more courses than were read. */
  readonly more: boolean;
  /** The number of rows, which is the number of courses even if some appeared twice and others never. */
  readonly rows: number;
  /** Whether a course appeared after the end, because the listing changed while it was read. */
  readonly changedWhileReading: boolean;
}

export type ReadPage = (query: CourseQuery) => Promise<Course[]>;

/**
 * Yields the courses of page after page, in order, and each course once. At most `concurrency` pages are in flight or
 * waiting. The listing ends after `limit` courses or at a short page. Without a limit, the missing rows of a short page
 * are requested again, because some services send short pages before the end. Only the ids stay in memory.
 *
 * @param options `concurrency` is called after each page
 * @throws CatalogError of kind `unreachable` for a listing that repeats itself or has no end
 */
export async function* paginate(
  read: ReadPage,
  options: ListOptions & { readonly concurrency: () => number },
): AsyncGenerator<Course[], ListingEnd, void> {
  const { filter = {}, limit = Number.POSITIVE_INFINITY, offset = 0, mayBeEmpty } = options;
  const end = offset + limit;
  const seen = new Set<string>();
  const pages: {
    readonly size: number;
    readonly offset: number;
    readonly rows: Promise<Course[]>;
  }[] = [];
  let next = offset;
  // One page is often the complete listing, so reading ahead begins after a full page.
  let width = 1;
  let ended = false;
  let changedWhileReading = false;
  let count = 0;
  let idCharacters = 0;

  const requestPages = (): void => {
    while (!ended && pages.length < width && next < end) {
      const size = Math.min(PAGE_SIZE, end - next);
      const rows = read({ ...filter, limit: size, offset: next });
      // A page that is never awaited, because the caller stopped early, may fail.
      rows.catch(() => undefined);
      pages.push({ size, rows, offset: next });
      next += size;
    }
  };

  for (;;) {
    requestPages();
    const [page] = pages;
    if (page === undefined) return { more: !ended, rows: count, changedWhileReading };
    const { size } = page;
    const part = (await page.rows).slice(0, size);
    const isFound = part.length > 0 || mayBeEmpty !== true;
    const isShort = !ended && part.length < size && limit === Number.POSITIVE_INFINITY && isFound;
    const readMore: ReadPage = (query) => read({ ...filter, ...query });
    const rows: Course[] = isShort ? await complete(part, page, readMore) : part;
    pages.shift();
    count += rows.length;
    width = options.concurrency();
    // Pages in flight are still read after a short one, in case the listing changed meanwhile.
    changedWhileReading ||= ended && rows.length > 0;
    ended ||= rows.length < size;
    requestPages();
    const added = rows.filter(({ id }) => seen.size < seen.add(id.toLowerCase()).size);
    if (added.length > 0) yield added;
    else if (!ended) throw repeated();
    for (const { id } of added) idCharacters += id.length;
    const isTooLong = seen.size >= MAX_COURSES || idCharacters > MAX_ID_CHARACTERS;
    if (!ended && limit === Number.POSITIVE_INFINITY && isTooLong) throw endless(seen.size);
  }
}

export interface FirstPage {
  readonly courses: Course[];
  readonly more: boolean;
}

/** Reads the first page, and completes a short page, because it may not be the end of the listing. */
export async function readFirstPage(
  read: ReadPage,
  filter: Required<ListOptions>["filter"],
): Promise<FirstPage> {
  const readMore: ReadPage = (query) => read({ ...filter, ...query });
  const part = await readMore({ limit: PAGE_SIZE });
  const courses = await complete(part, { size: PAGE_SIZE, offset: 0 }, readMore);
  return { courses, more: courses.length >= PAGE_SIZE };
}

/** Requests the missing rows of a short page, until the service sends no more. */
async function complete(
  part: Course[],
  { size, offset }: { readonly size: number; readonly offset: number },
  read: ReadPage,
): Promise<Course[]> {
  const rows = [...part];
  while (rows.length < size) {
    const more = await read({ limit: PAGE_SIZE, offset: offset + rows.length });
    // A service that ignores the offset sends the same courses again.
    if (more.every(({ id }, index) => id === part[index]?.id)) break;
    rows.push(...more.slice(0, size - rows.length));
  }
  return rows;
}

function endless(count: number): CatalogError {
  const message = `the service's list of courses has no end: ${formatNumber(count)} courses so far`;
  return new CatalogError("unreachable", message, {
    advice:
      'Is the base URL right? To list a part of the courses, run "catalog courses ls --limit 1000".',
  });
}

/** The error of a service that ignores the offset, and would send the same page forever. */
function repeated(): CatalogError {
  const message =
    "the service's list of courses repeats itself: a full page contained no new course";
  return new CatalogError("unreachable", message, { code: REPEATED_PAGE });
}
