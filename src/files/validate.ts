/** Validates courses: each course by itself, and ids, keys and urls across all files. */
import { isDeepStrictEqual } from "node:util";
import { formatNumber } from "../base/text.ts";
import { isObject, type Path } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import {
  PROVIDER_KEYS,
  UNIQUE_RULES,
  type UniqueField,
  UniqueValues,
} from "../course/field-names.ts";
import type { Problem, Severity } from "../course/problem.ts";
import { checkOwnership, type Provider, resolveProvider } from "../course/provider.ts";
import type { SourceCourse, SourceFile } from "./course-file.ts";
import { type Diagnostic, placeProblem, sortByPlace } from "./diagnostic.ts";
import { MAX_FINDINGS } from "./limits.ts";

export interface ValidationOptions {
  /** As in `checkCourse`; `syntax` validates only the text. By default, `create`. */
  readonly mode?: "create" | "patch" | "syntax";
  /** The user's providers, if they are known. Courses must belong to one of them. */
  readonly providers?: readonly Provider[] | undefined;
}

/** What is remembered of earlier files. */
export interface EarlierFiles {
  /** Where each id, key and url was first, such as `a.yaml:12`. */
  readonly values: UniqueValues<string>;
  /** The problems of default values that were reported. */
  readonly reported: Set<string>;
}

/** The problems of a file, sorted by position. */
export async function validateFile(
  file: SourceFile,
  earlier: EarlierFiles,
  { mode = "create", providers }: ValidationOptions,
): Promise<readonly Diagnostic[]> {
  if (mode === "syntax") return file.problems;
  const check = ({ value, parts = [] }: SourceCourse): Problem[] =>
    checkCourse(value, { mode, most: MAX_FINDINGS + 1 }).filter(
      // Of a field of which a row gives only parts, the catalog has what is missing, and what null removes.
      ({ at, path: [field] }) =>
        !parts.some((part) => part.path[0] === field && (at === "parent" || part.value === null)),
    );
  const found = await findProblems(file, earlier, check, providers);
  return sortByPlace([...file.problems, ...found], [file.name]);
}

/**
 * The problems of courses that need the user's providers: courses of other providers, and keys that two courses share
 * whose files name one provider differently. Problems of a default value are reported once.
 */
export async function checkOwners(
  courses: readonly SourceCourse[],
  providers: readonly Provider[],
): Promise<Diagnostic[]> {
  const earlier = { values: new UniqueValues<string>(), reported: new Set<string>() };
  return await findProblems({ courses }, earlier, () => [], providers);
}

async function findProblems(
  { courses, columns }: Pick<SourceFile, "courses" | "columns">,
  { values, reported }: EarlierFiles,
  check: (course: SourceCourse) => Problem[],
  providers: readonly Provider[] | undefined,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  const findings = new Findings(columns, reported);
  for (const course of courses) {
    const { value } = course;
    const isOwned = providers !== undefined && isObject(value);
    // The file may name the provider by a slug or a domain.
    const owned = isOwned ? resolveProvider(value, providers) : value;
    const problems = [
      ...check(course),
      ...(isOwned ? checkOwnership(value, providers) : []),
      ...Array.from(values.findRepeated(owned, `${course.file}:${course.line}`), repeatProblem),
    ];
    for (const problem of findings.add(problems, course.defaults)) {
      found.push(await placeProblem(course, problem));
    }
    if (findings.isFull) break;
  }
  return found;
}

function repeatProblem({ field, first }: { field: UniqueField; first: string }): Problem {
  const message = `same ${field} as the course at ${first}`;
  return { rule: UNIQUE_RULES[field], severity: "error", at: "value", path: [field], message };
}

/** The problems of a file's courses of which each is reported: each cause once, and not more than people can read. */
export class Findings {
  readonly #columns: readonly Path[] | undefined;
  readonly #ofDefaults: Set<string>;
  readonly #ofFile = new Set<string>();
  readonly #counts = { error: 0, warning: 0 };

  /** @param columns of a table @param ofDefaults the problems of default values that were reported */
  constructor(columns?: readonly Path[], ofDefaults = new Set<string>()) {
    this.#columns = columns;
    this.#ofDefaults = ofDefaults;
  }

  /** Whether there are so many errors that no more are reported. */
  get isFull(): boolean {
    return this.#counts.error > MAX_FINDINGS;
  }

  /** Adds the problems of one course. @returns those to report */
  add(problems: readonly Problem[], defaults?: SourceCourse["defaults"]): Problem[] {
    return problems.flatMap((problem) => {
      const { severity, path, rule } = problem;
      if (isMisspelled(problem, problems)) return [];
      const isWithoutColumn = rule === "required" && !this.#hasColumn(path);
      // All courses of a listing have the fields that only the service sets.
      const isOfFile = isWithoutColumn || rule === "read-only" || this.#isOfHeader(problem);
      const source = defaults?.get(String(path[0]));
      if (source !== undefined && isRepeated(problem, this.#ofDefaults, source.file)) return [];
      if (isOfFile && isRepeated(problem, this.#ofFile)) return [];
      const more = ++this.#counts[severity] - MAX_FINDINGS;
      if (more > 0) return more === 1 ? tooMany(severity) : [];
      if (!isWithoutColumn) return problem;
      return { ...problem, at: "key", message: `the table has no column ${path[0]}` };
    });
  }

  /** Whether a table has a column for a field. */
  #hasColumn([field, ...inside]: Path): boolean {
    const names = field === "provider_id" ? PROVIDER_KEYS : [field];
    const isColumn = ([name]: Path): boolean => names.some((each) => each === name);
    return inside.length > 0 || this.#columns === undefined || this.#columns.some(isColumn);
  }

  /** Whether a problem is about the name of a column, which all rows share. */
  #isOfHeader({ at, path }: Problem): boolean {
    if (this.#columns === undefined || at !== "key") return false;
    return path.length < 2 || this.#columns.some((column) => isDeepStrictEqual(column, path));
  }
}

/** Whether the problem was reported before. @param file of the default value that has the problem */
function isRepeated({ rule, path, message }: Problem, reported: Set<string>, file?: string) {
  const before = reported.size;
  return reported.add(JSON.stringify([file, rule, path, message])).size === before;
}

function tooMany(severity: Severity): Problem {
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
