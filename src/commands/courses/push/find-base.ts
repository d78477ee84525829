/** Reads the files of `--base`, which are the course files as they were, and finds the courses of steps in them. */
import { escapeName, pluralize } from "../../../base/text.ts";
import { isObject, type PlainObject } from "../../../base/values.ts";
import { type Flag, type FlagValues, nonEmpty } from "../../../command-support/arguments.ts";
import type { Context } from "../../../command-support/context.ts";
import {
  loadAllCourses,
  stopAtErrors,
  type TABLE_FLAGS,
} from "../../../command-support/course-files.ts";
import type { Provider } from "../../../course/provider.ts";
import { resolveProvider } from "../../../course/provider-ownership.ts";
import { CourseIndex } from "../../../sync/course-index.ts";
import type { Step } from "../../../sync/step.ts";

export const BASE_FLAG = {
  name: "base",
  value: "<folder>",
  completes: "folder",
  parse: nonEmpty,
  description:
    "compare with the files as they were, to separate your changes from changes in the catalog",
} as const satisfies Flag;

/** The courses of `--base`, which may have no id. */
export type BaseCourses = CourseIndex<PlainObject>;

/**
 * Reads the courses of `--base`. Only their values matter, so the files may have errors; courses of files that cannot
 * be parsed have no base. @throws CatalogError of kind `file` if there is no such folder, or no course in it
 */
export async function readBase(
  folder: string,
  { sheet, encoding }: FlagValues<typeof TABLE_FLAGS>,
  providers: readonly Provider[],
  context: Context,
): Promise<BaseCourses> {
  const { files, courses, failures } = await loadAllCourses([folder], context, { sheet, encoding });
  await stopAtErrors([], failures, context);
  const [first, ...others] = files.filter(({ problems }) => problems.length > 0);
  if (first !== undefined) {
    const more = others.length === 0 ? "" : ` and ${pluralize(others.length, "other file")}`;
    const whose = others.length === 0 ? "its" : "their";
    const text = `cannot read ${escapeName(first.name)}${more}, so ${whose} courses have no base`;
    await context.messages.warn(text);
  }
  return new CourseIndex(
    courses.flatMap(({ value }) => (isObject(value) ? [resolveProvider(value, providers)] : [])),
  );
}

/** The course of a step at the base, found by its id, or by the key or url in the file or in the catalog. */
export function findAtBase(
  { id, from, remote }: Step,
  index: BaseCourses,
): PlainObject | undefined {
  const found = index.find(id);
  if (found !== undefined) return found;
  for (const course of [from?.value, remote]) {
    if (course === undefined) continue;
    const { id: _, ...others } = course;
    const match = index.identify(others);
    // A course with another id at the base is another course.
    const same = "candidates" in match ? undefined : match.found;
    if (same !== undefined && same.id === undefined) return same;
  }
  return undefined;
}
