/** Locates problems in files: a problem at a path becomes a diagnostic at a line and a column. */
import { CatalogError } from "../base/errors.ts";
import { truncateJson } from "../base/text.ts";
import type { Path } from "../base/values.ts";
import { type Problem, RULES, type Severity } from "../course/problem.ts";
import type { UnreadEntry } from "./find.ts";
import { MAX_FINDINGS } from "./limits.ts";
import type { LineExcerpt, LineIndex, Range, Span } from "./position.ts";

/** A range in a file, with its source. Lines and columns count from 1; the end is exclusive. */
export interface FileRange extends Range, Partial<LineExcerpt> {
  readonly file: string;
}

/** A problem at its place. */
export interface Diagnostic
  extends FileRange,
    Pick<Problem, "severity" | "rule" | "message" | "suggestion" | "path" | "notes"> {
  /** The `courseKey` of the course that has the problem. */
  readonly course?: string;
}

/** A course of a file, which finds its values in the file. */
export interface PlacedCourse {
  readonly file: { readonly name: string };
  readonly index: number;
  /** The line in which the course begins. */
  readonly line: number;
  /**
   * Finds the value at a path, its key, or the object that contains it, for which the file may be read again. Undefined if
   * the file has changed since.
   */
  readonly locate: (path: Path, at: Problem["at"]) => Promise<FoundSpan | undefined>;
  /** For each field that was filled in, the defaults that its value comes from. */
  readonly defaults?: ReadonlyMap<string, PlacedCourse>;
}

interface FoundSpan {
  readonly lines: LineIndex;
  readonly span: Span;
}

/** A string that is different for each course of a run: `courses/a.yaml#0`. */
export function courseKey({ file, index }: Pick<PlacedCourse, "file" | "index">): string {
  return `${file.name}#${index}`;
}

/** Locates a problem of a course or of its default value: `["prices", 0, "currency"]` becomes line 12, column 5. */
export async function placeProblem(course: PlacedCourse, problem: Problem): Promise<Diagnostic> {
  const { severity, rule, message, path, notes, suggestion } = problem;
  const source = course.defaults?.get(String(path[0])) ?? course;
  const found = await source.locate(path, problem.at);
  const facts = { severity, rule, path, notes, course: courseKey(course) };
  const place = placeFound(source, found);
  if (found === undefined) return { ...place, ...facts, message, suggestion };
  return {
    ...place,
    ...facts,
    message: withCell(found.lines, found.span, message),
    suggestion: asWritten(suggestion, found.lines.text(found.span)),
  };
}

/** The place of the value at a path. */
export async function placeValue(course: PlacedCourse, path: Path): Promise<FileRange> {
  return placeFound(course, await course.locate(path, "value"));
}

/** The place of a span; the line in which the course begins, if the file has changed since it was read. */
function placeFound({ file: { name }, line }: PlacedCourse, found?: FoundSpan): FileRange {
  return found === undefined
    ? { file: name, line, column: 1, endLine: line, endColumn: 1 }
    : placeOf({ name, lines: found.lines }, found.span);
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
  file: Located & { readonly problems: readonly Problem[] },
): Diagnostic[] {
  return file.problems.slice(0, MAX_FINDINGS).map(({ span = START, earlier, ...problem }) => {
    const { rule, severity, path } = problem;
    const message = withCell(file.lines, span, problem.message);
    const diagnostic = { ...placeOf(file, span), severity, rule, path };
    if (earlier === undefined) return { ...diagnostic, message };
    const { line, column } = file.lines.range(earlier);
    return { ...diagnostic, message: `${message} (first used at ${line}:${column})` };
  });
}

/** The diagnostic of a file that cannot be read or has no course, at the start of the file. */
export function unreadDiagnostic({ message, facts }: CatalogError): Diagnostic {
  const rule = RULES.find((candidate) => candidate === facts.rule) ?? "unreadable";
  const start = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { file: facts.file ?? "", ...start, severity: "error", rule, message, path: [] };
}

/** The diagnostic of a folder entry that is not read. The reason is a clause that follows "it". */
export function leftOutDiagnostic(
  { name, reason }: UnreadEntry,
  severity: Severity = "warning",
): Diagnostic {
  const message = `not read, because it ${reason}`;
  const failure = new CatalogError("file", message, { file: name, rule: "not-read" });
  return { ...unreadDiagnostic(failure), severity };
}

/** The message and, in a workbook, the cell that it is about: `cell B2 ("EURO"): level must be …`. */
function withCell(lines: LineIndex, span: Span, message: string): string {
  const cell = lines.cell(span);
  if (cell === undefined) return message;
  const text = lines.text(span);
  return `${cell}${text === "" ? "" : ` (${truncateJson(text)})`}: ${message}`;
}

interface Located {
  readonly name: string;
  readonly lines: LineIndex;
}

/** The position of a span in a file, with its source. */
export function placeOf(file: Located, span: Span): FileRange {
  const { lines } = file;
  // A message about a workbook names the cell and its text.
  const excerpt = lines.cell(span) === undefined ? lines.excerpt(span) : {};
  return { file: file.name, ...lines.range(span), ...excerpt };
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
