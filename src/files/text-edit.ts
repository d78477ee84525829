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

/** Applies edits; insertions at one offset stay in order. If two edits overlap, only the first is applied. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { span, text: written } of edits.toSorted(byPlace)) {
    if (span.start < done) continue;
    parts.push(text.slice(done, span.start), written);
    done = span.end;
  }
  return parts.join("") + text.slice(done);
}

function byPlace({ span: one }: TextEdit, { span: other }: TextEdit): number {
  return one.start - other.start || one.end - other.end;
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

/** The first offset from `from` that is neither whitespace nor in a comment. */
export function skipWhitespace(text: string, from: number): number {
  let at = from;
  for (;;) {
    if (text[at] === "#") at = lineStop(text, at);
    else if (/\s/.test(text[at] ?? "")) at++;
    else return at;
  }
}
