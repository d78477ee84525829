/** `catalog courses get`: shows every field of courses. */
import { STANDARD_INPUT } from "../../base/io.ts";
import type { Typed } from "../../cli/arguments.ts";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { COURSE_ARGUMENTS, findCourses, readCourseWords } from "../../cli/course-arguments.ts";
import { COURSES, courseRenderer, PRINT_FLAGS } from "./print-courses.ts";

/** Sends GET courses?id= once per id. To find keys and urls, sends GET providers and GET courses. */
export const get = command({
  description:
    "As JSON or YAML, one course is an object; several courses, and courses read from standard input, are a " +
    "list. In a script, use catalog courses get -: it prints a list for any number of ids.",
  arguments: COURSE_ARGUMENTS,
  flags: PRINT_FLAGS,
  output: COURSES,
  examples: {
    "Show a course": "catalog courses get 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
    "Show the course with the key K-1042, and a course found by its url":
      "catalog courses get K-1042 https://academy.example/knitting",
    "Save a course to a file": "catalog courses get $id --out intro.yaml",
  },
  run: getCourses,
});

async function getCourses(
  { words, ...flags }: Typed<typeof PRINT_FLAGS>,
  context: Context,
): Promise<void> {
  const single = words.length === 1 && words[0] !== STANDARD_INPUT;
  const renderer = await courseRenderer("single", flags, context, single);
  const named = await readCourseWords(words, context);
  if (named.length === 0) return await renderer.end();
  const { courses } = await findCourses(named, context);
  await renderer.rows(courses);
  // Several courses are a list, even if none was found.
  if (courses.length > 0 || !single) await renderer.end();
}
