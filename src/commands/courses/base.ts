/** What courses were before they were changed: `--base <folder>`, or what a workbook remembers. */
import { CatalogError, usageError } from "../../base/errors.ts";
import { formatByName } from "../../base/files.ts";
import { WORKBOOK_ID } from "../../base/spreadsheet-cells.ts";
import { type Flag, nonEmpty } from "../../cli/arguments.ts";
import type { Context } from "../../cli/context.ts";
import { findSent } from "../../cli/history.ts";
import {
  type Base,
  type BaseCourses,
  baseOf,
  DRIFT_CHOICES,
  settleDrift,
} from "../../core/base.ts";
import { readExistingFiles } from "../../core/existing-files.ts";
import { CourseIndex } from "../../core/identify.ts";
import type { Step } from "../../core/step.ts";
import { type Provider, resolveProvider } from "../../course/provider.ts";
import type { CourseFile } from "../../files/course-file.ts";
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

/** What courses were before they were changed, as far as it is known before the catalog is read. */
interface Loaded {
  /** Undefined without `--base`, and without a workbook that remembers. @param now the catalog */
  readonly at: (now: CourseIndex) => Base | undefined;
  /** The ids of the workbooks that remember courses, if there are any. */
  readonly workbooks?: string[];
  /** Whether runs of this user have sent something from these workbooks. */
  readonly isSent?: boolean;
}

/**
 * The base of files: the courses of `--base` or, without it, those that the files' workbooks remember.
 *
 * @throws CatalogError of kind `file` if the folder has no course, of kind `usage` for `--on-drift` without a base
 */
export async function loadBase(
  options: Options,
  { files }: Pick<Drafts, "files">,
  providers: readonly Provider[],
  context: Context,
): Promise<Loaded> {
  const { base: folder, onDrift } = options;
  if (folder !== undefined) {
    const all = await readBase(folder, providers, context, options);
    return { at: () => ({ all }) };
  }
  const isEmpty = ({ remembered = [] }: CourseFile): boolean => remembered.length === 0;
  for (const { name } of files.filter(isEmpty)) {
    if (formatByName(name) !== "xlsx") continue;
    await context.messages.info(
      `${name} has no record of the exported values, so all of its cells are compared.`,
    );
  }
  const known = files.filter((file) => !isEmpty(file));
  if (known.length > 0) {
    const idsIn = ({ remembered = [] }: CourseFile): string[] =>
      remembered.map(({ [WORKBOOK_ID]: id }) => id).filter((id) => typeof id === "string");
    const names = new Map(known.flatMap((file) => idsIn(file).map((id) => [id, file.name])));
    const sent = await findSent(names, context);
    const books = known.map((file) => ({
      file: file.name,
      courses: (file.remembered ?? []).map((row) => resolveProvider(row, providers)),
      sent: idsIn(file).flatMap((id) => sent.get(id) ?? []),
    }));
    const workbooks = [...names.keys()];
    return { at: (now) => baseOf(books, now), workbooks, isSent: sent.size > 0 };
  }
  if (onDrift === undefined) return { at: () => undefined };
  const advice = "Pass --base <folder>, or a workbook that catalog wrote.";
  throw usageError("--on-drift needs a base to compare with", advice);
}

/**
 * The courses of a folder that is a base. Only their values matter, so the files may have errors; courses of files that
 * cannot be parsed have no base.
 *
 * @throws CatalogError of kind `file` if the folder has no course
 */
export async function readBase(
  folder: string,
  providers: readonly Provider[],
  context: Context,
  options: TableOptions = {},
): Promise<BaseCourses> {
  const { courses, damaged } = await readExistingFiles(folder, providers, context, options);
  for (const text of damaged) await context.messages.warn(`${text}; its courses have no base`);
  if (courses.length > 0) return new CourseIndex(courses.map(({ described }) => described));
  const advice = "Pass the folder with the files as they were.";
  const message = `the base ${folder} does not exist, or contains no course`;
  throw new CatalogError("file", message, { advice });
}

/** Settles the steps of files. The refusal of a workbook of which no push is known here says that it may be old. */
export function settleFiles(
  steps: readonly Step[],
  base: Base | undefined,
  { onDrift = "stop" }: Options,
  { workbooks = [], isSent = false }: Loaded,
) {
  const settled = settleDrift(steps, base, onDrift);
  const { refusal } = settled;
  if (refusal === undefined || workbooks.length === 0 || isSent) return settled;
  const isOld =
    "If the last push from this workbook was on another computer, export the workbook again.";
  return { ...settled, refusal: refusal.with({ advice: `${refusal.facts.advice} ${isOld}` }) };
}
