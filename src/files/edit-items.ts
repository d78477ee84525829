/** Decides where an item of a list is inserted or removed, in any layout. */
import {
  fillBrackets,
  isInBrackets,
  removeInBrackets,
  removeLines,
  type WriteValue,
} from "./edit-entries.ts";
import type { PlacedNode, Span } from "./position.ts";
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

/**
 * The edit that adds an item to a list, if the layout has a place; else the list is written again.
 */
export function insertItem(
  text: string,
  place: PlacedNode,
  index: number,
  write: WriteValue,
): TextEdit | undefined {
  const { span, items = [] } = place;
  const [first] = items;
  const previous = items[index - 1];
  const quote = first === undefined ? "" : quoteAt(text, first.span.start);
  if (isInBrackets(text, place)) {
    const indentation = (): string => lineIndentation(text, first?.span.start ?? span.start);
    const written = write({ flow: true, quote, indentation });
    if (first === undefined) return fillBrackets(text, span, written);
    const separator = separatorIn(text, place);
    return previous === undefined
      ? insertion(skipWhitespace(text, span.start + 1), `${written}${separator}`)
      : insertion(previous.span.end, `${separator}${written}`);
  }
  const dash = dashOf(text, previous ?? first);
  if (dash === undefined) return undefined;
  const indentation = indentationAt(text, dash);
  const written = write({ flow: false, quote, indentation: () => indentation });
  const line = `- ${written.trimStart()}`;
  if (previous === undefined) {
    return insertion(dash, `${line}${lineEndAfter(text, dash)}${indentation}`);
  }
  const at = lineStop(text, previous.span.end);
  return insertion(at, `${lineEndAfter(text, at)}${indentation}${line}`);
}

/** What separates the items of a list in brackets. */
function separatorIn(text: string, { span, items: [first, second] = [] }: PlacedNode): string {
  if (first !== undefined && second !== undefined) {
    const between = text.slice(first.span.end, second.span.start);
    if (/^\s*,\s*$/.test(between)) return between;
  }
  const lead = text.slice(span.start + 1, first?.span.start ?? span.start + 1);
  return /^\s*[\r\n]\s*$/.test(lead) ? `,${lead}` : ", ";
}

/** The edit that removes an item, which is not the only one. Undefined if that is not possible. */
export function removeItem(text: string, place: PlacedNode, index: number): TextEdit | undefined {
  const { items = [] } = place;
  if (isInBrackets(text, place)) {
    const spans = items.map(({ span }) => span);
    return removeInBrackets(text, spans, index);
  }
  const spans: Span[] = [];
  for (const item of items) {
    const dash = dashOf(text, item);
    if (dash === undefined) return undefined;
    spans.push({ start: dash, end: Math.max(dash + 1, item.span.end) });
  }
  return removeLines(text, spans, index);
}

/** The dash before an item, if it is on the same line. */
function dashOf(text: string, item: PlacedNode | undefined): number | undefined {
  if (item === undefined) return undefined;
  const { start, end } = item.span;
  // An item that is not written has the position of its dash.
  if (item.items === undefined && text.slice(start, end) === "-") return start;
  const lead = /-[ \t]+(?:[&!]\S*[ \t]+)*$/.exec(text.slice(lineStart(text, start), start));
  return lead === null ? undefined : start - lead[0].length;
}
