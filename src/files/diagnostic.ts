/** Positions in a text, and problems at them: a problem at a path becomes a diagnostic at a line and a column. */
import type { Place } from "../base/errors.ts";
import { copyString, truncateJson } from "../base/text.ts";
import { memoize, nearestPath, type Path } from "../base/values.ts";
import type { Problem, Span } from "../course/problem.ts";

/** A problem at its place. */
export interface Diagnostic
  extends Place,
    Pick<Problem, "severity" | "rule" | "message" | "suggestion" | "path" | "notes"> {
  /** What --fix writes: a value, or another name for the key. */
  readonly fix?: unknown;
  /** The `courseKey` of the course that has the problem. */
  readonly course?: string | undefined;
}

/** A place and, in a table, how messages begin there: `cell B2: ` or, in a workbook, `cell B2 ("EURO"): `. */
type LabeledPlace = Place & {
  readonly label?: string;
  /** Whether a comment of YAML follows a plain value, or a key without a value, in the same line. */
  readonly isCut?: boolean;
  /** The cells of the row of the course. */
  readonly cells?: PlacedNode["cells"];
};

/** Finds the value at a path, its key, or the object that contains it. */
export type FindPlace = (path: Path, at?: Problem["at"]) => Promise<LabeledPlace>;

/** The place of a span in a file; by default, of its start. */
export function placeOf(
  { name, lines }: { readonly name: string; readonly lines: LineIndex },
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
  { label = "", isCut = false, cells: _, ...place }: LabeledPlace,
  { severity, rule, path, at, suggestion, fix, message, ...problem }: Problem,
): Diagnostic {
  const isEmpty = at === "value" && (rule === "required" || rule === "incomplete");
  const notes = isCut && isEmpty ? [CUT_NOTE] : problem.notes;
  const found = { severity, rule, path, notes, suggestion, message: label + message };
  if (fix === undefined) return { ...place, ...found };
  return { ...place, ...found, fix: "name" in fix ? fix.name : fix.value };
}

const CUT_NOTE = "# begins a comment here: put the value in quotes.";

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
  file: Parameters<typeof placeOf>[0] & { readonly problems: readonly Problem[] },
): Diagnostic[] {
  return file.problems.map((problem) => diagnose(placeOf(file, problem.span), problem));
}

export function oneAt(start: number): Span {
  return { start, end: start + 1 };
}

export interface PlacedEntry {
  readonly name: string;
  readonly key: Span;
  readonly value: PlacedNode;
}

/** The position of a value and of the value's parts. */
export interface PlacedNode {
  readonly span: Span;
  /** The entries of an object, in the order of the text. */
  readonly entries?: readonly PlacedEntry[] | undefined;
  readonly items?: readonly PlacedNode[] | undefined;
  /** Whether the value is a YAML alias, whose parts have its position. */
  readonly isAlias?: boolean;
  /** Instead of entries, the cells of a row of a table, including empty ones. */
  readonly cells?: readonly {
    readonly path: Path;
    readonly written: string | null | undefined;
    readonly span: Span;
    /** The name of the column. */
    readonly header: Span;
  }[];
}

/** The position of a list or an object, whose parts are found when they are needed: a course may have millions. */
export function placeParts<Kind extends "entries" | "items">(
  span: Span,
  kind: Kind,
  find: () => PlacedNode[Kind],
): PlacedNode {
  return Object.defineProperty({ span }, kind, { get: memoize(find), enumerable: true });
}

/** A span in lines and columns, both from 1; columns count UTF-16 units. */
export type Range = Pick<Place, "line" | "column" | "endLine" | "endColumn">;

/** The span of a problem: the value, its key, or the object without the key; or the nearest part that the file has. */
export function spanAt(root: PlacedNode, path: Path, at: Problem["at"]): Span {
  if (root.cells !== undefined) return spanInRow(root, path, at === "key");
  let [node, key] = [root, undefined as Span | undefined];
  for (const step of at === "parent" ? path.slice(0, -1) : path) {
    const entry = typeof step === "string" ? entryNamed(node, step) : undefined;
    const part = typeof step === "string" ? entry?.value : node.items?.[step];
    if (part === undefined) return node.span;
    [node, key] = [part, entry?.key];
  }
  return (at === "key" ? key : undefined) ?? node.span;
}

