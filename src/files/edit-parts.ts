/**
 * Inserts and removes entries of objects and items of lists, in the layout around them. After `- en`, the item `de` is
 * a line `- de` with the same indentation; after `["en"`, it is `, "de"`.
 */
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
import { quoteString, type SlotStyle } from "./value-text.ts";

/** Whether a list or an object is written in brackets, as JSON always is. */
export function isInBrackets(text: string, { span }: PlacedNode): boolean {
  return text[span.start] === "{" || text[span.start] === "[";
}

/** Writes a value in the style of its place in the text. */
type WriteValue = (slot: SlotStyle) => string;

/** The span of an entry with its key, or of an item with its dash; undefined if the dash is on another line. */
type Part = Span | undefined;

function partsOf(text: string, place: PlacedNode): readonly Part[] {
  const { entries, items = [] } = place;
  if (entries !== undefined) return entries.map(entrySpan);
  return isInBrackets(text, place)
    ? items.map(({ span }) => span)
    : items.map((item) => dashedSpan(text, item));
}

/** In `key:` without a value, the value has the position of the key. */
function entrySpan({ key, value }: PlacedEntry): Span {
  return { start: key.start, end: Math.max(key.end, value.span.end) };
}

function dashedSpan(text: string, { span, items }: PlacedNode): Part {
  const { start, end } = span;
  // A dash without a value is the position of the item.
  if (items === undefined && text.slice(start, end) === "-") return span;
  const lead = /-[ \t]+(?:[&!]\S*[ \t]+)*$/.exec(text.slice(lineStart(text, start), start));
  return lead === null ? undefined : { start: start - lead[0].length, end };
}

/** The edit that inserts an item into a list at an index; undefined if the layout does not allow it. */
export function insertItem(
  text: string,
  place: PlacedNode,
  index: number,
  write: WriteValue,
): TextEdit | undefined {
  const first = place.items?.[0]?.span.start;
  const quote = first === undefined ? "" : quoteAt(text, first);
  if (isInBrackets(text, place)) {
    const indentation = (): string => lineIndentation(text, first ?? place.span.start);
    return insertInBrackets(text, place, index, write({ flow: true, quote, indentation }), ", ");
  }
  const near = partsOf(text, place)[Math.max(0, index - 1)];
  return insertLine(text, near?.start, index === 0 ? undefined : near, (indentation) => {
    return `- ${write({ flow: false, quote, indentation: () => indentation }).trimStart()}`;
  });
}

/** The edit that inserts an entry into an object at an index; undefined if the layout does not allow it. */
export function insertEntry(
  text: string,
  place: PlacedNode,
  index: number,
  name: string,
  write: WriteValue,
): TextEdit | undefined {
  const { span, entries = [] } = place;
  const [first] = entries;
  if (isInBrackets(text, place)) {
    const quote = first === undefined ? '"' : quoteAt(text, first.key.start);
    const colon = colonOf(text, first, quote);
    const indentation = (): string => lineIndentation(text, first?.key.start ?? span.start);
    const value = write({ flow: true, quote, indentation });
    const written = `${quoteString(name, quote, true)}${colon}${value}`;
    return insertInBrackets(text, place, index, written, colon.endsWith(" ") ? ", " : ",");
  }
  if (first === undefined) return undefined;
  const quote = quoteAt(text, first.key.start);
  const previous = entries[index - 1];
  const start = beforeProperties(text, span.start);
  return insertLine(text, start, previous && entrySpan(previous), (indentation) => {
    const value = write({ flow: false, quote, indentation: () => indentation });
    return `${quoteString(name, quote, false)}:${/^[\r\n]/.test(value) ? "" : " "}${value}`;
  });
}

/** Inserts a line into a block, with the block's indentation: after a part or, without one, at the start. */
function insertLine(
  text: string,
  start: number | undefined,
  previous: Part,
  write: (indentation: string) => string,
): TextEdit | undefined {
  if (start === undefined) return undefined;
  const indentation = indentationAt(text, start);
  const line = write(indentation);
  if (previous === undefined) {
    return insertion(start, `${line}${lineEndAfter(text, start)}${indentation}`);
  }
  const at = lineStop(text, previous.end);
  return insertion(at, `${lineEndAfter(text, at)}${indentation}${line}`);
}

