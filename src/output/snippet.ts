/** Shows the source line of a diagnostic with its position underlined. */
import { escapeLine } from "../base/text.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import type { Styles } from "./color.ts";
import type { TextMeasure } from "./text-measure.ts";

/** The source line of a range, and the range. */
type SourceRange = Pick<
  Diagnostic,
  "line" | "column" | "endLine" | "endColumn" | "source" | "sourceFrom"
>;

/** How a snippet is shown. */
export interface SnippetOptions {
  readonly styles: Styles;
  readonly markStyle: (text: string) => string;
  /** The terminal's width. */
  readonly columns: number;
  readonly measure: TextMeasure;
}

const MIN_WIDTH = 10;
/** Columns shown after the mark, if possible. */
const TRAILING = 8;

/** The source line and the line with the mark; none without a source line. */
export function snippet(range: SourceRange, options: SnippetOptions): string[] {
  const { source, line } = range;
  if (source === undefined) return [];
  const { styles, markStyle, columns, measure } = options;
  const gutter = `  ${line} | `;
  const width = Math.max(MIN_WIDTH, columns - gutter.length);
  const { text, offset, length } = excerpt(range, source, width, measure);
  const empty = `${" ".repeat(gutter.length - 2)}| `;
  return [
    (styles.dim(gutter) + text).trimEnd(),
    styles.dim(empty) + " ".repeat(offset) + markStyle("^".repeat(length)),
  ];
}

interface Excerpt {
  readonly text: string;
  /** Columns before the mark. */
  readonly offset: number;
  /** Columns of the mark, at least one. */
  readonly length: number;
}

function excerpt(range: SourceRange, source: string, width: number, measure: TextMeasure): Excerpt {
  const [start, end] = indicesOf(range, source);
  // A line may be megabytes long; only as much of it is measured as could be shown.
  const limit = width * 4;
  const before = showTabs(source.slice(Math.max(0, start - limit), start));
  const marked = showTabs(source.slice(start, Math.min(end, start + limit)));
  const after = showTabs(source.slice(end, end + limit));

  const left = measure.width(before);
  const markWidth = Math.max(1, measure.width(marked));
  const complete = before + marked + after;
  if (Math.max(measure.width(complete), left + markWidth) <= width) {
    return { text: complete, offset: left, length: markWidth };
  }
  // The text before the mark gets what the mark leaves, at least a quarter of the line.
  const lead = Math.min(left, Math.max(Math.floor(width / 4), width - markWidth - TRAILING));
  const head = lead === left ? before : `…${measure.tail(before, lead - 1)}`;
  const offset = measure.width(head);
  const text = measure.cut(head + marked + after, width);
  return { text, offset, length: Math.max(1, Math.min(markWidth, width - offset)) };
}

/** The range within its first line as indices, which never split a surrogate pair. */
function indicesOf(range: SourceRange, source: string): [start: number, end: number] {
  const { line, column, endLine, endColumn, sourceFrom = 0 } = range;
  const start = Math.min(column - 1 - sourceFrom, source.length);
  // A range of several lines is marked only at its beginning: more than the first line is affected.
  const end = endLine > line ? start : Math.min(endColumn - 1 - sourceFrom, source.length);
  return [
    splitsPair(source, start) ? start - 1 : start,
    Math.max(start, splitsPair(source, end) ? end + 1 : end),
  ];
}

function splitsPair(text: string, index: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, index - 1), index + 1));
}

function showTabs(text: string): string {
  return escapeLine(text.replaceAll("\t", "  "));
}