/** The span of the cell that has the value at a path, or the most of the path; or of the name of its column. */
function spanInRow({ span: row, cells = [] }: PlacedNode, path: Path, isKey: boolean): Span {
  const columns = cells.map((each) => each.path);
  const { index = -1, length = 0 } = nearestPath(path, columns) ?? {};
  const cell = cells[index];
  // A column that a table does not have is missing from its header.
  if (cell === undefined) return (isKey ? cells[0]?.header : undefined) ?? row;
  // The value is in the cell, or has no column, unlike another value of the object.
  const isOther = cell.path.length > length;
  const isNamed = length === path.length && typeof path.at(-1) === "string";
  return isKey && (isNamed || isOther) ? cell.header : cell.span;
}

/** The last entry of each name, as long as the positions live: thousands of entries may have problems. */
const INDEXES = new WeakMap<readonly PlacedEntry[], ReadonlyMap<string, PlacedEntry>>();

function entryNamed({ entries = [] }: PlacedNode, name: string): PlacedEntry | undefined {
  const index = INDEXES.get(entries) ?? new Map(entries.map((entry) => [entry.name, entry]));
  INDEXES.set(entries, index);
  return index.get(name);
}

/** How many characters of a line an excerpt has at most, and how many of them before the span. */
const [LONGEST, BEFORE] = [2048, 512];

/** Characters before an offset that are counted faster than all lines of a file. */
const NEAR = 1000;

/** Finds lines and columns in a text: offset 3 of `a\nbc` is line 2, column 2. Lines are counted when needed. */
export class LineIndex {
  readonly #content: string;
  #starts: readonly number[] | undefined;

  constructor(text: string) {
    this.#content = text;
  }

  range({ start, end }: Span): Range {
    const { line, column } = this.#position(start);
    const last = this.#position(Math.max(start, end));
    return { line, column, endLine: last.line, endColumn: last.column };
  }

  /** The line of an offset. Most courses begin near the start of their file, for which nothing is measured. */
  lineOf(offset: number): number {
    if (this.#starts !== undefined || offset > NEAR) return this.#position(offset).line;
    return lineStarts(this.#content.slice(0, offset)).length;
  }

  text(span: Span): string {
    return this.#content.slice(span.start, span.end);
  }

  /** The line of an offset, without its line break. */
  lineAt(offset: number): Span {
    const { at, line, column } = this.#position(offset);
    const start = at - column + 1;
    let end = this.#starts?.[line] ?? this.#content.length;
    while (end > start && /[\r\n]/.test(this.#content[end - 1] ?? "")) end--;
    return { start, end };
  }

  /** The line in which a span begins; of a very long line, the part near the span. */
  excerpt({ start }: Span): Pick<Place, "source" | "sourceFrom"> {
    const { at, column } = this.#position(start);
    const before = Math.min(column - 1, BEFORE);
    const near = this.#content.slice(at - before, at - before + LONGEST);
    const [source = ""] = near.split(/[\r\n]/, 1);
    // A slice would keep the complete text in memory.
    return { source: copyString(source), sourceFrom: column - 1 - before };
  }

  #position(offset: number) {
    const within = Math.min(Math.max(0, offset), this.#content.length);
    // The two characters of a line end have the same position.
    const at = this.#content.startsWith("\r\n", within - 1) ? within - 1 : within;
    this.#starts ??= lineStarts(this.#content);
    let [line, next] = [1, this.#starts.length + 1];
    while (next - line > 1) {
      const middle = (line + next) >> 1;
      if ((this.#starts[middle - 1] ?? 0) <= at) line = middle;
      else next = middle;
    }
    return { at, line, column: at - (this.#starts[line - 1] ?? 0) + 1 };
  }
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  const lineEnd = /\r\n?|\n/g;
  while (lineEnd.test(text)) starts.push(lineEnd.lastIndex);
  return starts;
}

/** A replacement of a span; an empty span means an insertion. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

/** Applies edits; insertions at one offset stay in order. If two edits overlap, only the first is applied. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let done = 0;
  const inOrder = edits.toSorted(
    ({ span: one }, { span: other }) => one.start - other.start || one.end - other.end,
  );
  for (const { span, text: written } of inOrder) {
    if (span.start < done) continue;
    parts.push(text.slice(done, span.start), written);
    done = span.end;
  }
  return parts.join("") + text.slice(done);
}

/** The offset at which the line of an offset ends, before its line break. */
export function lineStop(text: string, at: number): number {
  const lineEnd = /[\r\n]/g;
  lineEnd.lastIndex = at;
  return lineEnd.exec(text)?.index ?? text.length;
}

/** The first offset from `from` that is neither whitespace nor in a comment. */
export function skipWhitespace(text: string, from: number): number {
  let at = from;
  for (;;) {
    if (text[at] === "#") at = lineStop(text, at);
    else if (/\s/.test(text[at] ?? "")) at++;
    else return at;
  }
}
