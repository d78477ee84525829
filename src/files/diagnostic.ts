/** A problem with its place in a file (cli.md sections 7 and 11). */
import type { Path } from "../base/values.ts";
import type { Problem, RuleId, Severity } from "../course/problem.ts";
import type { Span } from "./position.ts";
import type { SourceCourse, SourceFile } from "./read.ts";

/** Another place that a diagnostic speaks of, such as that of the first of two alike. */
export interface Related {
  /** What stands there; a clause without a full stop. */
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** The line on which it stands. */
  readonly source?: string;
}

/** What is wrong, and where. Lines and columns count from 1; the end is past the last character. */
export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly severity: Severity;
  readonly rule: RuleId;
  readonly message: string;
  /** What was probably meant. */
  readonly suggestion?: string;
  readonly path: Path;
  /** What helps to mend it; one sentence each. */
  readonly notes?: readonly string[];
  readonly related?: readonly Related[];
  /** The line on which it stands. */
  readonly source?: string;
}

/** A problem of a course, placed in its file. */
export function placeProblem(course: SourceCourse, problem: Problem): Diagnostic {
  const { suggestion } = problem;
  return {
    ...placed(course.file, course.locate(problem.path, problem.at)),
    severity: problem.severity,
    rule: problem.rule,
    message: problem.message,
    ...(suggestion === undefined ? {} : { suggestion }),
    path: problem.path,
  };
}

/** Everything that is wrong with a file's text itself. */
export function textDiagnostics(file: SourceFile): Diagnostic[] {
  return file.problems.map(({ rule, message, span }) => ({
    ...placed(file, span),
    severity: "error",
    rule,
    message,
    path: [],
  }));
}

type Placed = Omit<Diagnostic, "severity" | "rule" | "message" | "suggestion" | "path">;

function placed(file: SourceFile, span: Span): Placed {
  const range = file.lines.range(span);
  return { file: file.name, ...range, source: file.lines.line(range.line) };
}

/** Diagnostics in the order of their files, and in each of their places. */
export function sortByPlace(
  diagnostics: readonly Diagnostic[],
  files: readonly string[],
): Diagnostic[] {
  const order = new Map(files.map((file, index) => [file, index]));
  const fileOf = ({ file }: Diagnostic): number => order.get(file) ?? files.length;
  return [...diagnostics].sort(
    (one, other) =>
      fileOf(one) - fileOf(other) || one.line - other.line || one.column - other.column,
  );
}
