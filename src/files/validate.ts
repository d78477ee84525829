/** Validates courses: each course by itself, and ids, keys and urls across all files. */
import { isDeepStrictEqual } from "node:util";
import { formatNumber } from "../base/text.ts";
import { isObject, isWithin, type Path } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { PROVIDER_KEY, UNIQUE_RULES, UniqueValues } from "../course/field-names.ts";
import { shapeAt } from "../course/fields.ts";
import type { Problem } from "../course/problem.ts";
import { checkOwnership, type Provider, resolveProvider } from "../course/provider.ts";
import type { SourceCourse, SourceFile } from "./course-file.ts";
import { type Defaults, NewProblems } from "./defaults.ts";
import { type Diagnostic, placeProblem, sortByPlace } from "./diagnostic.ts";
import { MAX_FINDINGS } from "./limits.ts";

export interface ValidationOptions {
  /** As in `checkCourse`; `syntax` validates only the text. By default, `create`. */
  readonly mode?: "create" | "patch" | "syntax";
  /** The user's providers, if they are known. Courses must belong to one of them. */
  readonly providers?: readonly Provider[] | undefined;
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
  { mode = "create", providers }: ValidationOptions,
): Promise<Diagnostic[]> {
  const inDefaults = defaults.takeDiagnostics();
  const inText = file.problems;
  if (mode === "syntax") return [...inText];
  const inCourses: Diagnostic[] = [];
  const findings = new Findings(file.columns, inText.length);
  for (const course of file.courses) {
    const { value } = course;
    const problems = [
      ...checkCourse(value, { mode, most: MAX_FINDINGS + 1 }),
      ...(providers !== undefined && isObject(value) ? checkOwnership(value, providers) : []),
    ].filter((problem) => !isAboutRest(problem, course) && defaults.reported.add(course, problem));
    problems.push(...repeatProblems(course, values, providers));
    for (const problem of findings.add(problems)) {
      inCourses.push(await placeProblem(course, problem));
    }
    if (findings.isFull) break;
  }
  return [...inDefaults, ...sortByPlace([...inText, ...inCourses], [file.name])];
}

/** The problems of a file's courses of which each is reported: each cause once, and not more than people can read. */
export class Findings {
  readonly #columns: readonly Path[] | undefined;
  readonly #reported = new Set<string>();
  readonly #counts = { error: 0, warning: 0 };

  /** @param columns of a table @param errors the number of errors in the text of the file */
  constructor(columns?: readonly Path[], errors = 0) {
    this.#columns = columns;
    this.#counts.error = errors;
  }

  /** Whether there are so many errors that no more are reported. */
  get isFull(): boolean {
    return this.#counts.error > MAX_FINDINGS;
  }

  /** Adds the problems of one course. @returns those to report */
  add(problems: readonly Problem[]): Problem[] {
    return problems.flatMap((problem) => {
      if (isMisspelled(problem, problems) || this.#isRepeated(problem)) return [];
      const { severity } = problem;
      const more = ++this.#counts[severity] - MAX_FINDINGS;
      if (more > 1) return [];
      return more === 1 ? tooMany(severity) : this.#withoutColumn(problem);
    });
  }

  /** The problem of a required field, which is one of the table if the table has no column for the field. */
  #withoutColumn(problem: Problem): Problem {
    if (problem.rule !== "required" || this.#hasColumn(problem)) return problem;
    return { ...problem, at: "key", message: `the table has no column ${problem.path[0]}` };
  }

  #hasColumn({ path }: Problem): boolean {
    const names = [path[0], path[0] === "provider_id" ? PROVIDER_KEY : undefined];
    return path.length > 1 || (this.#columns?.some(([name]) => names.includes(name)) ?? true);
  }

  /** Whether a problem needs only one report per file, as for a misspelled column, and has been reported. */
  #isRepeated(problem: Problem): boolean {
    const { at, path, rule } = problem;
    // All courses of a listing have the fields that only the service sets.
    const isSetByService = rule === "read-only";
    const isMissing = rule === "required" && !this.#hasColumn(problem);
    const isOfColumn =
      this.#columns !== undefined &&
      (isMissing ||
        (at === "key" &&
          (path.length < 2 || this.#columns.some((column) => isDeepStrictEqual(column, path)))));
    if (!isSetByService && !isOfColumn) return false;
    const before = this.#reported.size;
    this.#reported.add(JSON.stringify(isSetByService ? path[0] : [rule, path]));
    return this.#reported.size === before;
  }
}

function tooMany(severity: Problem["severity"]): Problem {
  const effect = severity === "error" ? "check" : "show";
  const message = `more than ${formatNumber(MAX_FINDINGS)} ${severity}s in this file; catalog did not ${effect} the rest`;
  return { rule: "too-many", severity, at: "value", path: [], message };
}

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

/** The problems of an id, a key and a url that an earlier course has. */
function repeatProblems(
  course: SourceCourse,
  values: UniqueValues<string>,
  providers: readonly Provider[] | undefined,
): Problem[] {
  const { value } = course;
  // The file may name the provider by a slug or a domain.
  const isKnown = providers !== undefined && isObject(value);
  const owned = isKnown ? resolveProvider(value, providers) : value;
  const repeated = [...values.findRepeated(owned, `${course.file}:${course.line}`)];
  return repeated.map(({ field, first }) => ({
    rule: UNIQUE_RULES[field],
    severity: "error",
    at: "value",
    path: [field],
    message: `same ${field} as the course at ${first}`,
  }));
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
  const reported = new NewProblems();
  const values = new UniqueValues<string>();
  for (const course of courses) {
    const problems = isObject(course.value) ? checkOwnership(course.value, providers) : [];
    for (const problem of [...problems, ...repeatProblems(course, values, providers)]) {
      if (reported.add(course, problem)) diagnostics.push(await placeProblem(course, problem));
    }
  }
  return diagnostics;
}
