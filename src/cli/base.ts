/** Reads the files of `--base`, which are the course files as they were, and finds courses in them. */
import { escapeName, pluralize } from "../base/text.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { CourseIndex } from "../core/identify.ts";
import type { Provider } from "../course/provider.ts";
import { resolveProvider } from "../course/provider-ownership.ts";
import { type Flag, type FlagValues, nonEmpty } from "./arguments.ts";
import type { Context } from "./context.ts";
import { loadAllCourses, stopAtErrors, type TABLE_FLAGS } from "./course-files.ts";

export const BASE_FLAG = {
  name: "base",
  value: "<folder>",
  parse: nonEmpty,
  description:
    "compare with the files as they were, to separate your changes from changes in the catalog",
} as const satisfies Flag;

/** The courses of `--base`, which may have no id. */
export type BaseCourses = CourseIndex<PlainObject>;

/**
 * Reads the courses of `--base`. Only their values matter, so the files may have errors; courses of files that cannot
 * be parsed have no base.
 *
 * @returns undefined without the flag
 * @throws CatalogError of kind `file` if there is no such folder, or no course in it
 */
export async function loadBase(
  folder: string | undefined,
  { sheet, encoding }: Partial<FlagValues<typeof TABLE_FLAGS>>,
  providers: readonly Provider[],
  context: Context,
): Promise<BaseCourses | undefined> {
  if (folder === undefined) return undefined;
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

/** The course with an id at the base, or else the one with the key or url of a description. */
export function findAtBase(
  id: string,
  descriptions: readonly PlainObject[],
  base: BaseCourses,
): PlainObject | undefined {
  const found = base.find(id);
  if (found !== undefined) return found;
  for (const { id: _, ...others } of descriptions) {
    const match = base.identify(others);
    const same = "found" in match ? match.found : undefined;
    // A course with another id at the base is another course.
    if (same !== undefined && same.id === undefined) return same;
  }
  return undefined;
}
