/** Finds the courses that arguments or lines of standard input name: by id, key or url. */
import { extname } from "node:path";
import { CatalogError, COURSE_NOT_FOUND, LIST_COURSES, usageError } from "../base/errors.ts";
import { readAll, STANDARD_INPUT } from "../base/io.ts";
import { listSome, truncate, truncateJson } from "../base/text.ts";
import { isUuid } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import { COURSE_EXTENSIONS } from "../files/parse.ts";
import { isWebUrl } from "../output/cells.ts";
import type { Argument } from "./arguments.ts";
import { ReportedError } from "./command.ts";
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
 * The courses that words name, each once and in the order of the words. Reports the words that name no course, or several.
 *
 * @throws CatalogError if courses cannot be read
 */
export async function findCourses(
  words: readonly string[],
  context: Context,
  ignoreNotFound = false,
): Promise<readonly Course[]> {
  const find = await createFinder(words, context);
  const look = async (word: string) => (await find(word)) ?? notFound(word);
  const found = await showWork("Reading courses", context, () => Promise.all(words.map(look)));
  const courses = new Map<string, Course>();
  for (const course of found) {
    if (!(course instanceof CatalogError)) courses.set(course.id.toLowerCase(), course);
    else if (course.kind !== "missing" || !ignoreNotFound) await context.messages.fail(course);
  }
  return [...courses.values()];
}

/** A function that finds the course that a word names, if one does: with a request each, or in the complete listing. */
async function createFinder(words: readonly string[], context: Context) {
  if (words.length <= MOST_REQUESTS && words.every(isUuid)) {
    const client = await context.client();
    return (id: string) => client.course(id);
  }
  const providers = await readProviders(context);
  const { index } = await readCatalog(context);
  return async (word: string): Promise<Course | CatalogError | undefined> => {
    if (isUuid(word)) return index.find(word);
    const keyed = index.findByKey(word, providers);
    const matches = keyed.length > 0 ? keyed : index.findByUrl(word);
    if (matches.length < 2) return matches[0];
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

/** The courses that words name, for a command that changes them. @throws ReportedError if a word names none or several */
export async function resolveCourses(
  typed: readonly string[],
  context: Context,
  ignoreNotFound = false,
): Promise<readonly Course[]> {
  const words = await readCourseWords(typed, context);
  const courses = await findCourses(words, context, ignoreNotFound);
  if (context.messages.kinds.length > 0) throw new ReportedError("missing");
  return courses;
}
