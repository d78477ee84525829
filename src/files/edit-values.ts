/** Finds the edits that turn one course into another in its text: for a new audio language, only `, de` is inserted. */
import { isDeepStrictEqual } from "node:util";
import { isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { shapeAt } from "../course/fields.ts";
import type { FileFormat } from "./parse.ts";
import {
  insertion,
  lineStart,
  lineStop,
  type PlacedEntry,
  type PlacedNode,
  type Span,
  skipWhitespace,
  type TextEdit,
} from "./position.ts";
import { type Slot, writeKey, writeValue } from "./value-text.ts";

/** An item of the first list, of the second, or one of each. */
interface Pair {
  readonly from?: number;
  readonly to?: number;
}

/** How far ahead an equal item is looked for. */
const FARTHEST = 100;

/** Pairs items in order: `[a, b]` and `[a, c, d]` give `a` with `a`, `b` with `c`, and `d` alone. */
function alignLists(one: readonly unknown[], other: readonly unknown[]): Pair[] {
  const pairs: Pair[] = [];
  let [from, to] = [0, 0];
  while (from < one.length && to < other.length) {
    const [item, wanted] = [one[from], other[to]];
    const longer = one.length - from - (other.length - to);
    const isChange = isDeepStrictEqual(item, wanted) || areAlike(item, wanted);
    if (isAhead(one, from, wanted, longer > 0 && !isChange)) pairs.push({ from: from++ });
    else if (isAhead(other, to, item, longer < 0 && !isChange)) pairs.push({ to: to++ });
    else pairs.push({ from: from++, to: to++ });
  }
  while (from < one.length) pairs.push({ from: from++ });
  while (to < other.length) pairs.push({ to: to++ });
  return pairs;
}

/** Whether a list has an item again after an index, or an item that is like it. */
function isAhead(
  list: readonly unknown[],
  index: number,
  item: unknown,
  orAlike: boolean,
): boolean {
  if (isDeepStrictEqual(list[index], item)) return false;
  return list
    .slice(index + 1, index + FARTHEST)
    .some((other) => isDeepStrictEqual(item, other) || (orAlike && areAlike(item, other)));
}

/** Whether an object may be a change of another: they share an entry. */
function areAlike(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return false;
  return Object.keys(one).some((name) => isDeepStrictEqual(one[name], other[name]));
}

/**
 * How much of a field is written again: only the parts that differ; the same, and values instead of aliases; all of it,
 * where the layout allows no smaller edit; or all of it on one line, where comments below would become its text.
 */
export type Extent = "parts" | "aliases" | "field" | "line";

interface Values {
  readonly old: PlainObject;
  readonly desired: PlainObject;
}

/** Edits one text. */
export interface Editor {
  readonly text: string;
  readonly format: FileFormat;
  readonly lineBreak: string;
  /** How much of the field with a name may be written again; undefined if the field must stay. */
  readonly extentOf: (field: string) => Extent | undefined;
}

/** The edits that turn one course into another. The layout may not allow them: the result must be read back. */
export function courseEdits(editor: Editor, place: PlacedNode, values: Values): TextEdit[] {
  return changeObject(editor, place, values, []);
}

/** Where a value is: after a key, or after the dash or comma of a list. */
interface Target {
  readonly place: PlacedNode;
  readonly key?: Span;
  readonly isInBrackets: boolean;
  readonly path: Path;
}

function change(editor: Editor, target: Target, old: unknown, desired: unknown): TextEdit[] {
  if (isDeepStrictEqual(old, desired)) return [];
  const { place, path } = target;
  const extent = editor.extentOf(String(path[0]));
  if (extent === undefined) return [];
  if (place.isAlias === true) {
    // The value with the anchor is changed first: the alias may then have the desired value.
    return extent === "parts" ? [] : [replace(editor, target, desired)];
  }
  if (extent === "parts" || extent === "aliases") {
    const isWrapped = isObject(old) && isDeepStrictEqual([old], desired);
    if (isWrapped && place.entries?.length) return wrapInList(editor.text, place);
    if (
      isObject(old) &&
      isObject(desired) &&
      place.entries?.some(({ name }) => hasValue(desired, name))
    ) {
      return changeObject(editor, place, { old, desired }, path);
    }
    if (isList(old) && isList(desired) && place.items?.length && desired.length > 0) {
      return changeList(editor, place, { old, desired }, path);
    }
  }
  return [replace(editor, target, desired)];
}

/** Makes an object, as it is written, the only item of a list: numbers keep their digits. */
function wrapInList(text: string, place: PlacedNode): TextEdit[] {
  const { start, end } = place.span;
  if (hasBrackets(text, place)) return [insertion(start, "["), insertion(end, "]")];
  const lines = text.slice(start, end).matchAll(/(?<=\r\n|\n|\r(?!\n))[^\r\n]/g);
  return [
    insertion(start, "- "),
    ...Array.from(lines, ({ index }) => insertion(start + index, "  ")),
  ];
}

function changeObject(
  editor: Editor,
  place: PlacedNode,
  { old, desired }: Values,
  path: Path,
): TextEdit[] {
  const { entries = [] } = place;
  const isInBrackets = hasBrackets(editor.text, place);
  const isOpen = (name: string): boolean => editor.extentOf(String(path[0] ?? name)) !== undefined;
  const added = Object.keys(desired).filter(
    (name) => hasValue(desired, name) && !Object.hasOwn(old, name) && isOpen(name),
  );
  const edits = entries.flatMap(({ name, key, value }, index): TextEdit[] => {
    if (hasValue(desired, name)) {
      const target = { place: value, key, isInBrackets, path: [...path, name] };
      return change(editor, target, old[name], desired[name]);
    }
    if (!isOpen(name)) return [];
    // If a removed key and an added key have the same value, the key was renamed.
    const renamed = added.findIndex((other) => isDeepStrictEqual(desired[other], old[name]));
    const [other] = renamed === -1 ? [] : added.splice(renamed, 1);
    if (other === undefined) return removePart(editor.text, place, index);
    return [{ span: key, text: writeKey(other, editor.text[key.start], isInBrackets) }];
  });
  for (const name of added) {
    // After a failure, an entry is inserted at the start of the object, which most layouts allow.
    const isFirst = editor.extentOf(String(path[0] ?? name)) === "field";
    const index = isFirst ? 0 : insertionIndex(entries, name, path);
    const lead = writeKey(name, editor.text[entries[0]?.key.start ?? -1], isInBrackets);
    edits.push(
      ...insertPart(editor, place, index, { value: desired[name], path: [...path, name], lead }),
    );
  }
  return edits;
}

function changeList(
  editor: Editor,
  place: PlacedNode,
  { old, desired }: { readonly old: readonly unknown[]; readonly desired: readonly unknown[] },
  path: Path,
): TextEdit[] {
  const isInBrackets = hasBrackets(editor.text, place);
  let index = 0;
  return alignLists(old, desired).flatMap(({ from, to }): TextEdit[] => {
    if (from === undefined)
      return insertPart(editor, place, index, { value: desired[to ?? 0], path });
    index = from + 1;
    if (to === undefined) return removePart(editor.text, place, from);
    const item = place.items?.[from];
    if (item === undefined) return [];
    const target = { place: item, isInBrackets, path: [...path, from] };
    return change(editor, target, old[from], desired[to]);
  });
}

function hasValue(object: PlainObject, name: string): boolean {
  return Object.hasOwn(object, name) && object[name] !== undefined;
}

/** Whether a list or an object is written in brackets, as JSON always is. */
function hasBrackets(text: string, { span }: PlacedNode): boolean {
  return "[{".includes(text[span.start] ?? " ");
}

/** The index at which a new key is in the documented order. */
function insertionIndex(entries: readonly PlacedEntry[], name: string, path: Path): number {
  const shape = shapeAt(path);
  const order = shape?.kind === "object" ? shape.keys.map((key) => key.name) : [];
  const at = order.indexOf(name);
  if (at === -1) return entries.length;
  return (
    entries.findLastIndex((entry) => order.indexOf(entry.name) < at && order.includes(entry.name)) +
    1
  );
}

/** The span of an entry with its key, or of an item of a block with its dash. */
function partAt(text: string, place: PlacedNode, index: number): Span | undefined {
  const item = place.items?.[index];
  const entry = place.entries?.[index];
  const span =
    item?.span ??
    (entry && { start: entry.key.start, end: Math.max(entry.key.end, entry.value.span.end) });
  if (span === undefined || hasBrackets(text, place)) return span;
  const line = text.slice(lineStart(text, span.start), span.start);
  // With the dash of an item, the question mark of a key, anchors and tags; a dash without a value is the item.
  const lead =
    item === undefined ? /(?:\?[ \t]+)?(?:[&!]\S*[ \t]+)*$/ : /-[ \t]+(?:[&!]\S*[ \t]+)*$/;
  return { start: span.start - (lead.exec(line)?.[0].length ?? 0), end: span.end };
}

/** A new item of a list, or a new entry with its key. */
interface NewPart {
  readonly value: unknown;
  readonly path: Path;
  readonly lead?: string;
}

/** Inserts an entry or an item before the part at an index. */
function insertPart(
  editor: Editor,
  place: PlacedNode,
  index: number,
  { value, path, lead }: NewPart,
): TextEdit[] {
  const { text, lineBreak } = editor;
  const first = partAt(text, place, 0);
  const previous = partAt(text, place, index - 1);
  const sample = text[first?.start ?? -1];
  if (hasBrackets(text, place)) {
    const slot = slotAt(editor, place, true, sample);
    const colon = place.entries?.[0];
    const between = colon === undefined ? "" : text.slice(colon.key.end, colon.value.span.start);
    const isUsable = (sample === '"' ? /^\s*:[ \t]*$/ : /^[ \t]*:[ \t]+$/).test(between);
    const written =
      (lead === undefined ? "" : lead + (isUsable ? between : ": ")) + writeValue(value, slot);
    if (first === undefined)
      return [{ span: { start: place.span.start + 1, end: place.span.end - 1 }, text: written }];
    const comma = commaOf(text, place, lineBreak) ?? (/:$/.test(between) ? "," : ", ");
    return previous === undefined
      ? [insertion(skipWhitespace(text, place.span.start + 1), written + comma)]
      : [insertion(previous.end, comma + written)];
  }
  if (first === undefined) return [];
  const indentation = text.slice(lineStart(text, first.start), first.start).replace(/\S/g, " ");
  const slot = slotAt(editor, place, isOneLine(editor, path), sample, indentation);
  const written = writeValue(value, { ...slot, isItem: lead === undefined });
  const gap = /^[\r\n]/.test(written) ? "" : " ";
  const line = `${lead === undefined ? "-" : `${lead}:`}${gap}${written}`;
  return previous === undefined
    ? [insertion(first.start, line + lineBreak + indentation)]
    : [insertion(lineStop(text, previous.end), lineBreak + indentation + line)];
}

/** The text between the first two parts in brackets; or a line break, if the first part follows one. */
function commaOf(text: string, place: PlacedNode, lineBreak: string): string | undefined {
  const [first, second] = [partAt(text, place, 0), partAt(text, place, 1)];
  const between = first && second ? text.slice(first.end, second.start) : "";
  if (/^\s*,\s*$/.test(between)) return between;
  const indentation = /[\r\n]([ \t]*)$/.exec(text.slice(place.span.start + 1, first?.start))?.[1];
  return indentation === undefined ? undefined : `,${lineBreak}${indentation}`;
}

function removePart(text: string, place: PlacedNode, index: number): TextEdit[] {
  const [previous, part, next] = [index - 1, index, index + 1].map((at) => partAt(text, place, at));
  if (part === undefined) return [];
  const remove = (start: number, end: number): TextEdit[] => [{ span: { start, end }, text: "" }];
  if (hasBrackets(text, place)) {
    // Comments stay, because they may be about other parts; YAML allows a comma before the closing bracket.
    if (next !== undefined && !text.slice(part.end, next.start).includes("#"))
      return remove(part.start, next.start);
    if (previous !== undefined && !text.slice(previous.end, part.start).includes("#"))
      return remove(previous.end, part.end);
    return remove(part.start, part.end + (/^[ \t]*,/.exec(text.slice(part.end))?.[0].length ?? 0));
  }
  const start = lineStart(text, part.start);
  // The dash before the first entry of an object belongs to a list.
  if (text.slice(start, part.start).trim() !== "") {
    const isNext = next !== undefined && text.slice(part.end, next.start).trim() === "";
    return remove(part.start, isNext ? next.start : part.end);
  }
  const stop = lineStop(text, part.end);
  const end = stop + (text.startsWith("\r\n", stop) ? 2 : 1);
  return end > text.length ? remove(Math.max(0, start - 1), text.length) : remove(start, end);
}

function isOneLine({ extentOf }: Editor, path: Path): boolean {
  return extentOf(String(path[0])) === "line";
}

/** The style of a place. @param quote the first character of the old value, or of the key */
function slotAt(
  { text, format, lineBreak }: Editor,
  { span, entries, items }: PlacedNode,
  isInBrackets: boolean,
  quote = "",
  indentation?: string,
): Slot {
  const isMultiline = /[\r\n]/.test(text.slice(span.start, span.end));
  const at = entries?.[0]?.key.start ?? items?.[0]?.span.start ?? span.start;
  // The start of a line is searched only where it is needed: a line may have megabytes.
  const line = isMultiline ? /^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] : "";
  return {
    format,
    lineBreak,
    isInBrackets,
    quote: /["']/.test(quote) ? quote : "",
    indentation: indentation ?? line ?? "",
    isMultiline,
  };
}

/** Writes a complete value again. */
function replace(editor: Editor, target: Target, desired: unknown): TextEdit {
  const { place, key } = target;
  const isInBrackets = target.isInBrackets || isOneLine(editor, target.path);
  const { text } = editor;
  const { start } = place.span;
  const isFlow = isInBrackets || hasBrackets(text, place);
  const isBlock = !isFlow && !place.isAlias && (place.entries ?? place.items) !== undefined;
  // A comment at the end of a block is a part of the block; one after another value stays on its line.
  const end = isBlock ? lineStop(text, place.span.end) : place.span.end;
  const old = text.slice(start, end);
  const isCommented =
    !isInBrackets && !/^[|>]/.test(old) && text.slice(end, lineStop(text, end)).trim() !== "";
  const isCollection = typeof desired === "object" && desired !== null;
  const from = key?.start ?? start;
  const lead = isFlow ? "" : text.slice(lineStart(text, from), from).replace(/\S/g, " ");
  const indentation = lead.slice(key === undefined ? "- ".length : 0);
  const quote = /["'|>]/.test(old[0] ?? "") ? old[0] : text[key?.start ?? -1];
  const isOnLine = isInBrackets || isCommented || (isFlow && isCollection);
  const style = slotAt(editor, place, isOnLine, quote, isFlow ? undefined : indentation);
  const slot = { ...style, isItem: key === undefined, old };
  const written = writeValue(desired, slot);
  if (key === undefined) return { span: { start, end }, text: written.trimStart() };
  const colon = skipWhitespace(text, key.end);
  if (text[colon] !== ":") return insertion(key.end, `: ${written}`);
  const gap = /^[\r\n]/.test(written) ? "" : " ";
  if (start < key.end) {
    // After a space that exists already, unless a comment needs the space.
    const isSpaced = gap !== "" && /^[ \t](?!#)/.test(text.slice(colon + 1, colon + 3));
    return isSpaced ? insertion(colon + 2, written) : insertion(colon + 1, gap + written);
  }
  // Comments after the key stay. Without one, a value on the line below begins on the line of the key.
  const between = text.slice(colon + 1, start);
  if (gap === "")
    return { span: { start: colon + 1 + between.trimEnd().length, end }, text: written };
  const isMoved = isBlock || /^\s*[\r\n]\s*$/.test(between);
  if (!isMoved) return { span: { start, end }, text: written };
  const comment = /^[^\r\n]*/.exec(between)?.[0].trimEnd() ?? "";
  return { span: { start: colon + 1, end }, text: gap + written.replace(/$|(?=[\r\n])/, comment) };
}
