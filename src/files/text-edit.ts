/** Replacements in a text, and small facts about the text around them. */
import type { Span } from "./position.ts";

/** A replacement of a span; an empty span means an insertion. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

export function insertion(at: number, text: string): TextEdit {
  return { span: { start: at, end: at }, text };
}

/** Applies edits. If two edits overlap or start at one offset, only the first is applied. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let done = 0;
  let last = -1;
  for (const { span, text: written } of edits.toSorted(byStart)) {
    if (span.start < done || span.start === last) continue;
    parts.push(text.slice(done, span.start), written);
    done = span.end;
    last = span.start;
  }
  return parts.join("") + text.slice(done);
}

function byStart(one: TextEdit, other: TextEdit): number {
  return one.span.start - other.span.start;
}

/** The line end after an offset; in the last line, the first line end of the text. */
export function lineEndAfter(text: string, at: number): string {
  const lineEnd = /\r\n|[\r\n]/g;
  lineEnd.lastIndex = at;
  return lineEnd.exec(text)?.[0] ?? lineEnd.exec(text)?.[0] ?? "\n";
}

/** The offset at which the line of an offset begins. */
export function lineStart(text: string, at: number): number {
  const afterFeed = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
  // Only this part is searched: without carriage returns, the search would go back to the start of the text.
  return afterFeed + text.slice(afterFeed, at).lastIndexOf("\r") + 1;
}

/** The offset at which the line of an offset ends, before its line break. */
export function lineStop(text: string, at: number): number {
  const lineEnd = /[\r\n]/g;
  lineEnd.lastIndex = at;
  return lineEnd.exec(text)?.index ?? text.length;
}

/** The text before an offset in its line, as whitespace: two spaces before the `a` in `- a`. */
export function indentationAt(text: string, at: number): string {
  return text.slice(lineStart(text, at), at).replace(/[^ \t]/g, " ");
}

export function lineIndentation(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? "";
}

/** The quotation mark at an offset; empty if there is none. */
export function quoteAt(text: string, at: number): string {
  return /["']/.exec(text[at] ?? "")?.[0] ?? "";
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
