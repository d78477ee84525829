/** Finds the courses that arguments or lines of standard input name: by id, key or url. */
import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { CatalogError, LIST_COURSES, usageError } from "../base/errors.ts";
import { normalizeUrl } from "../base/http.ts";
import { readAll, STANDARD_INPUT } from "../base/io.ts";
import { listSome, truncate, truncateJson } from "../base/text.ts";
import { addTo, asText, isUuid } from "../base/values.ts";
import { EXTERNAL_KEY } from "../course/field-names.ts";
import { type Course, derivedId } from "../course/request-body.ts";
import { COURSE_EXTENSIONS } from "../files/parse.ts";
import { isWebUrl } from "../output/cells.ts";
import { CourseIndex } from "../sync/course-index.ts";
import { lookUpCourses } from "../sync/look-up.ts";
import type { Argument, ParsedArguments } from "./arguments.ts";
import type { Context } from "./context.ts";
import {
  listCourses,
  noSuchCourse,
  type ReadCourse,
  readBeforeWriting,
  readById,
} from "./read-courses.ts";
import { concurrencyOf, readProviders } from "./work.ts";

/** The arguments of commands that take courses. */
export const COURSE_ARGUMENTS: readonly Argument[] = [
  {
    name: "course",
    required: true,
    variadic: true,
    description: "the id, key or url of a course; - reads them from standard input",
  },
];

/** Returns the words that name courses, as typed. @throws CatalogError of kind `usage` */
export function parseCourses({
  arguments: words,
}: Pick<ParsedArguments, "arguments">): readonly string[] {
  if (words.filter((word) => word === STANDARD_INPUT).length > 1) {
    throw usageError("standard input can be read only once", "Pass - only once.");
  }
  // An empty word is probably a shell variable that is not set.
  if (words.every((word) => word.trim() !== "")) return words;
  throw usageError('the id, key or url of a course must not be ""', LIST_COURSES);
}

const MAX_INPUT = 64 * 1024 * 1024;

/** The words, each once, with the lines of standard input, except blank ones, instead of `-`. */
export async function readCourseWords(
  typed: readonly string[],
  context: Context,
): Promise<readonly string[]> {
  const words = new Set<string>();
  for (const word of typed) {
    const lines = word === STANDARD_INPUT ? await readLines(context) : [word];
    for (const line of lines) if (line.trim() !== "") words.add(line.trim());
  }
  if (words.size === 0)
    await context.messages.info("No ids on standard input, so there is nothing to do.");
  return [...words];
}

async function readLines({ io }: Context): Promise<readonly string[]> {
  const bytes = await readAll(io.in.stream, MAX_INPUT);
  if (bytes !== undefined)
    return bytes
      .toString()
      .replace(/^\ufeff/, "")
      .split(/\r?\n/);
  throw usageError("standard input must be at most 64 MB for a list of courses");
}

/** The course that a word names, or why the word names none. A UUID is not looked up before it is read. */
interface FoundCourse {
  readonly id: string;
  readonly course?: Course | CatalogError | undefined;
}

/** The course of each word, each course once. @param typed the words of `parseCourses` */
export async function findCourseArguments(
  typed: readonly string[],
  context: Context,
): Promise<readonly FoundCourse[]> {
  const words = await readCourseWords(typed, context);
  const named = words.filter((word) => !isUuid(word));
  const search = named.length === 0 ? undefined : await searchNamed(named, context);
  const found = new Map<string, FoundCourse>();
  for (const word of words) {
    const course = isUuid(word) ? undefined : search?.(word);
    const known = course instanceof CatalogError ? word : (course?.id ?? word).toLowerCase();
    if (!found.has(known)) found.set(known, { id: known, course });
  }
  return [...found.values()];
}

