/** Loads courses from files and flags for `create` and `update`, checks them, and resolves their providers. */
import type { CatalogError } from "../../base/errors.ts";
import { isObject, type PlainObject } from "../../base/values.ts";
import {
  type Assignment,
  assign,
  flagError,
  flagMessage,
  isAssigned,
} from "../../cli/assignments.ts";
import type { Context } from "../../cli/context.ts";
import { isImportant, loadAllCourses, stopAtErrors } from "../../cli/course-files.ts";
import { FileCourse } from "../../cli/located.ts";
import { findingFilter } from "../../cli/rule-choice.ts";
import { checkCourse } from "../../course/check.ts";
import { type Located, withoutFile } from "../../course/located.ts";
import type { Problem } from "../../course/problem.ts";
import type { Provider } from "../../course/provider.ts";
import { checkOwnership, resolveProvider } from "../../course/provider-ownership.ts";
import type { TableOptions } from "../../files/content.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import { checkOwners } from "../../files/validate.ts";

/** The files of courses, and the assignments of flags, which override values in the files. */
export interface DraftSources extends TableOptions {
  readonly paths: readonly string[];
  readonly assignments: readonly Assignment[];
}

/**
 * The courses of the paths with the assignments applied; without paths, one course of the assignments.
 *
 * @param mode whether courses are created, or only some of their fields are given
 * @throws CatalogError if a course fails a check that needs no request; files with errors are reported
 */
export async function loadDrafts(
  { paths, assignments, sheet, encoding }: DraftSources,
  mode: "create" | "patch",
  context: Context,
): Promise<Located[]> {
  const unset = mode === "create" ? "absent" : "null";
  if (paths.length === 0) {
    const course = assign({}, assignments, unset);
    await stopAtProblems(checkCourse(course, { mode }), [], assignments, context);
    return [withoutFile(course)];
  }
  const amend = (value: unknown): unknown =>
    isObject(value) ? assign(value, assignments, unset) : value;
  const loaded = await loadAllCourses(paths, context, { mode, amend, sheet, encoding });
  await stopAtProblems(loaded.diagnostics, loaded.failures, assignments, context);
  return loaded.courses.flatMap((source) =>
    isObject(source.value) ? [new FileCourse(source, source.value)] : [],
  );
}

/** The drafts with their providers resolved. @throws CatalogError if a draft does not fit the user's providers */
export async function resolveDrafts(
  drafts: readonly Located[],
  assignments: readonly Assignment[],
  providers: readonly Provider[],
  context: Context,
): Promise<Located[]> {
  const filter = await findingFilter(context);
  const sources = drafts.flatMap((draft) => (draft instanceof FileCourse ? draft.source : []));
  const others = drafts.filter((draft) => !(draft instanceof FileCourse));
  const problems = [
    ...filter(others.flatMap(({ value }) => checkOwnership(value, providers))),
    ...filter(await checkOwners(sources, providers)),
  ];
  await stopAtProblems(problems, [], assignments, context);
  return drafts.map((draft) => withValue(draft, resolveProvider(draft.value, providers)));
}

/** The same course with another value. */
export function withValue(from: Located, value: PlainObject): Located {
  return from instanceof FileCourse ? new FileCourse(from.source, value) : { ...from, value };
}

/** Reports problems: in files with their position, in flags with the name of the flag. @throws CatalogError */
async function stopAtProblems(
  found: readonly (Problem | Diagnostic)[],
  failures: readonly CatalogError[],
  assignments: readonly Assignment[],
  context: Context,
): Promise<void> {
  const isInFile = (each: Problem | Diagnostic): each is Diagnostic =>
    "file" in each && !isAssigned(each.path, assignments);
  const inFiles = found.filter(isInFile);
  const errors: Problem[] = [];
  for (const problem of found) {
    if (isInFile(problem) || !isImportant(problem)) continue;
    if (problem.severity === "error") errors.push(problem);
    else await context.messages.warn(flagMessage(problem, assignments));
  }
  if (errors.length === 0) return await stopAtErrors(inFiles, failures, context);
  for (const failure of failures) await context.messages.fail(failure);
  await context.messages.diagnose(inFiles.filter(({ severity }) => severity === "error"));
  throw flagError(errors, assignments);
}