/** The offset before the anchors and tags of a value: in `- &a !!str x`, the offset of `&`. */
function beforeProperties(text: string, at: number): number {
  const line = lineStart(text, at);
  return line + text.slice(line, at).replace(/(?:[&!]\S*[ \t]+)+$/, "").length;
}

/** Inserts a part in brackets. @param comma the separator, unless the parts already have one */
function insertInBrackets(
  text: string,
  place: PlacedNode,
  index: number,
  written: string,
  comma: string,
): TextEdit {
  const { start, end } = place.span;
  const parts = partsOf(text, place);
  const [first] = parts;
  const [before, previous, next] = [parts[index - 2], parts[index - 1], parts[index]];
  if (first === undefined) {
    const inner = { start: start + 1, end: end - 1 };
    const isBlank = /^[ \t]*$/.test(text.slice(inner.start, inner.end));
    return isBlank ? { span: inner, text: written } : insertion(inner.start, written);
  }
  // If the first part is on a separate line, so is the new part.
  const lineBreak = /(?:\r\n|[\r\n])[ \t]*$/.exec(text.slice(start + 1, first.start))?.[0];
  const separator =
    commaBetween(text, previous ?? next, previous === undefined ? parts[1] : next) ??
    commaBetween(text, before, previous) ??
    (lineBreak === undefined ? comma : `,${lineBreak}`);
  return previous === undefined
    ? insertion(skipWhitespace(text, start + 1), `${written}${separator}`)
    : insertion(previous.end, `${separator}${written}`);
}

/** The text between the key and the value of an entry. Without quotes, YAML needs a space there. */
function colonOf(text: string, entry: PlacedEntry | undefined, quote: string): string {
  const between = entry === undefined ? "" : text.slice(entry.key.end, entry.value.span.start);
  const isUsable = quote === "" ? /^[ \t]*:[ \t]+$/ : /^[ \t]*:[ \t]*$/;
  return isUsable.test(between) ? between : ": ";
}

/** The text between two parts, if it is only a comma and whitespace. */
function commaBetween(text: string, part: Part, next: Part): string | undefined {
  if (part === undefined || next === undefined) return undefined;
  const between = text.slice(part.end, next.start);
  return /^\s*,\s*$/.test(between) ? between : undefined;
}

/** The edit that removes one of several parts; undefined if the layout does not allow it. */
export function removePart(text: string, place: PlacedNode, index: number): TextEdit | undefined {
  const parts = partsOf(text, place);
  const [previous, part, next] = [parts[index - 1], parts[index], parts[index + 1]];
  if (part === undefined) return undefined;
  return isInBrackets(text, place)
    ? removeInBrackets(text, part, previous, next)
    : removeLines(text, part, next);
}

/** Removes a part in brackets, and the comma that is no longer needed. */
function removeInBrackets(text: string, part: Span, previous: Part, next: Part): TextEdit {
  if (next !== undefined && !text.slice(part.end, next.start).includes("#")) {
    return { span: { start: part.start, end: next.start }, text: "" };
  }
  if (previous !== undefined && !text.slice(previous.end, part.start).includes("#")) {
    return { span: { start: previous.end, end: part.end }, text: "" };
  }
  // Comments stay, because they may be about other parts; YAML allows a comma before the closing bracket.
  const comma = /^[ \t]*,/.exec(text.slice(part.end))?.[0] ?? "";
  return { span: { start: part.start, end: part.end + comma.length }, text: "" };
}

/** Removes the lines of a part of a block. A dash before an object's first entry stays: it is the list's. */
function removeLines(text: string, part: Span, next: Part): TextEdit | undefined {
  const start = lineStart(text, part.start);
  const stop = lineStop(text, part.end);
  if (text.slice(start, part.start).trim() !== "") {
    if (next === undefined) return undefined;
    const isEmpty = /^[ \t]*(?:\r\n|[\r\n])\s*$/.test(text.slice(part.end, next.start));
    return { span: { start: part.start, end: isEmpty ? next.start : part.end }, text: "" };
  }
  const lineBreak = /^(?:\r\n|[\r\n])/.exec(text.slice(stop, stop + 2))?.[0] ?? "";
  if (lineBreak !== "") return { span: { start, end: stop + lineBreak.length }, text: "" };
  const before = /(?:\r\n|[\r\n])$/.exec(text.slice(0, start))?.[0] ?? "";
  return { span: { start: start - before.length, end: stop }, text: "" };
}
