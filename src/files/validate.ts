/** Validates courses: each course by itself, and ids, keys and urls across all files. */
import { isDeepStrictEqual } from "node:util";
import { formatNumber } from "../base/text.ts";
import { isObject, type Path } from "../base/values.ts";
import { PROVIDER_KEYS, UNIQUE_RULES, UniqueValues } from "../course/field-names.ts";
import type { Problem, Severity } from "../course/problem.ts";
import { checkOwnership, type Provider, resolveProvider } from "../course/provider.ts";
import type { CourseFile, SourceCourse } from "./course-file.ts";
import { type Diagnostic, placeProblem } from "./diagnostic.ts";
import { isDefaults } from "./find.ts";
import { MAX_FINDINGS } from "./limits.ts";

/** What is remembered of earlier courses. */
export interface Earlier {
  /** Where each id, key and url was first, such as `a.yaml:12`. */
  readonly values: UniqueValues<string>;
  /** The problems that need only one report. */
  readonly reported: Set<string>;
}

/**
 * The problems of courses that need the user's providers: courses of other providers, and keys that two courses share
 * whose files name one provider differently.
 */
export async function checkOwners(
  courses: readonly SourceCourse[],
  providers: readonly Provider[],
): Promise<Diagnostic[]> {
  const earlier = { values: new UniqueValues<string>(), reported: new Set<string>() };
  return await findProblems({ courses }, earlier, () => [], providers);
}

/**
 * The problems of the courses of a file: those that `check` finds, repeated ids, keys and urls and, if the user's
 * providers are known, courses of others.
 */
export async function findProblems(
  { courses, columns }: Pick<CourseFile, "courses" | "columns">,
  { values, reported }: Earlier,
  check: (course: SourceCourse) => Problem[],
  providers: readonly Provider[] | undefined,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  const findings = new Findings(reported);
  for (const course of courses) {
    const { value } = course;
    const isOwned = providers !== undefined && isObject(value);
    // The file may name the provider by a slug or a domain.
    const owned = isOwned ? resolveProvider(value, providers) : value;
    const repeated = Array.from(
      values.findRepeated(owned, `${course.file}:${course.line}`),
      ({ field, first }): Problem => {
        const [rule, message] = [UNIQUE_RULES[field], `same ${field} as the course at ${first}`];
        return { rule, severity: "error", at: "value", path: [field], message };
      },
    );
    const own = check(course).map((problem) => atColumn(problem, columns));
    const problems = [...own, ...(isOwned ? checkOwnership(value, providers) : []), ...repeated];
    const sourceOf = (problem: Problem): string | undefined => {
      const { file } = course.defaults?.get(String(problem.path[0])) ?? course;
      // All courses of a listing have the fields that only the service sets.
      const isShared = isDefaults(file) || problem.rule === "read-only";
      return isShared || isOfHeader(problem, columns) ? file : undefined;
    };
    for (const problem of findings.add(problems, sourceOf)) {
      found.push(await placeProblem(course, problem));
    }
    if (findings.isFull) break;
  }
  return found;
}

/** The problem of a required field, which is one of the header if the table has no column for the field. */
function atColumn(problem: Problem, columns: CourseFile["columns"]): Problem {
  const [name = "", ...inside] = problem.path;
  if (problem.rule !== "required" || inside.length > 0 || columns === undefined) return problem;
  const names = name === "provider_id" ? PROVIDER_KEYS : [name];
  if (columns.some(([column]) => names.some((each) => each === column))) return problem;
  return { ...problem, at: "key", message: `the table has no column ${name}` };
}

/** Whether a problem is about the name of a column, which all rows share. */
function isOfHeader({ at, path }: Problem, columns: readonly Path[] = []): boolean {
  const isColumn = (column: Path): boolean => isDeepStrictEqual(column, path);
  return at === "key" && columns.length > 0 && (path.length < 2 || columns.some(isColumn));
}

/** The problems of a file's courses of which each is reported: each cause once, and not more than people can read. */
export class Findings {
  readonly #reported: Set<string>;
  readonly #counts = { error: 0, warning: 0 };

  /** @param reported the problems that need only one report */
  constructor(reported = new Set<string>()) {
    this.#reported = reported;
  }

  /** Whether there are so many errors that no more are reported. */
  get isFull(): boolean {
    return this.#counts.error > MAX_FINDINGS;
  }

  /**
   * Adds the problems of one course. @returns those to report
   *
   * @param sourceOf what has the cause of a problem that several courses share
   */
  add(
    problems: readonly Problem[],
    sourceOf = ({ rule }: Problem): string | undefined => (rule === "read-only" ? "" : undefined),
  ): Problem[] {
    return problems.flatMap((problem) => {
      const source = sourceOf(problem);
      if (isMisspelled(problem, problems)) return [];
      if (source !== undefined && this.#isRepeated(problem, source)) return [];
      const more = ++this.#counts[problem.severity] - MAX_FINDINGS;
      if (more > 0) return more === 1 ? tooMany(problem.severity) : [];
      return problem;
    });
  }

  #isRepeated({ rule, path, message }: Problem, source: string): boolean {
    const before = this.#reported.size;
    return this.#reported.add(JSON.stringify([source, rule, path, message])).size === before;
  }
}

function tooMany(severity: Severity): Problem {
  const effect = severity === "error" ? "check" : "show";
  const message = `more than ${formatNumber(MAX_FINDINGS)} ${severity}s in this file; catalog did not ${effect} the rest`;
  return { rule: "too-many", severity, at: "value", path: [], message };
}

/** Whether a required key is missing because another problem is about its misspelled name. */
function isMisspelled({ rule, path }: Problem, problems: readonly Problem[]): boolean {
  return (
    rule === "required" &&
    problems.some(
      (other) =>
        other.rule === "unknown-key" &&
        isDeepStrictEqual([...other.path.slice(0, -1), other.suggestion], path),
    )
  );
}
