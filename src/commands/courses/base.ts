/** What courses were before they were changed: `--base <folder>`, or what a workbook remembers. */
import { CatalogError, usageError } from "../../base/errors.ts";
import { formatByName } from "../../base/files.ts";
import { WORKBOOK_ID } from "../../base/spreadsheet-cells.ts";
import { type Flag, nonEmpty } from "../../cli/arguments.ts";
import type { Context } from "../../cli/context.ts";
import { findSent } from "../../cli/history.ts";
import { type BaseCourses, DRIFT_CHOICES, settleDrift } from "../../core/base.ts";
import { readExistingFiles } from "../../core/existing-files.ts";
import { CourseIndex } from "../../core/identify.ts";
import type { RecordedStep } from "../../core/record.ts";
import type { Step } from "../../core/step.ts";
import type { Provider } from "../../course/provider.ts";
import type { TableOptions } from "../../files/parse.ts";
import type { Drafts } from "./drafts.ts";

export const BASE_FLAG = {
  name: "base",
  value: "<folder>",
  parse: nonEmpty,
  file: "read",
  description:
    "the files when they and the catalog were last the same, to separate your changes from those of others",
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

/** What courses were before they were changed. */
export interface Base {
  /** Undefined without `--base`, and without a workbook that remembers. */
  readonly courses: BaseCourses | undefined;
  /** The ids of the workbooks that remember them, if there are any. */
  readonly workbooks: string[] | undefined;
  /** What runs of this user sent from these workbooks since. */
  readonly sent: readonly RecordedStep[];
}

/**
 * The courses of `--base` or, without it, those that workbooks remember. Only their values matter, so
 * the files of a base may have errors; courses of files that cannot be parsed have no base.
 *
 * @throws CatalogError of kind `file` if the folder has no course, of kind `usage` for `--on-drift` without a base
 */
export async function loadBase(
  options: Options,
  { files, remembered }: Pick<Drafts, "files" | "remembered">,
  providers: readonly Provider[],
  context: Context,
): Promise<Base> {
  const { base: folder, onDrift } = options;
  const { messages } = context;
  const none = { courses: undefined, workbooks: undefined, sent: [] };
  if (folder === undefined && remembered !== undefined) {
    const ids = remembered.map(({ [WORKBOOK_ID]: id }) => id);
    const workbooks = ids.filter((id) => typeof id === "string");
    const courses = new CourseIndex(remembered);
    if (workbooks.length === 0) return { ...none, courses };
    return { courses, workbooks, sent: await findSent(workbooks, context) };
  }
  if (folder === undefined) {
    for (const name of files.filter((file) => formatByName(file) === "xlsx")) {
      await messages.info(
        `${name} has no record of the exported values, so all of its cells are compared.`,
      );
    }
    if (onDrift === undefined) return none;
    const advice = "Pass --base <folder>, or a workbook that catalog wrote.";
    throw usageError("--on-drift needs a base to compare with", advice);
  }
  const { courses, damaged } = await readExistingFiles(folder, providers, context, options);
  for (const text of damaged) await messages.warn(`${text}; its courses have no base`);
  if (courses.length > 0) {
    return { ...none, courses: new CourseIndex(courses.map(({ described }) => described)) };
  }
  const advice = "Pass the folder with the files as they were.";
  throw new CatalogError("file", `the base ${folder} does not exist, or contains no course`, {
    advice,
  });
}

/** Settles the steps of files. The refusal of a workbook of which no push is known here says that it may be old. */
export function settleFiles(
  steps: readonly Step[],
  courses: BaseCourses | undefined,
  { onDrift = "stop" }: Options,
  { workbooks, sent }: Base,
) {
  const settled = settleDrift(steps, courses, onDrift);
  const { refusal } = settled;
  if (refusal === undefined || workbooks === undefined || sent.length > 0) return settled;
  const isOld =
    "If the last push from this workbook was on another computer, export the workbook again.";
  return { ...settled, refusal: refusal.with({ advice: `${refusal.facts.advice} ${isOld}` }) };
}
