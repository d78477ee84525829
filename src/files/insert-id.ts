/** Decides what to write where, so that an object gets an id in the layout that it has. */
import type { PlacedEntry, PlacedNode, Span } from "./position.ts";

/** A replacement of a span; an empty span means an insertion. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

/**
 * The edit that gives an id to the object at a position: as its first entry, or in the empty `id`
 * that it has. Undefined if nothing can be written there: it is not an object, or an alias of one.
 */
export function insertId(text: string, place: PlacedNode, id: string): TextEdit | undefined {
  const { span, entries, isAlias = false } = place;
  if (entries === undefined || isAlias) return undefined;
  const [first, second] = entries;
  const existing = entries.findLast(({ name }) => name === "id");
  if (existing !== undefined) return fillIn(text, existing, id);
  if (text[span.start] === "{") return insertInBraces(text, span.start + 1, id, first, second);
  return first === undefined ? undefined : insertLine(text, span.start, id, first);
}

function fillIn(text: string, { key, value }: PlacedEntry, id: string): TextEdit {
  const quote = quoteAt(text, key.start);
  const { start, end } = value.span;
  if (start >= key.end && end > start) {
    const own = quoteAt(text, start) || quote;
    return { span: value.span, text: `${own}${id}${own}` };
  }
  const written = `${quote}${id}${quote}`;
  const colon = skipWhitespace(text, key.end);
  if (text[colon] !== ":") return insertion(key.end, `: ${written}`);
  // After the space that may exist, unless a comment needs it.
  return /^[ \t](?!#)/.test(text.slice(colon + 1, colon + 3))
    ? insertion(colon + 2, written)
    : insertion(colon + 1, ` ${written}`);
}

/** Inserts the first line of a block, which is indented like the line that it precedes. */
function insertLine(text: string, at: number, id: string, first: PlacedEntry): TextEdit {
  const quote = quoteAt(text, first.key.start);
  const before = text.slice(0, at).replace(/(?:[&!]\S*[ \t]+)+$/, "");
  const start = Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1;
  // A dash may precede the first key.
  const indentation = before.slice(start).replace(/[^ \t]/g, " ");
  const line = `${quote}id${quote}: ${quote}${id}${quote}`;
  return insertion(before.length, `${line}${lineEndAfter(text, at)}${indentation}`);
}

/** Inserts the first entry in braces, separated from the next as that is from its next. */
function insertInBraces(
  text: string,
  opening: number,
  id: string,
  first: PlacedEntry | undefined,
  second: PlacedEntry | undefined,
): TextEdit {
  if (first === undefined) return insertion(opening, `"id": "${id}"`);
  const quote = quoteAt(text, first.key.start);
  const colon = colonOf(text, first, quote);
  const at = skipWhitespace(text, opening);
  const lineBreak = /(?:\r\n|[\r\n])[ \t]*$/.exec(text.slice(opening, at))?.[0];
  const comma = lineBreak === undefined ? commaOf(text, first, second) : `,${lineBreak}`;
  const separator = comma ?? (colon.endsWith(" ") ? ", " : ",");
  return insertion(at, `${quote}id${quote}${colon}${quote}${id}${quote}${separator}`);
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
  const between = text.slice(first.value.span.end, second.key.start);
  return /^\s*,\s*$/.test(between) ? between : undefined;
}

function quoteAt(text: string, at: number): string {
  return /["']/.exec(text[at] ?? "")?.[0] ?? "";
}

function insertion(at: number, text: string): TextEdit {
  return { span: { start: at, end: at }, text };
}

/** The line end after an offset; for the last line, the first one of the text. */
function lineEndAfter(text: string, at: number): string {
  const lineEnd = /\r\n|[\r\n]/g;
  lineEnd.lastIndex = at;
  return lineEnd.exec(text)?.[0] ?? lineEnd.exec(text)?.[0] ?? "\n";
}

/** The offset of what follows whitespace and comments. */
function skipWhitespace(text: string, from: number): number {
  let at = from;
  for (;;) {
    if (text[at] === "#") while (at < text.length && !/[\r\n]/.test(text[at] ?? "")) at++;
    else if (/\s/.test(text[at] ?? "")) at++;
    else return at;
  }
}
