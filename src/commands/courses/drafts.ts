/** Loads courses from files and flags, checks them, and resolves their providers. */
import { STANDARD_INPUT } from "../../base/io.ts";
import { isObject, type PlainObject } from "../../base/values.ts";
import {
  type Assignment,
  assign,
  flagError,
  flagMessage,
  isAssigned,
} from "../../cli/assignments.ts";
import type { Context } from "../../cli/context.ts";
import { findingFilter, loadAllCourses, stopAtErrors } from "../../cli/course-files.ts";
import { readProviders, type Stages } from "../../cli/work.ts";
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
import type { CourseFile } from "../../files/course-file.ts";
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

/** Courses that passed every check before the catalog is read. */
export interface Drafts {
  readonly courses: readonly Located[];
  /** The files that they come from. */
  readonly files: readonly CourseFile[];
}

/**
 * Loads the courses of the paths, applies the assignments, checks them, and resolves their providers.
 *
 * @throws CatalogError if a course fails a check; files with errors are reported
 */
export async function* draftCourses(sources: DraftSources, context: Context): Stages<Drafts> {
  const { paths, assignments = [], ...reading } = sources;
  const { mode } = reading;
  const unset = mode === "create" ? "absent" : "null";
  if (paths.length === 0 && sources.assignments !== undefined) {
    const course = assign({}, assignments, unset);
    await stopAtProblems(checkCourse(course, mode), assignments, context);
    const courses = yield* resolveDrafts([withoutFile(course)], assignments, context);
    return { courses, files: [] };
  }
  const amend = (value: unknown): unknown =>
    isObject(value) ? assign(value, assignments, unset) : value;
  const loaded = await loadAllCourses(paths, context, { ...reading, amend });
  const filter = await findingFilter(context);
  const { files } = loaded;
  const cells = files.flatMap((file) => file.remembered ?? []);
  const remembered = cells.length > 0 ? cells : undefined;
  // What writes records for an update may have none.
  const isPiped = mode === "patch" && paths.every((path) => path === STANDARD_INPUT);
  const diagnostics = filter(loaded.diagnostics).filter(
    ({ rule }) => !isPiped || rule !== "no-course",
  );
  const names = files.map(({ name }) => name);
  yield { files: names, sources: loaded.courses, remembered, diagnostics };
  await stopAtProblems(diagnostics, assignments, context);
  const located = loaded.courses.flatMap((source) =>
    isObject(source.value) ? [new FileCourse(source, source.value)] : [],
  );
  return { courses: yield* resolveDrafts(located, assignments, context), files };
}

/** Fields that are checked against the user's providers. */
const OWNED_FIELDS = ["url", "provider_id", PROVIDER_KEY];

/** The courses with their providers resolved. @throws CatalogError if one does not fit the user's providers */
async function* resolveDrafts(
  drafts: readonly Located[],
  assignments: readonly Assignment[],
  context: Context,
): Stages<readonly Located[]> {
  const values = drafts.map(({ value }) => value);
  const isOwned = (value: PlainObject) => OWNED_FIELDS.some((name) => value[name] !== undefined);
  if (!values.some(isOwned)) return drafts;
  const providers = await readProviders(context);
  yield { providers };
  const foreign = foreignCourses(values, providers);
  if (foreign !== undefined) throw foreign;
  const filter = await findingFilter(context);
  const sources = drafts.flatMap((draft) => (draft instanceof FileCourse ? draft.source : []));
  const others = drafts.filter((draft) => !(draft instanceof FileCourse));
  const inFiles = filter(groupForeign(await findProblems({ courses: sources }, { providers })));
  yield { diagnostics: inFiles };
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
