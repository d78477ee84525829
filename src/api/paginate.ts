/** Walks a listing page by page, several pages at once (cli.md section 6). */

import { yieldToEventLoop } from "../base/async.ts";
import { CatalogError, REPEATED_PAGE } from "../base/errors.ts";
import { formatNumber } from "../base/text.ts";
import type { Course } from "../course/wire.ts";
import { Ids } from "./ids.ts";
import type { CourseQuery } from "./query.ts";

/** The largest page that the service gives (api.md, "Limits"). */
const PAGE_SIZE = 100;

/** So many courses no catalog holds: a listing that goes on behind them has no end. */
const MOST_COURSES = 1_000_000;

/** Which courses to list. */
export interface ListOptions {
  readonly filter?: Omit<CourseQuery, "limit" | "offset">;
  /** How many at most; all of them if it is left out. */
  readonly limit?: number;
  /** How many to pass over; 0 if it is left out. */
  readonly offset?: number;
}

/** What a walk through a listing tells at its end. */
export interface ListingEnd {
  /** Whether more may exist than was asked for. */
  readonly more: boolean;
  /**
   * Whether a course was met twice, or one came behind a short page: the listing moved while it was
   * read, and may have hidden one.
   */
  readonly changedWhileReading: boolean;
}

/** How the pages are asked for. */
export interface WalkOptions {
  readonly concurrency: number;
  /** Aborted when the walk ends before the listing does. */
  readonly ending: AbortController;
  /** From 0 to below 1, another one each time. */
  readonly chance: number;
}

/** Asks for a page. Resolves, when it has come, with what opens it. */
export type ReadPage = (query: CourseQuery) => Promise<() => readonly Course[]>;

/**
 * Yields the courses of page after page in the order of the pages; a course met twice comes once.
 * At most `concurrency` pages are under way or wait to be opened, and one is open: a page takes up
 * the more memory for being opened. Pages under way when the walk ends are given up by aborting
 * `ending`. The walk ends at a short page, or when `limit` courses came. Only the ids are remembered.
 *
 * @throws CatalogError of kind `unreachable` for a listing that repeats itself, or has no end
 */
export async function* paginate(
  read: ReadPage,
  options: ListOptions & WalkOptions,
): AsyncGenerator<Course[], ListingEnd, void> {
  const { filter = {}, limit = Number.POSITIVE_INFINITY, offset: start = 0 } = options;
  const seen = new Ids(options.chance);
  const ahead: { size: number; page: ReturnType<ReadPage> }[] = [];
  let next = start;
  let width = 1;
  let ended = false;
  let moved = false;
  const request = (): void => {
    while (!ended && ahead.length < width && next < start + limit) {
      const size = Math.min(PAGE_SIZE, start + limit - next);
      const page = read({ ...filter, limit: size, offset: next });
      // A page that nobody waits for any more may fail without bringing the program down.
      page.catch(() => undefined);
      ahead.push({ size, page });
      next += size;
    }
  };

  /** The new courses of the page whose turn it is; undefined where there is none. */
  const opened = async (): Promise<Course[] | undefined> => {
    const [first] = ahead;
    if (first === undefined) return undefined;
    const open = await first.page;
    // What else has come goes first: whoever waits for the network waits longest.
    if (ahead.length > 1) await yieldToEventLoop();
    ahead.shift();
    const rows = open().slice(0, first.size);
    // One page is often all there is; only a full one is worth reading ahead of.
    width = options.concurrency;
    // Pages under way behind a short one are still read: a listing may shift while it is walked.
    moved ||= ended && rows.length > 0;
    ended = rows.length < first.size;
    request();
    const fresh = rows.filter(({ id }) => seen.add(id));
    moved ||= fresh.length < rows.length;
    return fresh;
  };

  try {
    for (;;) {
      request();
      let fresh = await opened();
      if (fresh === undefined) return { more: !ended, changedWhileReading: moved };
      if (fresh.length > 0) yield fresh;
      else if (!ended) throw repeated();
      // What was given away is not to be kept while the next page is waited for.
      fresh = undefined;
      if (!ended && limit === Number.POSITIVE_INFINITY && seen.size >= MOST_COURSES)
        throw endless();
    }
  } finally {
    // Whoever stops early, or fails, waits for no page that is still under way.
    options.ending.abort();
  }
}

function endless(): CatalogError {
  const message = `the listing does not end: it held ${formatNumber(MOST_COURSES)} courses so far`;
  return new CatalogError("unreachable", message, {
    advice: "Ask for a part of it with --limit and --offset, or with a filter.",
  });
}

/** A service that ignores the offset would give the same page for ever. */
function repeated(): CatalogError {
  return new CatalogError(
    "unreachable",
    "the listing repeats itself: a whole page held no new course",
    { code: REPEATED_PAGE },
  );
}
