/** Checks the courses of many files: each by itself, with the providers, and against one another. */
import { isMapping } from "../base/values.ts";
import { type CheckOptions, checkCourse } from "../course/check.ts";
import { checkOwnership } from "../course/ownership.ts";
import type { Problem } from "../course/problem.ts";
import type { Provider } from "../course/provider.ts";
import { type Diagnostic, placeProblem, sortByPlace, textDiagnostics } from "./diagnostic.ts";
import type { SourceCourse, SourceFile } from "./read.ts";

/** What to check for. */
export interface CheckFilesOptions extends CheckOptions {
  /** The user's providers, where they are at hand. */
  readonly providers?: readonly Provider[];
}

/** More findings than this in one file are no help to anybody, and cost memory without bound. */
const MOST_FINDINGS = 10_000;

const TOO_MANY: Problem = {
  rule: "too-many",
  severity: "error",
  at: "value",
  path: [],
  message: `there are more than ${MOST_FINDINGS} findings in this file; the rest of it was not checked`,
};

/** Every problem of every file, sorted by file and place. */
export function checkFiles(
  files: readonly SourceFile[],
  options: CheckFilesOptions = {},
): Diagnostic[] {
  const courses = files.flatMap((file) => file.courses);
  const repeats = repeatedCourses(courses.map((source) => ({ value: source.value, source })));
  const found: Diagnostic[] = [];
  const left = new Map(files.map((file) => [file, MOST_FINDINGS]));
  for (const [index, course] of courses.entries()) {
    const room = left.get(course.file) ?? 0;
    if (room <= 0) continue;
    const problems = [...problemsOf(course.value, options), ...(repeats[index] ?? [])];
    const told = problems.length < room ? problems : [...problems.slice(0, room - 1), TOO_MANY];
    left.set(course.file, room - told.length);
    found.push(...told.map((problem) => placeProblem(course, problem)));
  }
  const names = files.map(({ name }) => name);
  return sortByPlace([...files.flatMap(textDiagnostics), ...found], names);
}

/** The problems of one course, with those that only the providers tell. */
function problemsOf(value: unknown, options: CheckFilesOptions): Problem[] {
  const problems = checkCourse(value, options);
  if (options.providers === undefined || !isMapping(value)) return problems;
  return [...problems, ...checkOwnership(value, options.providers)];
}

/** A course as it would be sent, with where it was read, if it was. */
export interface PlacedCourse {
  readonly value: unknown;
  readonly source?: SourceCourse | undefined;
}

/**
 * One id or one url given by two courses: a problem of the later one that names the place of the
 * earlier. @returns the problems of each course, in their order
 */
export function repeatedCourses(courses: readonly PlacedCourse[]): readonly Problem[][] {
  const problems = courses.map((): Problem[] => []);
  for (const field of ["id", "url"] as const) {
    const first = new Map<string, PlacedCourse>();
    for (const [index, course] of courses.entries()) {
      const value = identityOf(course.value, field);
      if (value === undefined) continue;
      const earlier = first.get(value);
      if (earlier === undefined) first.set(value, course);
      else problems[index]?.push(repeat(field, earlier));
    }
  }
  return problems;
}

function identityOf(course: unknown, field: "id" | "url"): string | undefined {
  const value = isMapping(course) ? course[field] : undefined;
  if (typeof value !== "string" || value === "") return undefined;
  return field === "id" ? value.toLowerCase() : value;
}

function repeat(field: "id" | "url", { source }: PlacedCourse): Problem {
  return {
    rule: field === "id" ? "duplicate-id" : "duplicate-url",
    severity: "error",
    at: "value",
    path: [field],
    message: `${field} is also that of ${source === undefined ? "another course" : placeOf(field, source)}`,
  };
}

function placeOf(field: string, source: SourceCourse): string {
  const { file } = source;
  const { line, column } = file.lines.range(source.locate([field], "value"));
  return `the course at ${file.name}:${line}:${column}`;
}
