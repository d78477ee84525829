/** Finds the courses that arguments or lines of standard input name: by id, key or url. */
import {
  CatalogError,
  COURSE_NOT_FOUND,
  LIST_COURSES,
  UNRELIABLE_LISTING,
  usageError,
} from "../base/errors.ts";
import { formatByName } from "../base/files.ts";
import { readAll, STANDARD_INPUT } from "../base/io.ts";
import { quoteShell, truncateJson } from "../base/text.ts";
import { isUuid, memoize } from "../base/values.ts";
import { type CourseIndex, listIds } from "../core/identify.ts";
import type { Course } from "../course/request-body.ts";
import { isWebUrl } from "../output/cells.ts";
import type { Argument } from "./arguments.ts";
import { readCatalog } from "./catalog.ts";
import { ReportedError } from "./command.ts";
import type { Context } from "./context.ts";
import { showWork } from "./work.ts";

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
  const trimmed = words.map((word) => word.trim()).filter((word) => word !== "");
  const byMeaning = trimmed.map(
    (word) => [isUuid(word) ? word.toLowerCase() : word, word] as const,
  );
  return [...new Map(byMeaning).values()];
}

/** More ids than this are looked up in the complete listing, which needs fewer requests. */
const MOST_REQUESTS = 25;

/**
 * The courses that words name, each once and in the order of the words. Reports the words that name no course, or several.
 *
 * @param isListed whether to read the complete listing even for a few ids, which are otherwise looked up one by one
 * @returns the courses, and the listing in which they were found, if it was read
 * @throws CatalogError if courses cannot be read
 */
export async function findCourses(
  words: readonly string[],
  context: Context,
  { isListed = false, ignoreNotFound = false } = {},
) {
  const areFewIds = words.length <= MOST_REQUESTS && words.every(isUuid);
  const isLookedUp = words.length === 0 || (areFewIds && !isListed);
  const index = isLookedUp ? undefined : await readCatalog(context);
  const client = await context.client();
  const list = memoize(() => readCatalog(context));
  const look = async (word: string): Promise<Course | CatalogError> => {
    const found = index === undefined ? await client.course(word.toLowerCase()) : undefined;
    // What is the id of no course may be a key.
    return found ?? findWord(word, index ?? (await list()));
  };
  const found = await showWork("Reading courses", context, () => Promise.all(words.map(look)));
  const courses = new Map<string, Course>();
  for (const course of found) {
    if (!(course instanceof CatalogError)) courses.set(course.id.toLowerCase(), course);
    else if (course.kind !== "missing" || !ignoreNotFound) await context.messages.fail(course);
  }
  return { courses: [...courses.values()], index };
}

function findWord(word: string, index: CourseIndex<Course>): Course | CatalogError {
  const meaning = index.identifyWord(word);
  switch (meaning.is) {
    case "found":
      return meaning.course;
    case "several": {
      const message = `several courses match ${truncateJson(word)}: ${listIds(meaning.courses)}`;
      return usageError(message, "Pass one of these ids.");
    }
    case "unknown":
      return usageError(UNRELIABLE_LISTING, `Run the command again to find ${truncateJson(word)}.`);
    default:
      return notFound(word);
  }
}

function notFound(word: string): CatalogError {
  const isFile = hasCourseExtension(word) || (/[/\\]/.test(word) && !isWebUrl(word));
  const kind = isFile ? "file" : "missing";
  const problem = isFile ? "not the id, key or url of a course" : COURSE_NOT_FOUND;
  const search = `Pass an id, key or url. To find a course by its name: catalog courses ls --name ${quoteShell(word)}`;
  const known = isUuid(word) || isWebUrl(word) || word.length > 40 ? LIST_COURSES : search;
  const advice = isFile ? `Pass an id, key or url, not a file. ${LIST_COURSES}` : known;
  return new CatalogError(kind, `${problem}: ${truncateJson(word)}`, { advice });
}

/** Whether a word ends like the name of a course file, and is not a url. */
export function hasCourseExtension(word: string): boolean {
  return !word.includes("://") && formatByName(word) !== undefined;
}

/** The courses that words name, for a command that changes them. @throws ReportedError if a word names none or several */
export async function resolveCourses(
  typed: readonly string[],
  context: Context,
  options?: Parameters<typeof findCourses>[2],
) {
  const words = await readCourseWords(typed, context);
  const named = await findCourses(words, context, options);
  if (context.messages.kinds.length > 0) throw new ReportedError("missing");
  return named;
}
