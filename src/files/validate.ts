/** Validates the courses of a file: the checks of each course, and those of all files together. */
import { formatNumber } from "../base/text.ts";
import { isObject, isWithin, type Path } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { UNIQUE_RULES, type UniqueField, UniqueValues } from "../course/field-names.ts";
import { shapeAt } from "../course/fields.ts";
import { checkOwnership, resolveProvider } from "../course/ownership.ts";
import type { Problem, RuleId, Severity } from "../course/problem.ts";
import type { Provider } from "../course/provider.ts";
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
import { misreadFinder } from "./misread-values.ts";

export interface ValidationOptions {
  /** As in `checkCourse`; `syntax` validates only the text. `create` if left out. */
  readonly mode?: "create" | "patch" | "syntax";
  /** The user's providers, where they are known: courses must belong to one of them. */
  readonly providers?: readonly Provider[] | undefined;
}

const MOST = formatNumber(MAX_FINDINGS);
const TOO_MANY: Readonly<Record<Severity, Problem>> = {
  error: tooMany("error", `more than ${MOST} errors in this file; the rest of it was not checked`),
  warning: tooMany("warning", `more than ${MOST} warnings in this file; the others are left out`),
};

const NOT_A_COURSE: Problem = {
  rule: "not-a-course",
  severity: "error",
  at: "value",
  path: [],
  message:
    "this is not a course; if it belongs to another program, list its file in .catalogignore",
};

const EXPORT = ["To convert the export of another system, use catalog courses import."];

function tooMany(severity: Severity, message: string): Problem {
  return { rule: "too-many", severity, at: "value", path: [], message };
}

/** A course of an earlier file, which is read again if another course has its id, key or url. */
interface Origin {
  readonly reread: () => Promise<SourceFile>;
  readonly index: number;
}

/** What is remembered of the files before: their texts and courses would fill the memory. */
export interface EarlierFiles {
  readonly values: UniqueValues<Origin>;
  readonly defaults: Defaults;
}

/**
 * The findings of a file, sorted by position, after those of defaults that it is the first to use.
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
  const findMisread = misreadFinder(file);
  /** Counts a finding, and reports the first that is one too many. @returns whether it is kept */
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
  // A partial update can have a single field.
  const own = new Set(options.mode === "patch" ? file.courses : ownCourses(file));
  for (const course of file.courses) {
    if (!own.has(course)) {
      const problem = foreignProblem(course);
      const isExport = file.courses.length > 1 && diagnostics.length === 0;
      await report(course, isExport ? { ...problem, notes: EXPORT } : problem);
      // The rows of a table share their columns, and a file of another program may be long.
      if (file.isTable || counts.error > MAX_FINDINGS) break;
      continue;
    }
    const problems = problemsOf(course.value, MAX_FINDINGS + 1, options);
    for (const problem of problems) {
      if (!isAboutRest(problem, course)) await report(course, problem);
    }
    for await (const problem of findMisread(course)) {
      await report(course, problem);
      if (counts.error > MAX_FINDINGS) break;
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

/** Why an object is not a course: it may be around a list of courses. */
function foreignProblem(course: SourceCourse): Problem {
  const [first] = checkCourse(writtenValue(course), { most: 1 });
  return first?.rule === "not-a-course" ? first : NOT_A_COURSE;
}

/** The rules for fields that only the service sets, as all courses of a listing have them. */
const SET_BY_SERVICE: ReadonlySet<RuleId> = new Set(["read-only", "own-slug", "slug-form"]);

/** Whether a finding repeats one that is enough for all courses of a file: the keys of a table are its columns. */
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

/** Whether a problem is about what a field has besides the parts that a row gives, which only the catalog knows. */
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

/** The course with the id of its provider, which its file may name in another way. */
function withOwner(course: unknown, providers: readonly Provider[] | undefined): unknown {
  if (providers === undefined || !isObject(course)) return course;
  return resolveProvider(course, providers);
}

/** A course that has the id, key or url of an earlier one. */
interface Repeat {
  readonly course: SourceCourse;
  readonly field: UniqueField;
  readonly first: Origin;
}

/** The diagnostics of courses that repeat others, whose files are read again, each once. */
async function reportRepeats(repeats: readonly Repeat[]): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const files = new Map<Origin["reread"], SourceFile | undefined>();
  for (const { course, field, first } of repeats) {
    const { reread, index } = first;
    // A file that was removed meanwhile has no place to name.
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
    const problem: Problem = {
      rule: UNIQUE_RULES[field],
      severity: "error",
      at: "value",
      path: [field],
      message: `same ${field} as ${where}`,
    };
    diagnostics.push(await placeProblem(course, problem, related));
  }
  return diagnostics;
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
