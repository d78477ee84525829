/** Validates the courses of a file: the checks of each course, and those of all files together. */
import { formatNumber } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import type { Problem } from "../course/problem.ts";
import type { Provider } from "../course/provider.ts";
import { Defaults } from "./defaults.ts";
import { type Diagnostic, placeProblem, sortByPlace, textDiagnostics } from "./diagnostic.ts";
import { Duplicates, type Repeat, reportRepeats } from "./duplicates.ts";
import { findInexactNumbers } from "./inexact.ts";
import { MAX_FINDINGS } from "./parsed.ts";
import type { SourceCourse, SourceFile } from "./read.ts";
import type { Reread } from "./sources.ts";
import { unquotedFinder } from "./unquoted.ts";

export interface ValidationOptions {
  /** As in `checkCourse`; `syntax` validates only the text. `create` if left out. */
  readonly mode?: "create" | "patch" | "syntax";
  /** The user's providers, where they are known: courses must belong to one of them. */
  readonly providers?: readonly Provider[] | undefined;
}

const TOO_MANY: Problem = {
  rule: "too-many",
  severity: "error",
  at: "value",
  path: [],
  message: `more than ${formatNumber(MAX_FINDINGS)} findings in this file; the rest of it was not checked`,
};

/** What is remembered of the files before. */
export interface EarlierFiles {
  readonly duplicates: Duplicates;
  readonly defaults: Defaults;
}

/** The findings of a file, sorted by position, after those of defaults that it is the first to use. */
export async function validateFile(
  file: SourceFile,
  reread: Reread,
  { duplicates, defaults }: EarlierFiles,
  options: ValidationOptions,
): Promise<Diagnostic[]> {
  const inDefaults = defaults.takeDiagnostics();
  const diagnostics = textDiagnostics(file);
  if (options.mode === "syntax") return diagnostics;
  const repeats: Repeat[] = [];
  /** What was found about the columns of a table. */
  const columns = new Set<string>();
  const findUnquoted = unquotedFinder(file);
  for (const [index, course] of file.courses.entries()) {
    const left = Math.max(0, MAX_FINDINGS - diagnostics.length - repeats.length);
    const all = await problemsOf(course.value, left + 1, options);
    const found = all.filter((each) => defaults.isNew(course, each));
    const problems = file.isTable ? found.filter((each) => isFirst(each, columns)) : found;
    for (const find of [findInexactNumbers, findUnquoted]) {
      if (problems.length > left) break;
      for await (const problem of find(course)) if (problems.push(problem) > left) break;
    }
    for (const problem of problems.slice(0, left)) {
      diagnostics.push(await placeProblem(course, { problem }));
    }
    const owned = await withOwner(course, options.providers);
    for (const repeat of duplicates.find(owned, { reread, index })) repeats.push(repeat);
    if (problems.length > left) {
      diagnostics.push(await placeProblem(course, { problem: TOO_MANY }));
      break;
    }
  }
  for (const diagnostic of await reportRepeats(repeats)) diagnostics.push(diagnostic);
  if (diagnostics.length > 0 && file.problems.length === 0) {
    const late = await file.lateProblem();
    if (late !== undefined) {
      const inText = textDiagnostics({ ...file, problems: [late] });
      return [...inDefaults, ...inText];
    }
  }
  const isSorted = diagnostics.length < 2;
  const sorted = isSorted ? diagnostics : sortByPlace(diagnostics, [file.name]);
  return [...inDefaults, ...sorted];
}

/** Whether a problem is not one of a column that an earlier row has had, too. */
function isFirst({ at, path, rule }: Problem, columns: Set<string>): boolean {
  if (at !== "key" || path.length > 1) return true;
  const key = `${rule} ${path[0]}`;
  if (columns.has(key)) return false;
  columns.add(key);
  return true;
}

async function problemsOf(
  course: unknown,
  most: number,
  { mode, providers }: ValidationOptions,
): Promise<Problem[]> {
  const problems = checkCourse(course, { mode: mode === "patch" ? "patch" : "create", most });
  if (providers === undefined) return problems;
  return [...problems, ...(await ownershipProblems(course, providers))];
}

async function ownershipProblems(
  course: unknown,
  providers: readonly Provider[],
): Promise<Problem[]> {
  // A check without the service does not need it.
  const { checkOwnership } = await import("../course/ownership.ts");
  return isObject(course) ? checkOwnership(course, providers) : [];
}

/** The course with the id of its provider, which its file may name in another way. */
async function withOwner(
  course: SourceCourse,
  providers: readonly Provider[] | undefined,
): Promise<SourceCourse> {
  if (providers === undefined || !isObject(course.value)) return course;
  const { resolveProvider } = await import("../course/ownership.ts");
  return { ...course, value: resolveProvider(course.value, providers) };
}

/**
 * The problems of courses with the user's providers, those of a default value once, and the keys
 * that two courses of one provider have although their files name it differently.
 */
export async function checkOwners(
  courses: readonly SourceCourse[],
  providers: readonly Provider[],
): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const defaults = new Defaults("");
  const duplicates = new Duplicates();
  const repeats: Repeat[] = [];
  const reread: Reread = async () => ({ courses });
  for (const [index, course] of courses.entries()) {
    const problems = await ownershipProblems(course.value, providers);
    for (const problem of problems.filter((each) => defaults.isNew(course, each))) {
      diagnostics.push(await placeProblem(course, { problem }));
    }
    const owned = await withOwner(course, providers);
    for (const repeat of duplicates.find(owned, { reread, index })) repeats.push(repeat);
  }
  return [...diagnostics, ...(await reportRepeats(repeats))];
}
