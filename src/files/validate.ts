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

export function newEarlier(): Earlier {
  return { values: new UniqueValues(), reported: new Set() };
}

export interface Checks {
  /** Finds the problems of a course by itself. */
  readonly check?: (course: SourceCourse) => Problem[];
  /** The user's providers, if they are known. Courses must belong to one of them. */
  readonly providers?: readonly Provider[] | undefined;
  readonly earlier?: Earlier;
}

/** The problems of the courses of a file, with repeated ids, keys and urls. */
export async function findProblems(
  { courses, columns }: Pick<CourseFile, "courses" | "columns">,
  { check = () => [], providers, earlier = newEarlier() }: Checks,
): Promise<Diagnostic[]> {
  const { values, reported } = earlier;
  const found: Diagnostic[] = [];
  const findings = new Findings(columns, reported);
  for (const course of courses) {
    const { value } = course;
    const problems = check(course).map((problem) => atColumn(problem, columns));
    let owned = value;
    if (providers !== undefined && isObject(value)) {
      problems.push(...checkOwnership(value, providers));
      // The file may name the provider by a slug or a domain.
      owned = resolveProvider(value, providers);
    }
    for (const { field, first } of values.findRepeated(owned, `${course.file}:${course.line}`)) {
      const message = `same ${field} as the course at ${first}`;
      const rule = UNIQUE_RULES[field];
      problems.push({ rule, severity: "error", at: "value", path: [field], message });
    }
    for (const problem of findings.add(problems, course)) {
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

/** The problems of a file's courses of which each is reported: each cause once, and not more than people can read. */
export class Findings {
  readonly #columns: readonly Path[];
  readonly #reported: Set<string>;
  readonly #counts = { error: 0, warning: 0 };

  /** @param columns of a table @param reported the problems that need only one report */
  constructor(columns: readonly Path[] = [], reported = new Set<string>()) {
    this.#columns = columns;
    this.#reported = reported;
  }

  /** Whether there are so many errors that no more are reported. */
  get isFull(): boolean {
    return this.#counts.error > MAX_FINDINGS;
  }

  /** Adds the problems of one course. @returns those to report */
  add(
    problems: readonly Problem[],
    { defaults, file = "" }: Partial<Pick<SourceCourse, "defaults" | "file">> = {},
  ): Problem[] {
    return problems.flatMap((problem) => {
      const { severity, path } = problem;
      const source = defaults?.get(String(path[0]))?.file ?? file;
      const isKnown = this.#isShared(problem, source) && this.#isRepeated(problem, source);
      if (isKnown || isMisspelled(problem, problems)) return [];
      const more = ++this.#counts[severity] - MAX_FINDINGS;
      if (more > 0) return more === 1 ? tooMany(severity) : [];
      return problem;
    });
  }

  /** Whether several courses have a problem for one cause: a default value, or the name of a column. */
  #isShared({ at, path, rule }: Problem, source: string): boolean {
    // All courses of a listing have the fields that only the service sets.
    if (isDefaults(source) || rule === "read-only") return true;
    const isColumn = (column: Path): boolean => isDeepStrictEqual(column, path);
    return (
      at === "key" && this.#columns.length > 0 && (path.length < 2 || this.#columns.some(isColumn))
    );
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
