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
  { io }: Context,
): Promise<readonly string[]> {
  const words: string[] = [];
  for (const word of typed) {
    if (word !== STANDARD_INPUT) words.push(word);
    else words.push(...String(await readAll(io.in.stream, Number.POSITIVE_INFINITY)).split("\n"));
  }
  // This also removes carriage returns and a byte order mark.
  return [...new Set(words.map((word) => word.trim()).filter((word) => word !== ""))];
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
  const find = isShort ? await finderById(context) : await finderInListing(context);
  const found = await showWork("Reading courses", context, () => Promise.all(words.map(find)));
  const ids = new Set<string>();
  return found.filter(
    (course) => course instanceof CatalogError || ids.size < ids.add(course.id.toLowerCase()).size,
  );
}

/** Finds the course that a word names, or why it names none. */
type Finder = (word: string) => Promise<Course | CatalogError>;

async function finderById(context: Context): Promise<Finder> {
  const client = await context.client();
  return async (id) => (await client.course(id)) ?? notFound(id);
}

async function finderInListing(context: Context): Promise<Finder> {
  const providers = await readProviders(context);
  const { index } = await readCatalog(context);
  return async (word) => {
    if (isUuid(word)) return index.find(word) ?? notFound(word);
    const keyed = index.findByKey(word, providers);
    const matches = keyed.length > 0 ? keyed : index.findByUrl(word);
    const [course] = matches;
    if (course === undefined) return notFound(word);
    if (matches.length === 1) return course;
    const ids = listSome(matches.map(({ id }) => truncate(id)));
    const message = `several courses match ${truncateJson(word)}: ${ids}`;
    return usageError(message, "Pass one of these ids.");
  };
}

function notFound(word: string): CatalogError {
  const isFile = hasCourseExtension(word) || (/[/\\]/.test(word) && !isWebUrl(word));
  const kind = isFile ? "file" : "missing";
  const problem = isFile ? "no such file or course" : COURSE_NOT_FOUND;
  return new CatalogError(kind, `${problem}: ${truncateJson(word)}`, { advice: LIST_COURSES });
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
