/** Locates problems in files: a problem at a path becomes a diagnostic at a line and a column. */
import { truncateJson } from "../base/text.ts";
import type { Path } from "../base/values.ts";
import type { Place } from "../course/located.ts";
import type { Problem } from "../course/problem.ts";
import type { LineIndex, Span } from "./position.ts";

/** A problem at its place. */
export interface Diagnostic
  extends Place,
    Pick<Problem, "severity" | "rule" | "message" | "suggestion" | "path" | "notes"> {
  /** The `courseKey` of the course that has the problem. */
  readonly course?: string | undefined;
}

/** A place and, in a table, how messages begin there: `cell B2: ` or, in a workbook, `cell B2 ("EURO"): `. */
type LabeledPlace = Place & { readonly label?: string };

/** Finds the value at a path, its key, or the object that contains it. */
export type FindPlace = (path: Path, at?: Problem["at"]) => Promise<LabeledPlace>;

interface TextOfFile {
  readonly name: string;
  readonly lines: LineIndex;
}

/** The place of a span in a file; by default, of its start. */
export function placeOf(
  { name, lines }: TextOfFile,
  span: Span = { start: 0, end: 0 },
): LabeledPlace {
  const excerpt = lines.excerpt(span);
  // A workbook has no lines to show.
  const text = excerpt.source === undefined ? lines.text(span) : "";
  const value = text === "" ? "" : ` (${truncateJson(text)})`;
  const label = span.cell === undefined ? "" : `${span.cell}${value}: `;
  return { file: name, ...lines.range(span), ...excerpt, label };
}

/** A problem at a place. */
export function diagnose(
  { label = "", ...place }: LabeledPlace,
  { severity, rule, path, notes, suggestion, message }: Problem,
): Diagnostic {
  return { ...place, severity, rule, path, notes, suggestion, message: label + message };
}

/** Locates a problem of a course or of its default value: `["prices", 0, "currency"]` becomes line 12, column 5. */
export async function placeProblem(
  course: { readonly file: string; readonly index: number; readonly place: FindPlace },
  problem: Problem,
): Promise<Diagnostic> {
  const found = diagnose(await course.place(problem.path, problem.at), problem);
  return { ...found, course: courseKey(course) };
}

/** A string that is different for each course of a run: `courses/a.yaml#0`. */
export function courseKey(course: { readonly file: string; readonly index: number }): string {
  return `${course.file}#${course.index}`;
}

/** The diagnostics of the text of a file, such as syntax errors. */
export function textDiagnostics(
  file: TextOfFile & { readonly problems: readonly Problem[] },
): Diagnostic[] {
  return file.problems.map((problem) => diagnose(placeOf(file, problem.span), problem));
}
