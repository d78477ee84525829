/** Finds the courses that arguments or lines of standard input name: by id, key or url. */
import { extname } from "node:path";
import { CatalogError, COURSE_NOT_FOUND, LIST_COURSES, usageError } from "../base/errors.ts";
import { readAll, STANDARD_INPUT } from "../base/io.ts";
import { listSome, truncate, truncateJson } from "../base/text.ts";
import { isUuid } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import { COURSE_EXTENSIONS } from "../files/parse.ts";
import { isWebUrl } from "../output/cells.ts";
import { type Argument, type ParsedArguments, parseWords } from "./arguments.ts";
import type { Context } from "./context.ts";
import { readCatalog, readProviders, showWork } from "./work.ts";

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
export function parseCourses(typed: Pick<ParsedArguments, "arguments">): readonly string[] {
  return parseWords(typed, 'the id, key or url of a course must not be ""', LIST_COURSES);
}

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
  return [...words];
}

async function readLines({ io }: Context): Promise<readonly string[]> {
  const bytes = await readAll(io.in.stream, Number.POSITIVE_INFINITY);
  return String(bytes)
    .replace(/^\ufeff/, "")
    .split(/\r?\n/);
}

/** More ids than this are looked up in the complete listing, which needs fewer requests. */
const MOST_REQUESTS = 25;

/**
 * The course that each word names, or why it names none, each course once and in the order of the words.
 *
 * @throws CatalogError if courses cannot be read
 */
export async function findCourses(
  words: readonly string[],
  context: Context,
): Promise<readonly (Course | CatalogError)[]> {
  const isShort = words.length <= MOST_REQUESTS && words.every(isUuid);
  const found = isShort ? await readById(words, context) : await searchListing(words, context);
  const ids = new Set<string>();
  return found.filter(
    (course) => course instanceof CatalogError || ids.size < ids.add(course.id.toLowerCase()).size,
  );
}

async function readById(
  ids: readonly string[],
  context: Context,
): Promise<(Course | CatalogError)[]> {
  const client = await context.client();
  const read = async (id: string) => (await client.course(id)) ?? noSuchCourse(id);
  return await showWork("Reading courses", context, () => Promise.all(ids.map(read)));
}

async function searchListing(
  words: readonly string[],
  context: Context,
): Promise<(Course | CatalogError)[]> {
  const providers = await readProviders(context);
  const { index } = await readCatalog(context);
  return words.map((word) => {
    if (isUuid(word)) return index.find(word) ?? noSuchCourse(word);
    const keyed = index.findByKey(word, providers);
    const matches = keyed.length > 0 ? keyed : index.findByUrl(word);
    const [course] = matches;
    if (course === undefined) return noCourse(word);
    if (matches.length === 1) return course;
    const ids = listSome(matches.map(({ id }) => truncate(id)));
    return usageError(
      `several courses match ${truncateJson(word)}: ${ids}`,
      "Pass one of these ids.",
    );
  });
}

function noSuchCourse(id: string): CatalogError {
  return new CatalogError("missing", `${COURSE_NOT_FOUND}: ${id}`, { advice: LIST_COURSES });
}

function noCourse(word: string): CatalogError {
  const quoted = truncateJson(word);
  const advice = { advice: LIST_COURSES };
  if (hasCourseExtension(word) || (/[/\\]/.test(word) && !isWebUrl(word))) {
    return new CatalogError("file", `no such file or course: ${quoted}`, advice);
  }
  return new CatalogError("missing", `no course has the id, key or url ${quoted}`, advice);
}

/** Whether a word ends like the name of a course file, and is not a url. */
export function hasCourseExtension(word: string): boolean {
  return !word.includes("://") && COURSE_EXTENSIONS.includes(extname(word).toLowerCase());
}

/**
 * The courses that words name, for a command that changes them.
 *
 * @throws CatalogError if a word names no course or several, after reporting the other such words
 */
export async function resolveCourses(
  typed: readonly string[],
  context: Context,
  { ignoreNotFound = false }: { readonly ignoreNotFound?: boolean } = {},
): Promise<readonly Course[]> {
  const words = await readCourseWords(typed, context);
  const courses: Course[] = [];
  const problems: CatalogError[] = [];
  for (const found of await findCourses(words, context)) {
    if (!(found instanceof CatalogError)) courses.push(found);
    else if (found.kind !== "missing" || !ignoreNotFound) problems.push(found);
  }
  const last = problems.pop();
  for (const problem of problems) await context.messages.fail(problem);
  if (last !== undefined) throw last;
  return courses;
}
