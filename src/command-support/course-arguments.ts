/** Finds the courses that arguments or lines of standard input name: by id, url, `key` or name. */
import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { CatalogError, LIST_COURSES, usageError } from "../base/errors.ts";
import { normalizeUrl } from "../base/http.ts";
import { readAll, STANDARD_INPUT } from "../base/io.ts";
import { suggest } from "../base/suggest.ts";
import { foldCase, listSome, truncate, truncateJson } from "../base/text.ts";
import { addTo, asText, isUuid } from "../base/values.ts";
import { EXTERNAL_KEY } from "../course/field-names.ts";
import { type Course, derivedId } from "../course/request-body.ts";
import { COURSE_EXTENSIONS } from "../files/parse.ts";
import { isWebUrl } from "../output/cells.ts";
import { CourseIndex } from "../sync/course-index.ts";
import { lookUpCourses, MAX_LOOKUPS } from "../sync/look-up.ts";
import type { Argument, ParsedArguments } from "./arguments.ts";
import { canConfirm, confirm } from "./ask.ts";
import { requireYes } from "./confirm-steps.ts";
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
    description: "the id, url, key or name of a course; - reads them from standard input",
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
  throw usageError('the id, url, key or name of a course must not be ""', LIST_COURSES);
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

interface FindOptions {
  /**
   * Set for commands that change the courses: they ask before they use a name, which another course may have tomorrow.
   * `verb` begins the question: `Update`.
   */
  readonly forChange?: { readonly verb: string; readonly yes: boolean } | undefined;
}

/** The course that a word names. A UUID is not looked up, so there may be no course with that id. */
interface FoundCourse {
  readonly id: string;
  /** The course, if it was read in order to find its id. */
  readonly course?: Course | undefined;
}

/**
 * The courses that words name, each once. @param typed the words of `parseCourses` @throws CatalogError if a word other
 * than a UUID does not name exactly one course, or if the use of a name is not confirmed
 */
export async function findCourseArguments(
  typed: readonly string[],
  { forChange }: FindOptions,
  context: Context,
): Promise<readonly FoundCourse[]> {
  const words = await readCourseWords(typed, context);
  const named = words.filter((word) => !isUuid(word));
  const matches = named.length === 0 ? undefined : await findNamedCourses(named, context);
  const found = new Map<string, FoundCourse>();
  const byName: Course[] = [];
  for (const word of words) {
    const match = matches?.get(word);
    const id = (match?.course.id ?? word).toLowerCase();
    if (found.has(id)) continue;
    found.set(id, { id, course: match?.course });
    if (match?.isByName === true) byName.push(match.course);
  }
  if (forChange !== undefined && !forChange.yes && byName.length > 0) {
    await confirmNames(byName, forChange.verb, typed.includes(STANDARD_INPUT), context);
  }
  return [...found.values()];
}

interface NamedCourse {
  readonly course: Course;
  /** Whether the word is the name of the course. */
  readonly isByName: boolean;
}

/**
 * The course that each word names. Looks up a few keys under each provider, and otherwise reads the listing once.
 *
 * @throws CatalogError if a word names no course or several, after reporting the other such words
 */
async function findNamedCourses(
  words: readonly string[],
  context: Context,
): Promise<ReadonlyMap<string, NamedCourse>> {
  const providers = await readProviders(context);
  const keyIds = (word: string): string[] => providers.flatMap(({ id }) => idOfKey(word, id));
  const ids = words.flatMap(keyIds);
  const mayBeKeys = ids.length <= MAX_LOOKUPS && !words.some(isWebUrl);
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
  // To find the nearest name takes time for each word.
  const namesakes = words.length > MAX_LOOKUPS ? [] : [...byName.values()];
  const names = namesakes.map(([course]) => truncate(asText(course?.name)));
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

/** The id of a course with this key and provider. Nothing for a word that cannot be a key. */
function idOfKey(key: string, providerId: string): string | [] {
  if (!isUuid(providerId) || !key.isWellFormed()) return [];
  return derivedId({ provider_id: providerId, [EXTERNAL_KEY]: key });
}

/** A name for comparison, without what people do not see: case, invisible characters, the number of spaces. */
function foldName(name: string): string {
  const visible = name.replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return foldCase(visible.replace(/\s+/g, " ").trim());
}

function noCourse(word: string, names: readonly string[], { folder }: Context): CatalogError {
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

/** Whether a word looks like the path of a course file. */
export function looksLikeFile(word: string): boolean {
  if (isWebUrl(word)) return false;
  return /[/\\]/.test(word) || COURSE_EXTENSIONS.includes(extname(word).toLowerCase());
}

function severalCourses(word: string, courses: readonly Course[]): CatalogError {
  const listed = courses.map(({ id, url }) => `${truncate(id)} (${truncate(asText(url))})`);
  return usageError(
    `several courses match ${truncateJson(word)}: ${listSome(listed)}`,
    "Pass the id of one of them.",
  );
}

async function confirmNames(
  courses: readonly Course[],
  verb: string,
  isInputData: boolean,
  context: Context,
): Promise<void> {
  if (!canConfirm(context, isInputData)) {
    const names = listSome(courses.map(({ name }) => truncateJson(name)));
    const ids = listSome(courses.map(({ id }) => truncate(id)));
    const what = courses.length === 1 ? "the course" : "the courses";
    throw usageError(
      `without a terminal, catalog cannot ask before changing ${what} by name: ${names}`,
      `Pass ${ids} instead. To go ahead with the name, pass --yes.`,
    );
  }
  const listed = courses.map(({ id, name }) => `${truncateJson(name)} (${truncate(id)})`);
  requireYes(await confirm(`${verb} ${listSome(listed)}?`, context));
}

/** The courses that words name, with all their fields. @throws CatalogError as `findCourseArguments` does */
export async function resolveCourses(
  typed: readonly string[],
  options: FindOptions,
  context: Context,
): Promise<readonly ReadCourse[]> {
  const found = await findCourseArguments(typed, options, context);
  const unread = found.flatMap(({ id, course }) => (course === undefined ? id : []));
  const read = await readBeforeWriting(unread, context);
  const byId = new Map(read.map(({ id, course }) => [id, course]));
  return found.map(({ id, course = byId.get(id) ?? noSuchCourse(id) }) => ({ id, course }));
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
