/** Validates courses: each course by itself, and ids, keys and urls across all files. */
import { isDeepStrictEqual } from "node:util";
import { formatNumber } from "../base/text.ts";
import { isObject, isWithin, type Path } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { PROVIDER_KEY, UNIQUE_RULES, UniqueValues } from "../course/field-names.ts";
import { shapeAt } from "../course/fields.ts";
import type { Problem, RuleId, Severity } from "../course/problem.ts";
import { checkOwnership, type Provider, resolveProvider } from "../course/provider.ts";
import type { SourceCourse, SourceFile } from "./course-file.ts";
import { type Defaults, ReportedProblems } from "./defaults.ts";
import { type Diagnostic, placeProblem, sortByPlace } from "./diagnostic.ts";
import { MAX_FINDINGS } from "./limits.ts";

export interface ValidationOptions {
  /** As in `checkCourse`; `syntax` validates only the text. By default, `create`. */
  readonly mode?: "create" | "patch" | "syntax";
  /** The user's providers, if they are known. Courses must belong to one of them. */
  readonly providers?: readonly Provider[] | undefined;
}

const MOST = formatNumber(MAX_FINDINGS);
const TOO_MANY: Readonly<Record<Severity, Problem>> = {
  error: buildProblem(
    "too-many",
    "error",
    `more than ${MOST} errors in this file; catalog did not check the rest`,
  ),
  warning: buildProblem(
    "too-many",
    "warning",
    `more than ${MOST} warnings in this file; catalog does not show the rest`,
  ),
};

function buildProblem(rule: RuleId, severity: Severity, message: string, path: Path = []): Problem {
  return { rule, severity, at: "value", path, message };
}

/** What is remembered of earlier files: where each id, key and url was first, such as `a.yaml:12`. */
export interface EarlierFiles {
  readonly values: UniqueValues<string>;
  readonly defaults: Defaults;
}

/** The problems of a file, sorted by position, after the problems of defaults that no earlier file has used. */
export async function validateFile(
  file: SourceFile,
  { values, defaults }: EarlierFiles,
  options: ValidationOptions,
): Promise<Diagnostic[]> {
  const inDefaults = defaults.takeDiagnostics();
  const diagnostics = [...file.problems];
  if (options.mode === "syntax") return diagnostics;
  const counts = { error: diagnostics.length, warning: 0 };
  const reported = new Set<string>();
  const report = async (course: SourceCourse, problem: Problem): Promise<void> => {
    if (!defaults.reported.isNew(course, problem)) return;
    if (isRepeated(problem, file, reported)) return;
    const more = ++counts[problem.severity] - MAX_FINDINGS;
    if (more > 1) return;
    const found = more === 1 ? TOO_MANY[problem.severity] : problem;
    diagnostics.push(await placeProblem(course, found));
  };
  for (const course of file.courses) {
    const problems = problemsOf(course.value, MAX_FINDINGS + 1, options);
    for (const problem of problems) {
      const isKnown = isAboutRest(problem, course) || isMisspelled(problem, problems);
      if (!isKnown) await report(course, withoutColumn(problem, file));
    }
    for (const problem of repeatProblems(course, values, options.providers)) {
      await report(course, problem);
    }
    if (counts.error > MAX_FINDINGS) break;
  }
  const isSorted = diagnostics.length < 2;
  const sorted = isSorted ? diagnostics : sortByPlace(diagnostics, [file.name]);
  return [...inDefaults, ...sorted];
}

/** Rules for fields that only the service sets, which all courses of a listing have. */
const SET_BY_SERVICE: ReadonlySet<RuleId> = new Set(["read-only"]);

/** Whether a required key is missing because another problem is about its misspelled name. */
function isMisspelled({ rule, path }: Problem, problems: readonly Problem[]): boolean {
  if (rule !== "required") return false;
  return problems.some(
    (other) =>
      other.rule === "unknown-key" &&
      other.suggestion === path.at(-1) &&
      isDeepStrictEqual(other.path.slice(0, -1), path.slice(0, -1)),
  );
}

/** The problem of a required field, which is one of the table if the table has no column for the field. */
function withoutColumn(problem: Problem, { columns }: SourceFile): Problem {
  const names = [problem.path[0], problem.path[0] === "provider_id" ? PROVIDER_KEY : undefined];
  const isInRow = columns?.some(([name]) => names.includes(name)) ?? true;
  if (problem.rule !== "required" || problem.path.length !== 1 || isInRow) return problem;
  return { ...problem, at: "key", message: `the table has no column ${problem.path[0]}` };
}

/** Whether a problem needs only one report per file, as for a misspelled column, and has been reported. */
function isRepeated(
  { at, path, rule }: Problem,
  { columns }: SourceFile,
  reported: Set<string>,
): boolean {
  const isSetByService = SET_BY_SERVICE.has(rule);
  if (!isSetByService && (columns === undefined || at !== "key")) return false;
  const key = JSON.stringify(isSetByService ? path[0] : [rule, path]);
  if (reported.has(key)) return true;
  const isColumn = (column: Path): boolean => isWithin(column, path) && isWithin(path, column);
  if (isSetByService || path.length <= 1 || columns?.some(isColumn)) reported.add(key);
  return false;
}

/** Whether a problem is about parts of a field that a row does not give, and that only the catalog knows. */
function isAboutRest({ path }: Problem, { parts = [] }: SourceCourse): boolean {
  if (!parts.some((part) => part.path[0] === path[0])) return false;
  const kind = shapeAt(path)?.kind;
  const isWhole = kind !== undefined && kind !== "object" && kind !== "list";
  return !parts.some(
    (part) =>
      (part.value !== null && isWithin(path, part.path)) || (isWhole && isWithin(part.path, path)),
  );
}

function problemsOf(
  course: unknown,
  most: number,
  { mode, providers }: ValidationOptions,
): Problem[] {
  const problems = checkCourse(course, { mode: mode === "patch" ? "patch" : "create", most });
  if (providers === undefined || !isObject(course)) return problems;
  return [...problems, ...checkOwnership(course, providers)];
}

/** The course with its provider's id: the file may name the provider by a slug or a domain. */
function withOwner(course: unknown, providers: readonly Provider[] | undefined): unknown {
  if (providers === undefined || !isObject(course)) return course;
  return resolveProvider(course, providers);
}

/** The problems of an id, a key and a url that an earlier course has. */
function repeatProblems(
  course: SourceCourse,
  values: UniqueValues<string>,
  providers: readonly Provider[] | undefined,
): Problem[] {
  const origin = `${course.file}:${course.line}`;
  const repeated = [...values.findRepeated(withOwner(course.value, providers), origin)];
  return repeated.map(({ field, first }) => {
    const message = `same ${field} as the course at ${first}`;
    return buildProblem(UNIQUE_RULES[field], "error", message, [field]);
  });
}

/**
 * The problems of courses that need the user's providers: courses of other providers, and keys that two courses share
 * whose files name one provider differently. Problems of a default value are reported once.
 */
export async function checkOwners(
  courses: readonly SourceCourse[],
  providers: readonly Provider[],
): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const reported = new ReportedProblems();
  const values = new UniqueValues<string>();
  for (const course of courses) {
    const problems = isObject(course.value) ? checkOwnership(course.value, providers) : [];
    const repeated = repeatProblems(course, values, providers);
    for (const problem of [
      ...problems.filter((each) => reported.isNew(course, each)),
      ...repeated,
    ]) {
      diagnostics.push(await placeProblem(course, problem));
    }
  }
  return diagnostics;
}
