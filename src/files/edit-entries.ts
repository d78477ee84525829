/** Decides where an entry of an object or an item of a list is inserted or removed, in any layout. */
import type { PlacedEntry, PlacedNode, Span } from "./position.ts";
import {
  indentationAt,
  insertion,
  lineEndAfter,
  lineIndentation,
  lineStart,
  lineStop,
  quoteAt,
  skipWhitespace,
  type TextEdit,
} from "./text-edit.ts";
import { quoteString } from "./value-text.ts";

/** Whether a list or an object is written in brackets, as JSON always is. */
export function isInBrackets(text: string, { span }: PlacedNode): boolean {
  return text[span.start] === "{" || text[span.start] === "[";
}

/** Writes a value for a place in the text. */
export type WriteValue = (place: {
  /** Whether it is inside brackets. */
  readonly flow: boolean;
  /** The quotation mark of its key. */
  readonly quote: string;
  /** Finds the indentation of the line that it continues, which takes long in a long line. */
  readonly indentation: () => string;
}) => string;

/**
 * The edit that adds an entry to an object after an index (-1: first), if there is a place for it.
 */
export function insertEntry(
  text: string,
  place: PlacedNode,
  after: number,
  name: string,
  write: WriteValue,
): TextEdit | undefined {
  const { span, entries = [] } = place;
  const [first, second] = entries;
  const previous = entries[after];
  if (isInBrackets(text, place)) {
    const quote = first === undefined ? '"' : quoteAt(text, first.key.start);
    const colon = first === undefined ? ": " : colonOf(text, first, quote);
    const indentation = (): string => lineIndentation(text, first?.key.start ?? span.start);
    const value = write({ flow: true, quote, indentation });
    const written = `${quoteString(name, quote, true)}${colon}${value}`;
    if (first === undefined) return fillBrackets(text, span, written);
    if (previous !== undefined) {
      return insertion(endOf(previous), `${separatorAfter(text, place, after)}${written}`);
    }
    return insertFirst(text, span.start + 1, written, { first, second, colon });
  }
  if (first === undefined) return undefined;
  const quote = quoteAt(text, first.key.start);
  const line = (indentation: string): string => {
    const value = write({ flow: false, quote, indentation: () => indentation });
    return `${quoteString(name, quote, false)}:${/^[\r\n]/.test(value) ? "" : " "}${value}`;
  };
  if (previous === undefined) return insertLine(text, span.start, line);
  const indentation = indentationAt(text, beforeProperties(text, span.start));
  const at = lineStop(text, endOf(previous));
  return insertion(at, `${lineEndAfter(text, at)}${indentation}${line(indentation)}`);
}

/** Writes the only part in empty brackets. */
export function fillBrackets(text: string, { start, end }: Span, written: string): TextEdit {
  const inner = { start: start + 1, end: end - 1 };
  const isBlank = /^[ \t]*$/.test(text.slice(inner.start, inner.end));
  return isBlank ? { span: inner, text: written } : insertion(inner.start, written);
}

/** Inserts the first line of a block, which is indented like the line that it precedes. */
function insertLine(text: string, start: number, line: (indentation: string) => string): TextEdit {
  const at = beforeProperties(text, start);
  const indentation = indentationAt(text, at);
  return insertion(at, `${line(indentation)}${lineEndAfter(text, start)}${indentation}`);
}

/** The offset before the anchors and tags that precede a value. */
function beforeProperties(text: string, at: number): number {
  const line = lineStart(text, at);
  return line + text.slice(line, at).replace(/(?:[&!]\S*[ \t]+)+$/, "").length;
}

/** Inserts the first entry in braces, separated from the next as that is from its next. */
function insertFirst(
  text: string,
  opening: number,
  written: string,
  { first, second, colon }: { first: PlacedEntry; second: PlacedEntry | undefined; colon: string },
): TextEdit {
  const at = skipWhitespace(text, opening);
  const lineBreak = /(?:\r\n|[\r\n])[ \t]*$/.exec(text.slice(opening, at))?.[0];
  const comma = lineBreak === undefined ? commaOf(text, first, second) : `,${lineBreak}`;
  const separator = comma ?? (colon.endsWith(" ") ? ", " : ",");
  return insertion(at, `${written}${separator}`);
}

