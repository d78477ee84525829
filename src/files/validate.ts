/** Validates courses: each course by itself, and ids, keys and urls across all files. */
import { isDeepStrictEqual } from "node:util";
import { formatNumber } from "../base/text.ts";
import { isObject, isWithin, type Path } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import {
  PROVIDER_KEY,
  UNIQUE_RULES,
  type UniqueField,
  UniqueValues,
} from "../course/field-names.ts";
import { shapeAt } from "../course/fields.ts";
import type { Problem, RuleId, Severity } from "../course/problem.ts";
import type { Provider } from "../course/provider.ts";
import { checkOwnership, resolveProvider } from "../course/provider-ownership.ts";
import { ownCourses, type SourceCourse, type SourceFile, writtenValue } from "./course-file.ts";
import { type Defaults, ReportedProblems } from "./defaults.ts";
import {
  type Diagnostic,
  placeOf,
  placeProblem,
  type Related,
  sortByPlace,
  textDiagnostics,
} from "./diagnostic.ts";
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

const NOT_A_COURSE = buildProblem(
  "not-a-course",
  "error",
  "this is not a course; if the file belongs to another program, add the file to .catalogignore",
);

const EXPORT = ['Is this an export from another system? Use "catalog courses import".'];

function buildProblem(rule: RuleId, severity: Severity, message: string, path: Path = []): Problem {
  return { rule, severity, at: "value", path, message };
}

/** A course of an earlier file. The file is read again if another course has the same id, key or url. */
interface Origin {
  readonly reread: () => Promise<SourceFile>;
  readonly index: number;
}

/** What is remembered of earlier files: their texts and courses would fill the memory. */
export interface EarlierFiles {
  readonly values: UniqueValues<Origin>;
  readonly defaults: Defaults;
}

/**
 * The problems of a file, sorted by position, after the problems of defaults that no earlier file has used.
 *
 * @param reread reads the file again, without changes by flags and defaults
 */
export async function validateFile(
  file: SourceFile,
  reread: () => Promise<SourceFile>,
  { values, defaults }: EarlierFiles,
  options: ValidationOptions,
): Promise<Diagnostic[]> {
  const inDefaults = defaults.takeDiagnostics();
  const diagnostics = textDiagnostics(file);
  if (options.mode === "syntax") return diagnostics;
  const repeats: Repeat[] = [];
  const counts = { error: diagnostics.length, warning: 0 };
  const reported = new Set<string>();
  /** Counts a problem, and reports once that there are too many. @returns whether to keep the problem */
  const isKept = async (course: SourceCourse, severity: Severity): Promise<boolean> => {
    const more = ++counts[severity] - MAX_FINDINGS;
    if (more === 1) diagnostics.push(await placeProblem(course, TOO_MANY[severity]));
    return more <= 0;
  };
  const report = async (course: SourceCourse, problem: Problem): Promise<void> => {
    if (!defaults.reported.isNew(course, problem)) return;
    if (isRepeated(problem, file, reported)) return;
    if (!(await isKept(course, problem.severity))) return;
    diagnostics.push(await placeProblem(course, problem));
  };
  // In a partial update, a course may have only one field, so each object counts as a course.
  const own = new Set(options.mode === "patch" ? file.courses : ownCourses(file));
  for (const course of file.courses) {
    if (!own.has(course)) {
      const problem = foreignProblem(course);
      const isExport = file.courses.length > 1 && diagnostics.length === 0;
      await report(course, isExport ? { ...problem, notes: EXPORT } : problem);
      // All rows of a table have the same problem, and a file of another program may be long.
      if (file.isTable || counts.error > MAX_FINDINGS) break;
      continue;
    }
    const problems = problemsOf(course.value, MAX_FINDINGS + 1, options);
    for (const problem of problems) {
      const isKnown = isAboutRest(problem, course) || isMisspelled(problem, problems);
      if (!isKnown) await report(course, withoutColumn(problem, file));
    }
    const owned = withOwner(course.value, options.providers);
    for (const repeat of values.findRepeated(owned, { reread, index: course.index })) {
      if (await isKept(course, "error")) repeats.push({ course, ...repeat });
    }
    if (counts.error > MAX_FINDINGS) break;
  }
  for (const diagnostic of await reportRepeats(repeats)) diagnostics.push(diagnostic);
  const isSorted = diagnostics.length < 2;
  const sorted = isSorted ? diagnostics : sortByPlace(diagnostics, [file.name]);
  return [...inDefaults, ...sorted];
}

/** Why an object is not a course: for example, the courses are in a list inside the object. */
function foreignProblem(course: SourceCourse): Problem {
  const [first] = checkCourse(writtenValue(course), { most: 1 });
  return first?.rule === "not-a-course" ? first : NOT_A_COURSE;
}

/** Rules for fields that only the service sets, which all courses of a listing have. */
const SET_BY_SERVICE: ReadonlySet<RuleId> = new Set(["read-only", "own-slug", "slug-form"]);

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

/** A course with the id, key or url of an earlier course. */
interface Repeat {
  readonly course: SourceCourse;
  readonly field: UniqueField;
  readonly first: Origin;
}

/** The diagnostics of repeated ids, keys and urls. Each file of an earlier course is read again, once. */
async function reportRepeats(repeats: readonly Repeat[]): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const files = new Map<Origin["reread"], SourceFile | undefined>();
  for (const { course, field, first } of repeats) {
    const { reread, index } = first;
    // The file may have been removed in the meantime.
    if (!files.has(reread)) files.set(reread, await reread().catch(() => undefined));
    const original = files.get(reread)?.courses[index];
    const related: Related[] = [];
    let where = "another course";
    if (original !== undefined) {
      const span = await original.locate([field], "value");
      const place = placeOf(original.file, span, `the first course with this ${field}`);
      related.push(place);
      where = `the course at ${place.file}:${place.line}:${place.column}`;
    }
    const message = `same ${field} as ${where}`;
    const problem = buildProblem(UNIQUE_RULES[field], "error", message, [field]);
    diagnostics.push(await placeProblem(course, problem, related));
  }
  return diagnostics;
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
  const values = new UniqueValues<Origin>();
  const repeats: Repeat[] = [];
  for (const course of courses) {
    const problems = isObject(course.value) ? checkOwnership(course.value, providers) : [];
    for (const problem of problems.filter((each) => reported.isNew(course, each))) {
      diagnostics.push(await placeProblem(course, problem));
    }
    const owned = withOwner(course.value, providers);
    const origin = { reread: async () => course.file, index: course.index };
    for (const repeat of values.findRepeated(owned, origin)) repeats.push({ course, ...repeat });
  }
  return [...diagnostics, ...(await reportRepeats(repeats))];
}
