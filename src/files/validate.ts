/** Validates courses: each course by itself, and ids, keys and urls across all files. */
import { isDeepStrictEqual } from "node:util";
import { formatNumber } from "../base/text.ts";
import { isObject, type Path } from "../base/values.ts";
import { PROVIDER_KEYS, UNIQUE_RULES, UniqueValues } from "../course/field-names.ts";
import { type Problem, textProblem } from "../course/problem.ts";
import { checkOwnership, type Provider, resolveProvider } from "../course/provider.ts";
import type { CourseFile, SourceCourse } from "./course-file.ts";
import { type Diagnostic, placeProblem } from "./diagnostic.ts";
import { isDefaults } from "./find.ts";
import { MAX_FINDINGS } from "./limits.ts";

export interface Checks {
  /** Finds the problems of a course by itself. */
  readonly check?: (course: SourceCourse) => Problem[];
  /** The user's providers, if they are known. Courses must belong to one of them. */
  readonly providers?: readonly Provider[] | undefined;
  /** Where each id, key and url of earlier courses was first, such as `a.yaml:12`. */
  readonly values?: UniqueValues<string>;
  /** The problems of earlier courses that need only one report. */
  readonly reported?: Set<string>;
}

/** The problems of the courses of a file, with repeated ids, keys and urls: each cause once. */
export async function findProblems(
  { courses, columns }: Pick<CourseFile, "courses" | "columns">,
  { check = () => [], providers, values = new UniqueValues(), reported = new Set() }: Checks,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  const counts = { error: 0, warning: 0 };
  for (const course of courses) {
    const { value, file } = course;
    const problems = check(course).map((problem) => atColumn(problem, columns));
    let owned = value;
    if (providers !== undefined && isObject(value)) {
      problems.push(...checkOwnership(value, providers));
      // The file may name the provider by a slug or a domain.
      owned = resolveProvider(value, providers);
    }
    for (const { field, first } of values.findRepeated(owned, `${file}:${course.line}`)) {
      const message = `same ${field} as the course at ${first}`;
      const rule = UNIQUE_RULES[field];
      problems.push({ rule, severity: "error", at: "value", path: [field], message });
    }
    for (const problem of problems) {
      const { rule, path, severity, message } = problem;
      // The problem of a misspelled key suggests the key.
      if (rule === "required" && problems.some((each) => each.suggestion === path.at(-1))) continue;
      const source = course.defaults?.get(String(path[0]))?.file ?? file;
      if (isShared(problem, source, columns)) {
        const before = reported.size;
        reported.add(JSON.stringify([source, rule, path, message]));
        if (reported.size === before) continue;
      }
      if (++counts[severity] <= MAX_FINDINGS) found.push(await placeProblem(course, problem));
      else if (severity === "error") return [...found, await placeProblem(course, TOO_MANY)];
    }
  }
  return found;
}

const MOST = formatNumber(MAX_FINDINGS);
const STOPPED = `more than ${MOST} errors in this file; catalog did not check the rest`;
const TOO_MANY = textProblem("too-many", STOPPED, { start: 0, end: 0 });

/** The problem of a required field, which is one of the header if the table has no column for the field. */
function atColumn(problem: Problem, columns: CourseFile["columns"]): Problem {
  const [name = "", ...inside] = problem.path;
  if (problem.rule !== "required" || inside.length > 0 || columns === undefined) return problem;
  const names = name === "provider_id" ? PROVIDER_KEYS : [name];
  if (columns.some(([column]) => names.some((each) => each === column))) return problem;
  return { ...problem, at: "key", message: `the table has no column ${name}` };
}

/** Whether several courses have a problem for one cause: a default value, or the name of a column. */
function isShared({ at, path, rule }: Problem, source: string, columns: readonly Path[] = []) {
  // All courses of a listing have the fields that only the service sets.
  if (isDefaults(source) || rule === "read-only") return true;
  const isColumn = (column: Path): boolean => isDeepStrictEqual(column, path);
  return at === "key" && columns.length > 0 && (path.length < 2 || columns.some(isColumn));
}
