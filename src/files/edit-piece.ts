/** Decides what to write where, so that a mapping gets an id in the layout that it has. */
import { isLineEnd, pastBlanks } from "./blanks.ts";
import type { PlacedNode, Span } from "./position.ts";

/** What stands in the span gives way to the text; an empty span means that nothing does. */
export interface Piece {
  readonly span: Span;
  readonly text: string;
}

/** An entry of a placed mapping. */
type Entry =
  NonNullable<PlacedNode["entries"]> extends ReadonlyMap<string, infer Value> ? Value : never;

/**
 * The change of a text that gives an id to the mapping at a place, as its first entry, or in the
 * place of the empty one that it has. Undefined where nothing can be written there: no mapping, or
 * an alias of one.
 */
export function idPiece(text: string, place: PlacedNode, id: string): Piece | undefined {
  const { span, entries } = place;
  if (entries === undefined) return undefined;
  const [first, second] = entries.values();
  // The parts of an alias stand where its anchor does.
  if (first !== undefined && first.key.start < span.start) return undefined;
  const held = entries.get("id");
  if (held !== undefined) return filled(text, held, id);
  if (text[span.start] === "{") return inBrackets(text, span.start + 1, id, first, second);
  return first === undefined ? undefined : onItsLine(text, span.start, id, first);
}

function filled(text: string, { key, value }: Entry, id: string): Piece {
  const mark = quotationMark(text, key.start);
  const { start, end } = value.span;
  if (start >= key.end && end > start) {
    const own = quotationMark(text, start) || mark;
    return { span: value.span, text: `${own}${id}${own}` };
  }
  const written = `${mark}${id}${mark}`;
  const colon = pastBlanks(text, key.end);
  if (text[colon] !== ":") return inserted(key.end, `: ${written}`);
  // Behind the blank that is there already, unless a comment needs it.
  const hasRoom = /[ \t](?!#)/y;
  hasRoom.lastIndex = colon + 1;
  return hasRoom.test(text) ? inserted(colon + 2, written) : inserted(colon + 1, ` ${written}`);
}

/** The first of a block mapping's lines, which are all as far in as the first one begins. */
function onItsLine(text: string, at: number, id: string, first: Entry): Piece {
  const mark = quotationMark(text, first.key.start);
  let start = at;
  while (start > 0 && !isLineEnd(text[start - 1])) start--;
  // Before it may stand what begins a list item.
  const indentation = text.slice(start, at).replace(/[^ \t]/g, " ");
  const line = `${mark}id${mark}: ${mark}${id}${mark}`;
  return inserted(at, `${line}${lineEndAfter(text, at)}${indentation}`);
}

/** The first entry of what stands in brackets, set apart from the next as that is from its next. */
function inBrackets(
  text: string,
  opening: number,
  id: string,
  first: Entry | undefined,
  second: Entry | undefined,
): Piece {
  if (first === undefined) return inserted(opening, `"id": "${id}"`);
  const mark = quotationMark(text, first.key.start);
  const colon = colonOf(text, first, mark);
  const at = pastBlanks(text, opening);
  const lineBreak = /(?:\r\n|[\r\n])[ \t]*$/.exec(text.slice(opening, at))?.[0];
  const comma = lineBreak === undefined ? commaOf(text, first, second) : `,${lineBreak}`;
  const pause = colon.endsWith(" ") ? ", " : ",";
  return inserted(at, `${mark}id${mark}${colon}${mark}${id}${mark}${comma ?? pause}`);
}

/** What stands between the key and the value of an entry; only marks make blanks needless. */
function colonOf(text: string, { key, value }: Entry, mark: string): string {
  const between = text.slice(key.end, value.span.start);
  const isUsable = mark === "" ? /^[ \t]*:[ \t]+$/ : /^[ \t]*:[ \t]*$/;
  return isUsable.test(between) ? between : ": ";
}

/** What stands between an entry and the next, if it is no more than a comma and blanks. */
function commaOf(text: string, first: Entry, second: Entry | undefined): string | undefined {
  if (second === undefined) return undefined;
  const between = text.slice(first.value.span.end, second.key.start);
  return /^\s*,\s*$/.test(between) ? between : undefined;
}

function quotationMark(text: string, at: number): string {
  return /["']/.exec(text[at] ?? "")?.[0] ?? "";
}

function inserted(at: number, text: string): Piece {
  return { span: { start: at, end: at }, text };
}

/** How the line ends on which an offset is; for the last line, how the first one does. */
function lineEndAfter(text: string, at: number): string {
  const lineEnd = /\r\n|[\r\n]/g;
  lineEnd.lastIndex = at;
  return lineEnd.exec(text)?.[0] ?? lineEnd.exec(text)?.[0] ?? "\n";
}
