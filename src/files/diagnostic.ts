/** Locates problems in files: a problem at a path becomes a diagnostic at a line and a column. */
import type { CatalogError } from "../base/errors.ts";
import { truncateJson } from "../base/text.ts";
import type { Path } from "../base/values.ts";
import type { Place } from "../course/located.ts";
import { type Problem, RULES } from "../course/problem.ts";
import { MAX_FINDINGS } from "./limits.ts";
import type { LineIndex, Span } from "./position.ts";

/** A problem at its place. */
export interface Diagnostic
  extends Place,
    Pick<Problem, "severity" | "rule" | "message" | "suggestion" | "path" | "notes"> {
  /** The `courseKey` of the course that has the problem. */
  readonly course?: string;
}

/** A place, with the text at the place and, in a workbook, the name of the cell or row. */
export interface TextPlace extends Place {
  readonly text: string;
  readonly cell?: string | undefined;
}

/** Finds the value at a path, its key, or the object that contains it. */
export type FindPlace = (path: Path, at?: Problem["at"]) => Promise<TextPlace>;

/** Locates a problem of a course or of its default value: `["prices", 0, "currency"]` becomes line 12, column 5. */
export async function placeProblem(
  course: { readonly file: string; readonly index: number; readonly place: FindPlace },
  problem: Problem,
): Promise<Diagnostic> {
  const { severity, rule, path, notes } = problem;
  const { text, cell, ...place } = await course.place(path, problem.at);
  return {
    ...place,
    severity,
    rule,
    path,
    notes,
    suggestion: asWritten(problem.suggestion, text),
    message: withCell(text, cell, problem.message),
    course: courseKey(course),
  };
}

/** A string that is different for each course of a run: `courses/a.yaml#0`. */
export function courseKey(course: { readonly file: string; readonly index: number }): string {
  return `${course.file}#${course.index}`;
}

/** Suggests a number that only needs quotes as it is written: "24.50" for `24.50`, and not "24.5". */
function asWritten(suggestion: string | undefined, written: string): string | undefined {
  const number = suggestion === undefined ? undefined : /^"(-?[\d.]+)"$/.exec(suggestion)?.[1];
  if (number === undefined || !/^-?[\d.]+$/.test(written)) return suggestion;
  return Number(number) === Number(written) ? `"${written}"` : suggestion;
}

const START: Span = { start: 0, end: 0 };

/** The diagnostics of the text of a file, such as syntax errors. */
export function textDiagnostics(
  file: TextOfFile & { readonly problems: readonly Problem[] },
): Diagnostic[] {
  return file.problems.slice(0, MAX_FINDINGS).map(({ span = START, earlier, ...problem }) => {
    const { rule, severity, path } = problem;
    const { text, cell, ...place } = findPlace(file, span);
    const first = earlier && file.lines.range(earlier);
    const hint = first === undefined ? "" : ` (first used at ${first.line}:${first.column})`;
    return {
      ...place,
      severity,
      rule,
      path,
      message: withCell(text, cell, problem.message) + hint,
    };
  });
}

/** The diagnostic of a file that cannot be read or has no course, at the start of the file. */
export function unreadDiagnostic({ message, facts }: CatalogError): Diagnostic {
  const rule = RULES.find((candidate) => candidate === facts.rule) ?? "unreadable";
  const start = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { file: facts.file ?? "", ...start, severity: "error", rule, message, path: [] };
}

/** The message and, in a workbook, the cell that it is about: `cell B2 ("EURO"): level must be …`. */
function withCell(text: string, cell: string | undefined, message: string): string {
  if (cell === undefined) return message;
  return `${cell}${text === "" ? "" : ` (${truncateJson(text)})`}: ${message}`;
}

interface TextOfFile {
  readonly name: string;
  readonly lines: LineIndex;
}

/** The place of a span in a file. */
export function placeOf(file: TextOfFile, span: Span): Place {
  const { text: _, cell: __, ...place } = findPlace(file, span);
  return place;
}

export function findPlace({ name, lines }: TextOfFile, span: Span): TextPlace {
  const cell = lines.cell(span);
  // A message about a workbook names the cell and its text.
  const excerpt = cell === undefined ? lines.excerpt(span) : {};
  return { file: name, ...lines.range(span), ...excerpt, text: lines.text(span), cell };
}

/** Sorts diagnostics by file, in the order given, and by position. */
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
