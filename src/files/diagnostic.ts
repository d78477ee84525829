/** A problem with its place in a file (cli.md sections 7 and 11). */
import type { CatalogError } from "../base/errors.ts";
import type { Path } from "../base/values.ts";
import { type Problem, RULES, type RuleId, type Severity } from "../course/problem.ts";
import { MAX_FINDINGS } from "./limits.ts";
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
  /** The line on which it stands; of a very long one, what is near it. */
  readonly source?: string;
  /** How many characters of the line are left out before `source`; none if this is. */
  readonly sourceFrom?: number;
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
  /** The line on which it stands; of a very long one, what is near it. */
  readonly source?: string;
  /** How many characters of the line are left out before `source`; none if this is. */
  readonly sourceFrom?: number;
}

/** A problem, and the other places that it has to do with. */
export interface Finding {
  readonly problem: Problem;
  readonly related?: readonly Related[];
}

/** A problem of a course, placed in its file. */
export function placeProblem(course: SourceCourse, { problem, related = [] }: Finding): Diagnostic {
  const { severity, rule, message, path, notes } = problem;
  const span = course.locate(path, problem.at);
  const suggestion = asWritten(problem.suggestion, course.file.lines.text(span));
  return {
    ...placed(course.file, span),
    ...{ severity, rule, message, path },
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(notes === undefined ? {} : { notes }),
    ...(related.length === 0 ? {} : { related }),
  };
}

/** A number that only lacks its quotation marks, with the zeros that its file gives it: "24.50". */
function asWritten(suggestion: string | undefined, written: string): string | undefined {
  const number = suggestion === undefined ? undefined : /^"(-?[\d.]+)"$/.exec(suggestion)?.[1];
  if (number === undefined || !/^-?[\d.]+$/.test(written)) return suggestion;
  return Number(number) === Number(written) ? `"${written}"` : suggestion;
}

/** Everything that is wrong with a file's text itself. */
export function textDiagnostics(file: SourceFile): Diagnostic[] {
  return file.problems.slice(0, MAX_FINDINGS).map(({ rule, message, span, earlier }) => {
    const diagnostic = { ...placed(file, span), severity: "error" as const, rule, path: [] };
    if (earlier === undefined) return { ...diagnostic, message };
    const first = placeOf(file, earlier, "the first one");
    return {
      ...diagnostic,
      message: `${message} (first used at ${first.line}:${first.column})`,
      related: [first],
    };
  });
}

/** A file that could not be read, or holds nothing, as a finding at its beginning. */
export function unreadDiagnostic({ message, facts }: CatalogError): Diagnostic {
  const rule = RULES.find((candidate) => candidate === facts.rule) ?? "unreadable";
  const start = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { file: facts.file ?? "", ...start, severity: "error", rule, message, path: [] };
}

/** A span of a file, with what stands there. */
export function placeOf(file: SourceFile, span: Span, message: string): Related {
  return { message, ...placed(file, span) };
}

type Placed = Pick<
  Diagnostic,
  "file" | "line" | "column" | "endLine" | "endColumn" | "source" | "sourceFrom"
>;

function placed(file: SourceFile, span: Span): Placed {
  const range = file.lines.range(span);
  return { file: file.name, ...range, ...file.lines.excerpt(range.line, range.column) };
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
