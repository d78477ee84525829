/** Draws the source line of a diagnostic, with a mark below the place that is meant. */
import { escapeLine } from "../base/text.ts";
import type { Styles } from "./color.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { TextMeasure } from "./text-measure.ts";

/** What a snippet needs to know of a finding. */
type Marked = Pick<
  Diagnostic,
  "line" | "column" | "endLine" | "endColumn" | "source" | "sourceFrom"
>;

/** How a snippet is drawn. */
export interface SnippetOptions {
  readonly paint: Styles;
  /** The color of the mark. */
  readonly tint: (text: string) => string;
  /** The terminal's width. */
  readonly columns: number;
  readonly ruler: TextMeasure;
}

/** The source line and the line of the mark; none where there is no source. */
export function snippet(diagnostic: Marked, options: SnippetOptions): string[] {
  const { source, line } = diagnostic;
  if (source === undefined) return [];
  const { paint, tint, columns, ruler } = options;
  const gutter = `  ${line} | `;
  const room = Math.max(LEAST, columns - gutter.length);
  const { text, offset, length } = picture(diagnostic, source, room, ruler);
  const empty = `${" ".repeat(gutter.length - 2)}| `;
  return [
    (paint.dim(gutter) + text).trimEnd(),
    paint.dim(empty) + " ".repeat(offset) + tint("^".repeat(length)),
  ];
}

const LEAST = 10;

interface Picture {
  readonly text: string;
  /** Columns before the mark. */
  readonly offset: number;
  /** Columns of the mark, at least one. */
  readonly length: number;
}

function picture(diagnostic: Marked, source: string, room: number, ruler: TextMeasure): Picture {
  const [start, end] = rangeIn(diagnostic, source);
  // A line may be megabytes long; no more of it is looked at than could be seen.
  const near = room * 4;
  const before = shown(source.slice(Math.max(0, start - near), start));
  const marked = shown(source.slice(start, Math.min(end, start + near)));
  const after = shown(source.slice(end, end + near));

  const left = ruler.width(before);
  const wide = Math.max(1, ruler.width(marked));
  const whole = before + marked + after;
  const reach = Math.max(ruler.width(whole), left + wide);
  if (reach <= room) return { text: whole, offset: left, length: wide };

  // As much of the mark as fits, and before it what room is left, at least a quarter of the line.
  const lead = Math.min(left, Math.max(Math.floor(room / 4), room - wide - TAIL));
  const head = lead === left ? before : `…${ruler.tail(before, lead - 1)}`;
  const offset = ruler.width(head);
  const text = ruler.cut(head + marked + after, room);
  return { text, offset, length: Math.max(1, Math.min(wide, room - offset)) };
}

/** Columns after a mark that are worth showing. */
const TAIL = 8;

/** The range inside its first line, as indices; never between the halves of a character. */
function rangeIn(diagnostic: Marked, source: string): [number, number] {
  const { line, column, endLine, endColumn, sourceFrom = 0 } = diagnostic;
  const start = Math.min(column - 1 - sourceFrom, source.length);
  // What goes on for lines is marked where it begins: its first line alone is not what is meant.
  const end = endLine > line ? start : Math.min(endColumn - 1 - sourceFrom, source.length);
  return [
    splitsPair(source, start) ? start - 1 : start,
    Math.max(start, splitsPair(source, end) ? end + 1 : end),
  ];
}

function splitsPair(text: string, index: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, index - 1), index + 1));
}

function shown(text: string): string {
  return escapeLine(text.replaceAll("\t", "  "));
}