/** What separates the entry at an index from one that is inserted after it. */
function separatorAfter(text: string, { span, entries = [] }: PlacedNode, index: number): string {
  const previous = entries[index];
  const next = entries[index + 1];
  const before = entries[index - 1];
  if (previous === undefined) return ", ";
  const usual = commaOf(text, previous, next) ?? (before && commaOf(text, before, previous));
  if (usual !== undefined) return usual;
  const lead = text.slice(span.start + 1, previous.key.start);
  if (/^\s*[\r\n]\s*$/.test(lead)) return `,${lead}`;
  return colonOf(text, previous, quoteAt(text, previous.key.start)).endsWith(" ") ? ", " : ",";
}

/** What separates the key and the value of an entry; without quotes, a space is needed. */
function colonOf(text: string, { key, value }: PlacedEntry, quote: string): string {
  const between = text.slice(key.end, value.span.start);
  const isUsable = quote === "" ? /^[ \t]*:[ \t]+$/ : /^[ \t]*:[ \t]*$/;
  return isUsable.test(between) ? between : ": ";
}

/** What separates an entry from the next, if it is only a comma and whitespace. */
function commaOf(
  text: string,
  first: PlacedEntry,
  second: PlacedEntry | undefined,
): string | undefined {
  if (second === undefined) return undefined;
  const between = text.slice(endOf(first), second.key.start);
  return /^\s*,\s*$/.test(between) ? between : undefined;
}

/** Where an entry ends; a value that is not written has the position of its key. */
function endOf({ key, value }: PlacedEntry): number {
  return Math.max(key.end, value.span.end);
}

/** The edit that removes an entry, which is not the only one. Undefined if that is not possible. */
export function removeEntry(text: string, place: PlacedNode, index: number): TextEdit | undefined {
  const { entries = [] } = place;
  const spans = entries.map((entry) => ({ start: entry.key.start, end: endOf(entry) }));
  return isInBrackets(text, place)
    ? removeInBrackets(text, spans, index)
    : removeLines(text, spans, index);
}

/** Removes a part in brackets, and the comma that it no longer needs. */
export function removeInBrackets(
  text: string,
  spans: readonly Span[],
  index: number,
): TextEdit | undefined {
  const [previous, span, next] = [spans[index - 1], spans[index], spans[index + 1]];
  if (span === undefined) return undefined;
  if (next !== undefined && !text.slice(span.end, next.start).includes("#")) {
    return { span: { start: span.start, end: next.start }, text: "" };
  }
  if (previous !== undefined && !text.slice(previous.end, span.start).includes("#")) {
    return { span: { start: previous.end, end: span.end }, text: "" };
  }
  // YAML allows a comma before the closing bracket, and a comment may be about another entry.
  const comma = /^[ \t]*,/.exec(text.slice(span.end))?.[0] ?? "";
  return { span: { start: span.start, end: span.end + comma.length }, text: "" };
}

/** Removes the lines of a part of a block. A dash before the first part stays. */
export function removeLines(
  text: string,
  spans: readonly Span[],
  index: number,
): TextEdit | undefined {
  const [span, next] = [spans[index], spans[index + 1]];
  if (span === undefined) return undefined;
  const start = lineStart(text, span.start);
  const stop = lineStop(text, span.end);
  if (text.slice(start, span.start).trim() !== "") {
    if (next === undefined) return undefined;
    const isEmpty = /^[ \t]*(?:\r\n|[\r\n])\s*$/.test(text.slice(span.end, next.start));
    return { span: { start: span.start, end: isEmpty ? next.start : span.end }, text: "" };
  }
  const lineBreak = /^(?:\r\n|[\r\n])/.exec(text.slice(stop, stop + 2))?.[0] ?? "";
  if (lineBreak !== "") return { span: { start, end: stop + lineBreak.length }, text: "" };
  const before = /(?:\r\n|[\r\n])$/.exec(text.slice(0, start))?.[0] ?? "";
  return { span: { start: start - before.length, end: stop }, text: "" };
}
