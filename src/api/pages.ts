/** Walks a listing page by page, several pages at once (cli.md section 6). */
import { CatalogError, REPEATED_PAGE } from "../base/errors.ts";
import { grouped } from "../base/text.ts";
import { isUuid } from "../base/uuid.ts";
import type { Course } from "../course/wire.ts";
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
export interface Walked {
  /** Whether more may exist than was asked for. */
  readonly more: boolean;
  /**
   * Whether a course was met twice, or one came behind a short page: the listing moved while it was
   * read, and may have hidden one.
   */
  readonly moved: boolean;
}

/**
 * Yields the courses of page after page in the order of the pages; a course met twice comes once.
 * Pages under way when the walk ends are given up by aborting `ending`.
 * The walk ends at a short page, or when `limit` courses came. Only the ids are remembered.
 *
 * @throws CatalogError of kind `unreachable` for a listing that repeats itself, or has no end
 */
export async function* pages(
  read: (query: CourseQuery) => Promise<Course[]>,
  options: ListOptions & { readonly concurrency: number; readonly ending: AbortController },
): AsyncGenerator<Course[], Walked, void> {
  const { filter = {}, limit = Number.POSITIVE_INFINITY, offset: start = 0 } = options;
  const seen = new Set<string>();
  const ahead: { size: number; rows: Promise<Course[]> }[] = [];
  let next = start;
  let width = 1;
  const request = (): void => {
    const size = Math.min(PAGE_SIZE, start + limit - next);
    if (size <= 0) return;
    const rows = read({ ...filter, limit: size, offset: next });
    // A page that nobody waits for any more may fail without bringing the program down.
    rows.catch(() => undefined);
    ahead.push({ size, rows });
    next += size;
  };

  let ended = false;
  let moved = false;
  try {
    for (;;) {
      while (!ended && ahead.length < width && next < start + limit) request();
      const page = ahead.shift();
      if (page === undefined) return { more: !ended, moved };
      // One page is often all there is; only a full one is worth reading ahead of.
      const rows = (await page.rows).slice(0, page.size);
      width = options.concurrency;
      // Pages under way behind a short one are still read: a listing may shift while it is walked.
      moved ||= ended && rows.length > 0;
      ended = rows.length < page.size;
      while (!ended && ahead.length < width - 1 && next < start + limit) request();
      const fresh = rows.filter(({ id }) => {
        const before = seen.size;
        return seen.add(keyOf(id)).size > before;
      });
      moved ||= fresh.length < rows.length;
      if (fresh.length > 0) yield fresh;
      else if (!ended) throw repeated();
      if (!ended && limit === Number.POSITIVE_INFINITY && seen.size >= MOST_COURSES)
        throw endless();
    }
  } finally {
    // Whoever stops early, or fails, waits for no page that is still under way.
    options.ending.abort();
  }
}

/** What tells two courses apart: a UUID is the same in either case. */
function keyOf(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id;
}

function endless(): CatalogError {
  const message = `the listing does not end: it held ${grouped(MOST_COURSES)} courses so far`;
  return new CatalogError("unreachable", message, {
    next: "Ask for a part of it with --limit and --offset, or with a filter.",
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
