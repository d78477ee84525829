/** `--base <folder>`: the course files as they were. */
import { CatalogError } from "../../base/errors.ts";
import { type Flag, nonEmpty } from "../../cli/arguments.ts";
import type { Context } from "../../cli/context.ts";
import type { BaseCourses } from "../../core/base.ts";
import { readExistingFiles } from "../../core/existing-files.ts";
import { CourseIndex } from "../../core/identify.ts";
import type { Provider } from "../../course/provider.ts";
import type { TableOptions } from "../../files/parse.ts";

export const BASE_FLAG = {
  name: "base",
  value: "<folder>",
  parse: nonEmpty,
  description:
    "compare with the files as they were, to separate your changes from changes in the catalog",
} as const satisfies Flag;

/**
 * Reads the courses of `--base`. Only their values matter, so the files may have errors; courses of files that cannot
 * be parsed have no base.
 *
 * @returns undefined without the flag
 * @throws CatalogError of kind `file` if the folder has no course
 */
export async function loadBase(
  folder: string | undefined,
  options: TableOptions,
  providers: readonly Provider[],
  context: Context,
): Promise<BaseCourses | undefined> {
  if (folder === undefined) return undefined;
  const { courses, damaged } = await readExistingFiles(folder, providers, context, options);
  for (const text of damaged) await context.messages.warn(`${text}; its courses have no base`);
  if (courses.length > 0) return new CourseIndex(courses.map(({ described }) => described));
  const advice = "Pass the folder with the files as they were.";
  throw new CatalogError("file", `there is no course in the base ${folder}`, { advice });
}