/** Finds courses by key, which one request looks up, or by url, for which the listing is read once. */
async function searchNamed(
  words: readonly string[],
  context: Context,
): Promise<(word: string) => Course | CatalogError> {
  const providers = await readProviders(context);
  const keyIds = (word: string): string[] => providers.flatMap(({ id }) => idOfKey(word, id));
  const warn = (message: string): Promise<void> => context.messages.warn(message);
  const courses = words.some(isWebUrl)
    ? await listCourses({}, context, warn)
    : await lookUpCourses(
        words.flatMap(keyIds),
        await context.client(),
        await concurrencyOf(context),
      );
  const index = new CourseIndex(courses);
  const byPage = new Map<string, Course[]>();
  for (const course of index.courses) {
    if (typeof course.url === "string") addTo(byPage, normalizeUrl(course.url), course);
  }
  return (word) => {
    const keyed = keyIds(word).flatMap((id) => index.find(id) ?? []);
    const page = byPage.get(normalizeUrl(word)) ?? [];
    const matches = [keyed, index.findByUrl(word), page].find(({ length }) => length > 0) ?? [];
    const [course, ...others] = matches;
    if (course === undefined) return noCourse(word, context);
    return others.length === 0 ? course : severalCourses(word, matches);
  };
}

/** The id of a course with this key and provider. Nothing for a word that cannot be a key. */
function idOfKey(key: string, providerId: string): string | [] {
  if (!isUuid(providerId) || !key.isWellFormed()) return [];
  return derivedId({ provider_id: providerId, [EXTERNAL_KEY]: key });
}

function noCourse(word: string, { folder }: Context): CatalogError {
  const quoted = truncateJson(word);
  if (looksLikeFile(word)) {
    const message = existsSync(resolve(folder, word))
      ? `${quoted} is a file, not a course`
      : `no such file or course: ${quoted}`;
    return new CatalogError("file", message, { advice: LIST_COURSES });
  }
  const message = `no course has the id, key or url ${quoted}`;
  return new CatalogError("missing", message, { advice: LIST_COURSES });
}

/** Whether a word looks like the path of a course file. */
function looksLikeFile(word: string): boolean {
  return hasCourseExtension(word) || (/[/\\]/.test(word) && !isWebUrl(word));
}

/** Whether a word ends like the name of a course file, and is not a url. */
export function hasCourseExtension(word: string): boolean {
  return !word.includes("://") && COURSE_EXTENSIONS.includes(extname(word).toLowerCase());
}

function severalCourses(word: string, courses: readonly Course[]): CatalogError {
  const listed = courses.map(({ id, url }) => `${truncate(id)} (${truncate(asText(url))})`);
  return usageError(
    `several courses match ${truncateJson(word)}: ${listSome(listed)}`,
    "Pass the id of one of them.",
  );
}

/**
 * The courses that words name, with all their fields, for a command that changes them.
 *
 * @param options `skipMissing`: return the errors of words that name no course
 * @throws CatalogError if a word names no course or several, after reporting the other such words
 */
export async function resolveCourses(
  typed: readonly string[],
  context: Context,
  { skipMissing = false }: { readonly skipMissing?: boolean } = {},
): Promise<readonly ReadCourse[]> {
  const found = await findCourseArguments(typed, context);
  const unread = found.flatMap(({ id, course }) => (course === undefined ? id : []));
  const read = await readBeforeWriting(unread, context);
  const byId = new Map(read.map(({ id, course }) => [id, course]));
  const courses = found.map(({ id, course = byId.get(id) ?? noSuchCourse(id) }) => ({
    id,
    course,
  }));
  const refused = skipMissing ? /^(file|usage)$/ : /^(file|missing|usage)$/;
  const problems = courses.flatMap(({ course }) =>
    course instanceof CatalogError && refused.test(course.kind) ? course : [],
  );
  const last = problems.pop();
  for (const problem of problems) await context.messages.fail(problem);
  if (last !== undefined) throw last;
  return courses;
}

/** The courses in their order, as they arrive. Requests only courses that were not read to find their ids. */
export async function* readFound(
  found: readonly FoundCourse[],
  context: Context,
): AsyncGenerator<ReadCourse, void, void> {
  const unread = found.flatMap(({ id, course }) => (course === undefined ? id : []));
  const others = readById(unread, context);
  try {
    for (const { id, course } of found) {
      const next = course === undefined ? await others.next() : { value: { id, course } };
      if (next.value !== undefined) yield next.value;
    }
  } finally {
    await others.return();
  }
}
