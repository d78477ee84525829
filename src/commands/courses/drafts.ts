/** Courses from files and flags: loaded, amended, checked, with their providers resolved. */
import { usageError } from "../../base/errors.ts";
import { isObject, type PlainObject } from "../../base/values.ts";
import { type Assignment, assign, isAssigned } from "../../command-support/assign.ts";
import { messageWithSuggestion } from "../../command-support/assignments.ts";
import type { Context } from "../../command-support/context.ts";
import { isImportant, loadAllCourses, stopAtErrors } from "../../command-support/course-files.ts";
import { FileCourse, withoutFile } from "../../command-support/located.ts";
import { ALL_RULES, findingFilter } from "../../command-support/rule-choice.ts";
import { checkCourse } from "../../course/check.ts";
import { checkOwnership, resolveProvider } from "../../course/ownership.ts";
import type { Problem } from "../../course/problem.ts";
import type { Provider } from "../../course/provider.ts";
import type { SourceCourse } from "../../files/course-file.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import { checkOwners } from "../../files/validate.ts";
import type { Located } from "../../sync/step.ts";

/** Whether courses are created, or only some of their fields are given. */
export type Mode = "create" | "patch";

export interface DraftSources {
  readonly paths: readonly string[];
  readonly assignments: readonly Assignment[];
}

/**
 * The courses of the paths with the assignments applied, once they pass all checks made offline.
 */
export async function loadDrafts(
  { paths, assignments }: DraftSources,
  mode: Mode,
  context: Context,
): Promise<Located[]> {
  const unset = mode === "create" ? "absent" : "null";
  if (paths.length === 0) {
    const course = assign({}, assignments, unset);
    stopAtFlags(checkCourse(course, { mode }).filter(isError), assignments);
    return [withoutFile(course)];
  }
  const amend = (value: unknown): unknown =>
    isObject(value) ? assign(value, assignments, unset) : value;
  const loaded = await loadAllCourses(paths, context, { mode, amend });
  await stopAtProblems(loaded.diagnostics, loaded.failures, assignments, context);
  return loaded.courses.flatMap((source) =>
    isObject(source.value) ? [new FileCourse(source, source.value)] : [],
  );
}

/** The drafts with their providers resolved, once they have been checked against the providers. */
export async function resolveDrafts(
  drafts: readonly Located[],
  assignments: readonly Assignment[],
  providers: readonly Provider[],
  context: Context,
): Promise<Located[]> {
  const filter = await findingFilter(ALL_RULES, context);
  const sources: SourceCourse[] = [];
  for (const draft of drafts) {
    if (draft instanceof FileCourse) {
      sources.push(draft.source);
      continue;
    }
    const problems = filter(checkOwnership(draft.value, providers));
    stopAtFlags(problems.filter(isError), assignments);
    await warnAboutFlags(problems, assignments, context);
  }
  const found = filter(await checkOwners(sources, providers));
  await stopAtProblems(found, [], assignments, context);
  return drafts.map((draft) => withValue(draft, resolveProvider(draft.value, providers)));
}

/** The same course with another value. */
export function withValue(from: Located, value: PlainObject): Located {
  return from instanceof FileCourse ? new FileCourse(from.source, value) : { ...from, value };
}

/** Reports errors in files with their position, and errors in flags by the flag's name. */
async function stopAtProblems(
  diagnostics: readonly Diagnostic[],
  failures: Parameters<typeof stopAtErrors>[1],
  assignments: readonly Assignment[],
  context: Context,
): Promise<void> {
  const fromFlags = diagnostics.filter(({ path }) => isAssigned(path, assignments));
  const inFiles = diagnostics.filter(({ path }) => !isAssigned(path, assignments));
  await warnAboutFlags(fromFlags, assignments, context);
  const inFlags = fromFlags.filter(isError);
  if (inFlags.length === 0) return await stopAtErrors(inFiles, failures, context);
  for (const failure of failures) await context.messages.fail(failure);
  await context.messages.diagnose(inFiles.filter(isError));
  stopAtFlags(inFlags, assignments);
}

async function warnAboutFlags(
  problems: readonly (FlagProblem & Pick<Problem, "rule" | "severity">)[],
  assignments: readonly Assignment[],
  { messages }: Context,
): Promise<void> {
  for (const problem of problems.filter((each) => !isError(each) && isImportant(each))) {
    await messages.warn(flagMessage(problem, assignments));
  }
}

function isError({ severity }: Pick<Problem, "severity">): boolean {
  return severity === "error";
}

function stopAtFlags(problems: readonly FlagProblem[], assignments: readonly Assignment[]): void {
  const messages = problems.map((problem) => flagMessage(problem, assignments));
  if (messages.length > 0) throw usageError([...new Set(messages)].join("; "));
}

type FlagProblem = Pick<Problem, "path" | "message" | "suggestion">;

export function flagMessage(problem: FlagProblem, assignments: readonly Assignment[]): string {
  const origin = assignments.find((assignment) => isAssigned(problem.path, [assignment]))?.origin;
  return (origin === undefined ? "" : `${origin}: `) + messageWithSuggestion(problem);
}
