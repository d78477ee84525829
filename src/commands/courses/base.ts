/** What courses were before they were changed: `--base <folder>`, or what a workbook remembers. */
import { CatalogError, usageError } from "../../base/errors.ts";
import { type Flag, nonEmpty } from "../../cli/arguments.ts";
import type { Context } from "../../cli/context.ts";
import { type BaseCourses, DRIFT_CHOICES } from "../../core/base.ts";
import { readExistingFiles } from "../../core/existing-files.ts";
import { CourseIndex } from "../../core/identify.ts";
import type { Provider } from "../../course/provider.ts";
import type { TableOptions } from "../../files/parse.ts";
import type { Drafts } from "./drafts.ts";

export const BASE_FLAG = {
  name: "base",
  value: "<folder>",
  parse: nonEmpty,
  description:
    "compare with the files as they were, to separate your changes from changes in the catalog",
} as const satisfies Flag;

export const ON_DRIFT_FLAG = {
  name: "on-drift",
  choices: DRIFT_CHOICES,
  description:
    "what to do with values that changed in the files and in the catalog since the base or the export (default: stop)",
} as const satisfies Flag;

interface Options extends TableOptions {
  readonly base?: string | undefined;
  readonly onDrift?: (typeof DRIFT_CHOICES)[number] | undefined;
}

/**
 * The courses of `--base` or, without it, those that workbooks remember. Only their values matter, so
 * the files of a base may have errors; courses of files that cannot be parsed have no base.
 *
 * @returns undefined without both
 * @throws CatalogError of kind `file` if the folder has no course, of kind `usage` for `--on-drift` without a base
 */
export async function loadBase(
  options: Options,
  { files, remembered }: Pick<Drafts, "files" | "remembered">,
  providers: readonly Provider[],
  context: Context,
): Promise<BaseCourses | undefined> {
  const { base: folder, onDrift } = options;
  const { messages } = context;
  if (folder === undefined && remembered !== undefined) return new CourseIndex(remembered);
  if (folder === undefined) {
    for (const name of files.filter((file) => /\.xlsx$/i.test(file))) {
      await messages.info(
        `${name} has no record of the exported values, so all of its cells are compared.`,
      );
    }
    if (onDrift === undefined) return undefined;
    const advice = "Pass --base <folder>, or a workbook that catalog wrote.";
    throw usageError("--on-drift needs a base to compare with", advice);
  }
  const { courses, damaged } = await readExistingFiles(folder, providers, context, options);
  for (const text of damaged) await messages.warn(`${text}; its courses have no base`);
  if (courses.length > 0) return new CourseIndex(courses.map(({ described }) => described));
  const advice = "Pass the folder with the files as they were.";
  throw new CatalogError("file", `the base ${folder} contains no course`, { advice });
}
