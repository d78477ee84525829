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

/** Every problem of every file, sorted by file and place. */
export function checkFiles(
  files: readonly SourceFile[],
  options: CheckFilesOptions = {},
): Diagnostic[] {
  const repeats = repeatedCourses(files.flatMap((file) => file.courses));
  const found = files.flatMap((file) => [
    ...textDiagnostics(file),
    ...file.courses.flatMap((course) =>
      [...problemsOf(course.value, options), ...(repeats.get(course) ?? [])].map((problem) =>
        placeProblem(course, problem),
      ),
    ),
  ]);
  return sortByPlace(found);
}

/** The problems of one course, with those that only the providers tell. */
function problemsOf(value: unknown, options: CheckFilesOptions): Problem[] {
  const problems = checkCourse(value, options);
  if (options.providers === undefined || !isMapping(value)) return problems;
  return [...problems, ...checkOwnership(value, options.providers)];
}

/** One id or one url given by two courses: the later one names the place of the earlier. */
export function repeatedCourses(courses: readonly SourceCourse[]): Map<SourceCourse, Problem[]> {
  const problems = new Map<SourceCourse, Problem[]>();
  for (const field of ["id", "url"] as const) {
    const first = new Map<string, SourceCourse>();
    for (const course of courses) {
      const value = identityOf(course.value, field);
      if (value === undefined) continue;
      const earlier = first.get(value);
      if (earlier === undefined) {
        first.set(value, course);
        continue;
      }
      problems.set(course, [...(problems.get(course) ?? []), repeat(field, earlier)]);
    }
  }
  return problems;
}

function identityOf(course: unknown, field: "id" | "url"): string | undefined {
  if (!isMapping(course)) return undefined;
  const value = course[field];
  if (typeof value !== "string" || value === "") return undefined;
  return field === "id" ? value.toLowerCase() : value;
}

function repeat(field: "id" | "url", earlier: SourceCourse): Problem {
  const { file } = earlier;
  const { line, column } = file.lines.range(earlier.locate([field], "value"));
  return {
    rule: field === "id" ? "duplicate-id" : "duplicate-url",
    severity: "error",
    at: "value",
    path: [field],
    message: `${field} is also that of the course at ${file.name}:${line}:${column}`,
  };
}
