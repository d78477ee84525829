/** Finds the courses that words name which are no UUIDs: by their url, their key or their name. */
import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { CatalogError, LIST_COURSES, usageError } from "../base/errors.ts";
import { normalizeUrl } from "../base/http.ts";
import { suggest } from "../base/suggest.ts";
import { foldCase, listSome, truncate, truncateJson } from "../base/text.ts";
import { isUuid } from "../base/uuid.ts";
import { addTo } from "../base/values.ts";
import { EXTERNAL_KEY } from "../course/field-names.ts";
import { type Course, derivedId } from "../course/request-body.ts";
import { COURSE_EXTENSIONS } from "../files/formats.ts";
import { isWebUrl } from "../output/cells.ts";
import { CourseIndex } from "../sync/identify.ts";
import { lookUpCourses, MOST_LOOKUPS } from "../sync/remote.ts";
import type { Context } from "./context.ts";
import { listCourses } from "./read-courses.ts";
import { concurrencyOf, readProviders } from "./work.ts";

/** The only course that a word names. */
interface NamedCourse {
  readonly course: Course;
  /** Whether the word is its name, which it may share with another course tomorrow. */
  readonly isByName: boolean;
}

/**
 * The course that each word names. A few keys are looked up under each provider; for everything else
 * the listing is read, once.
 *
 * @throws CatalogError if a word names no course or several; the other such words are reported before
 */
export async function findNamedCourses(
  words: readonly string[],
  context: Context,
): Promise<ReadonlyMap<string, NamedCourse>> {
  const providers = await readProviders(context);
  const keyIds = (word: string): string[] => providers.flatMap(({ id }) => idOfKey(word, id));
  const ids = words.flatMap(keyIds);
  const mayBeKeys = ids.length <= MOST_LOOKUPS && !words.some(isWebUrl);
  const keyed = mayBeKeys
    ? await lookUpCourses(ids, await context.client(), await concurrencyOf(context))
    : [];
  let index = new CourseIndex(keyed);
  const findByKey = (word: string): Course[] => keyIds(word).flatMap((id) => index.find(id) ?? []);
  if (words.some((word) => findByKey(word).length === 0)) {
    const warn = (message: string): Promise<void> => context.messages.warn(message);
    index = new CourseIndex([...keyed, ...(await listCourses({}, context, warn))]);
  }
  const byPage = new Map<string, Course[]>();
  const byName = new Map<string, Course[]>();
  for (const course of index.courses) {
    if (typeof course.url === "string") addTo(byPage, normalizeUrl(course.url), course);
    if (typeof course.name === "string") addTo(byName, foldName(course.name), course);
  }
  // Finding the nearest of many names takes a millisecond or more.
  const names = words.length > MOST_LOOKUPS ? [] : [...byName.values()].flatMap(nameOfFirst);
  const found = new Map<string, NamedCourse>();
  const problems: CatalogError[] = [];
  for (const word of words) {
    const page = byPage.get(normalizeUrl(word)) ?? [];
    const exact = [findByKey(word), index.findByUrl(word), page].find(({ length }) => length > 0);
    const [course, ...others] = exact ?? byName.get(foldName(word)) ?? [];
    if (course === undefined) problems.push(noCourse(word, names, context));
    else if (others.length > 0) problems.push(severalCourses(word, [course, ...others]));
    else found.set(word, { course, isByName: exact === undefined });
  }
  const last = problems.pop();
  for (const problem of problems) await context.messages.fail(problem);
  if (last !== undefined) throw last;
  return found;
}

/** The id that a course with this key has, if it is the provider's; half of a surrogate pair is in no key. */
function idOfKey(key: string, providerId: string): string | [] {
  if (!isUuid(providerId) || !key.isWellFormed()) return [];
  return derivedId({ provider_id: providerId, [EXTERNAL_KEY]: key });
}

/** A name as people type it: invisible characters and the number of spaces cannot be seen. */
function foldName(name: string): string {
  const visible = name.replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return foldCase(visible.replace(/\s+/g, " ").trim());
}

function nameOfFirst([course]: readonly Course[]): string {
  return truncate(String(course?.name));
}

function noCourse(
  word: string,
  names: readonly string[],
  { folder }: Pick<Context, "folder">,
): CatalogError {
  const quoted = truncateJson(word);
  if (looksLikeFile(word)) {
    const message = existsSync(resolve(folder, word))
      ? `${quoted} is a file, not a course`
      : `no such file or course: ${quoted}`;
    return new CatalogError("file", message, { advice: LIST_COURSES });
  }
  const message = `no course has the id, url, key or name ${quoted}`;
  return new CatalogError("missing", message, { advice: suggest(word, names, LIST_COURSES) });
}

export function looksLikeFile(word: string): boolean {
  if (isWebUrl(word)) return false;
  return /[/\\]/.test(word) || COURSE_EXTENSIONS.includes(extname(word).toLowerCase());
}

function severalCourses(word: string, courses: readonly Course[]): CatalogError {
  const listed = courses.map(({ id, url }) => `${truncate(id)} (${truncate(String(url))})`);
  return usageError(
    `${truncateJson(word)} names several courses: ${listSome(listed)}`,
    "Pass the id of one.",
  );
}
