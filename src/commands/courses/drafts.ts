/** Loads courses from files and flags, checks them, and resolves their providers. */
import { isObject, type PlainObject } from "../../base/values.ts";
import { flagError, flagMessage } from "../../cli/assignments.ts";
import type { Context } from "../../cli/context.ts";
import { findingFilter, loadAllCourses, stopAtErrors } from "../../cli/course-files.ts";
import type { Report } from "../../cli/run.ts";
import { readProviders } from "../../cli/work.ts";
import { type Assignment, assign, isAssigned } from "../../core/assign.ts";
import { FileCourse } from "../../core/located.ts";
import { checkCourse } from "../../course/check.ts";
import { isImportant, type Located, type Problem, withoutFile } from "../../course/problem.ts";
import {
  checkOwnership,
  foreignCourses,
  groupForeign,
  resolveProvider,
} from "../../course/provider.ts";
import { PROVIDER_KEY } from "../../course/special-fields.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import type { Reader } from "../../files/find.ts";
import { findProblems, type LoadOptions } from "../../files/load.ts";

/** What describes courses, and how it is checked. */
export interface DraftSources extends Omit<LoadOptions, keyof Reader | "input" | "amend"> {
  readonly paths: readonly string[];
  /** The values of flags, which override values in the files. Without paths, they are the course. */
  readonly assignments?: readonly Assignment[];
  /** Whether courses are created, or only some of their fields are given. */
  readonly mode: "create" | "patch";
}

/**
 * The courses of the paths with the assignments applied.
 *
 * @param report receives the files, the courses and their problems
 * @throws CatalogError if a course fails a check that needs no request; files with errors are reported
 */
export async function loadDrafts(
  { paths, assignments, ...reading }: DraftSources,
  context: Context,
  report: Report = {},
): Promise<Located[]> {
  const { mode } = reading;
  const unset = mode === "create" ? "absent" : "null";
  if (paths.length === 0 && assignments !== undefined) {
    const course = assign({}, assignments, unset);
    await stopAtProblems(checkCourse(course, mode), assignments, context);
    return [withoutFile(course)];
  }
  const flags = assignments ?? [];
  const amend = (value: unknown): unknown =>
    isObject(value) ? assign(value, flags, unset) : value;
  const loaded = await loadAllCourses(paths, context, { ...reading, amend });
  const filter = await findingFilter(context);
  report.files = loaded.files.map(({ name }) => name);
  report.sources = loaded.courses;
  const remembered = loaded.files.flatMap((file) => file.remembered ?? []);
  if (remembered.length > 0) report.remembered = remembered;
  report.diagnostics = filter(loaded.diagnostics);
  await stopAtProblems(report.diagnostics, flags, context);
  return loaded.courses.flatMap((source) =>
    isObject(source.value) ? [new FileCourse(source, source.value)] : [],
  );
}

/** Fields that are checked against the user's providers. */
const OWNED_FIELDS = ["url", "provider_id", PROVIDER_KEY];

/** The drafts with their providers resolved. @throws CatalogError if a draft does not fit the user's providers */
export async function resolveDrafts(
  drafts: readonly Located[],
  { assignments = [] }: Pick<DraftSources, "assignments">,
  context: Context,
  report: Report = {},
): Promise<readonly Located[]> {
  const values = drafts.map(({ value }) => value);
  const isOwned = (value: PlainObject) => OWNED_FIELDS.some((name) => value[name] !== undefined);
  if (!values.some(isOwned)) return drafts;
  const providers = await readProviders(context);
  const foreign = foreignCourses(values, providers);
  if (foreign !== undefined) throw foreign;
  const filter = await findingFilter(context);
  const sources = drafts.flatMap((draft) => (draft instanceof FileCourse ? draft.source : []));
  const others = drafts.filter((draft) => !(draft instanceof FileCourse));
  const inFiles = filter(groupForeign(await findProblems({ courses: sources }, { providers })));
  report.diagnostics = [...(report.diagnostics ?? []), ...inFiles];
  const inFlags = filter(others.flatMap(({ value }) => checkOwnership(value, providers)));
  await stopAtProblems([...inFlags, ...inFiles], assignments, context);
  return drafts.map((draft) => withValue(draft, resolveProvider(draft.value, providers)));
}

/** The same course with another value. */
export function withValue(from: Located, value: PlainObject): Located {
  return from instanceof FileCourse ? new FileCourse(from.source, value) : { ...from, value };
}

/** Reports problems: in files with their position, in flags with the name of the flag. @throws CatalogError */
async function stopAtProblems(
  found: readonly (Problem | Diagnostic)[],
  assignments: readonly Assignment[],
  context: Context,
): Promise<void> {
  const isInFile = (each: Problem | Diagnostic): each is Diagnostic =>
    "file" in each && (each.path.length === 0 || !isAssigned(each.path, assignments));
  const inFiles = found.filter(isInFile);
  const errors: Problem[] = [];
  for (const problem of found) {
    if (isInFile(problem) || !isImportant(problem)) continue;
    if (problem.severity === "error") errors.push(problem);
    else await context.messages.warn(flagMessage(problem, assignments));
  }
  if (errors.length === 0) return await stopAtErrors(inFiles, context);
  await context.messages.diagnose(inFiles.filter(({ severity }) => severity === "error"));
  throw flagError(errors, assignments);
}
