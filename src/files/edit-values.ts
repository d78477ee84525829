/** Finds the edits that turn one course into another in its text: for a new audio language, only `, de` is inserted. */
import { isDeepStrictEqual } from "node:util";
import { safeJson } from "../base/text.ts";
import { isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { yamlText } from "../base/yaml-text.ts";
import { shapeAt } from "../course/fields.ts";
import { alignLists } from "./align-lists.ts";
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

/**
 * How much of a field is written again: only the parts that differ; the same, and values instead of aliases; all of it,
 * where the layout allows no smaller edit; or all of it on one line, where comments below would become its text.
 */
export type Extent = "parts" | "aliases" | "field" | "line";

/** Edits the courses of one text. */
export interface Editor {
  readonly text: string;
  readonly isJson: boolean;
  readonly lineBreak: string;
  readonly extent: Extent;
}

/** Where a value is: after a key, or after the dash or comma of a list. */
interface Target {
  readonly place: PlacedNode;
  readonly key?: Span;
  readonly isInBrackets: boolean;
  readonly path: Path;
}

/** The edits that turn one object into another. The layout may not allow them: the result must be read back. */
export function objectEdits(
  editor: Editor,
  place: PlacedNode,
  old: PlainObject,
  desired: PlainObject,
  path: Path = [],
): TextEdit[] {
  const { text, extent } = editor;
  const { entries = [] } = place;
  const isInBrackets = hasBrackets(text, place);
  const added = Object.keys(desired).filter((name) => !Object.hasOwn(old, name));
  const edits = entries.flatMap(({ name, key, value }, index): TextEdit[] => {
    if (Object.hasOwn(desired, name)) {
      const target = { place: value, key, isInBrackets, path: [...path, name] };
      return valueEdits(editor, target, old[name], desired[name]);
    }
    // If a removed key and an added key have the same value, the key was renamed.
    const renamed = added.findIndex((other) => isDeepStrictEqual(desired[other], old[name]));
    if (renamed === -1) return removePart(text, place, index);
    const [other = ""] = added.splice(renamed, 1);
    const isPlain = !editor.isJson && /^[A-Za-z_][\w-]*$/.test(other);
    return [{ span: key, text: isPlain ? other : safeJson(other) }];
  });
  const isFirst = extent === "field" || extent === "line";
  return edits.concat(
    added.flatMap((name) => {
      // After a failure, an entry is inserted at the start of the object, which most layouts allow.
      const index = isFirst ? 0 : insertionIndex(entries, name, path);
      return insertPart(editor, place, index, { [name]: desired[name] });
    }),
  );
}

function valueEdits(editor: Editor, target: Target, old: unknown, desired: unknown): TextEdit[] {
  if (isDeepStrictEqual(old, desired)) return [];
  const { place, path } = target;
  const { extent } = editor;
  if (place.isAlias === true) {
    // The value with the anchor is changed first: the alias may then have the desired value.
    return extent === "parts" ? [] : replace(editor, target, desired);
  }
  if (extent === "parts" || extent === "aliases") {
    const isWrapped = isObject(old) && isDeepStrictEqual([old], desired);
    if (isWrapped && place.entries?.length) return wrapInList(editor.text, place);
    const isChange = (name: string): boolean => isObject(desired) && Object.hasOwn(desired, name);
    if (isObject(old) && isObject(desired) && place.entries?.some(({ name }) => isChange(name)))
      return objectEdits(editor, place, old, desired, path);
    if (isList(old) && isList(desired) && place.items?.length && desired.length > 0)
      return listEdits(editor, place, old, desired, path);
  }
  return replace(editor, target, desired);
}

function listEdits(
  editor: Editor,
  place: PlacedNode,
  old: readonly unknown[],
  desired: readonly unknown[],
  path: Path,
): TextEdit[] {
  const isInBrackets = hasBrackets(editor.text, place);
  let index = 0;
  return alignLists(old, desired).flatMap(({ from, to }): TextEdit[] => {
    if (from === undefined) return insertPart(editor, place, index, [desired[to ?? 0]]);
    index = from + 1;
    if (to === undefined) return removePart(editor.text, place, from);
    const item = place.items?.[from];
    if (item === undefined) return [];
    const target = { place: item, isInBrackets, path: [...path, from] };
    return valueEdits(editor, target, old[from], desired[to]);
  });
}

/** Makes an object, as it is written, the only item of a list: numbers keep their digits. */
function wrapInList(text: string, place: PlacedNode): TextEdit[] {
  const { start, end } = place.span;
  if (hasBrackets(text, place)) return [insertion(start, "["), insertion(end, "]")];
  const lines = text.slice(start, end).matchAll(/(?<=\r\n|\n|\r(?!\n))[^\r\n]/g);
  const indented = Array.from(lines, ({ index }) => insertion(start + index, "  "));
  return [insertion(start, "- "), ...indented];
}

/** The edits that add items to the end of a list. */
export function appendItems(editor: Editor, list: PlacedNode, items: readonly unknown[]) {
  const { length = 0 } = list.items ?? [];
  if (length === 0) return replace(editor, { place: list, isInBrackets: true, path: [] }, items);
  return items.flatMap((item) => insertPart(editor, list, length, [item]));
}

/** Whether a list or an object is written in brackets, as JSON always is. */
function hasBrackets(text: string, { span }: PlacedNode): boolean {
  return "[{".includes(text[span.start] ?? " ");
}

/** The index at which a new key is in the documented order, and other keys are last. */
function insertionIndex(entries: readonly PlacedEntry[], name: string, path: Path): number {
  const shape = shapeAt(path);
  const order = shape?.kind === "object" ? shape.keys.map((key) => key.name) : [];
  const rank = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  return entries.findLastIndex((entry) => rank(entry.name) <= rank(name)) + 1;
}

/** The span of an entry with its key, or of an item of a block with its dash. */
function partAt(text: string, place: PlacedNode, index: number): Span | undefined {
  const entry = place.entries?.[index];
  const span =
    entry === undefined
      ? place.items?.[index]?.span
      : { start: entry.key.start, end: Math.max(entry.key.end, entry.value.span.end) };
  if (span === undefined || hasBrackets(text, place)) return span;
  const before = text.slice(lineStart(text, span.start), span.start);
  // With the dash of an item, or the question mark of a key, and with anchors and tags.
  const lead =
    entry === undefined ? /-[ \t]+(?:[&!]\S*[ \t]+)*$/ : /(?:\?[ \t]+)?(?:[&!]\S*[ \t]+)*$/;
  return { start: span.start - (lead.exec(before)?.[0].length ?? 0), end: span.end };
}

/** A list with one new item, or an object with one new entry. */
type NewPart = readonly [unknown] | PlainObject;

/** Inserts an entry or an item before the part at an index of a list or an object that has parts. */
function insertPart(editor: Editor, place: PlacedNode, index: number, part: NewPart): TextEdit[] {
  const { text, lineBreak } = editor;
  const first = partAt(text, place, 0);
  const previous = partAt(text, place, index - 1);
  if (first === undefined) return [];
  if (hasBrackets(text, place)) {
    const before = text.slice(place.span.start + 1, first.start);
    const gap = /(?:\r\n|[\r\n])[ \t]*$/.exec(before)?.[0] ?? " ";
    const unit = gap === " " ? 0 : gap.endsWith("\t") ? "\t" : 2;
    const indentation = gap.replace(/[\r\n]/g, "");
    const written = inBrackets(editor, part, { mark: text[first.start], indentation, unit });
    return previous === undefined
      ? [insertion(first.start, `${written},${gap}`)]
      : [insertion(previous.end, `,${gap}${written}`)];
  }
  const indentation = indentationAt(text, first.start);
  const mark = text[first.start];
  const layout = editor.extent === "line" ? "line" : "block";
  const written = yamlText(part, { layout, mark }).replace(/\n$/, "");
  const lines = indent(written, indentation, lineBreak);
  return previous === undefined
    ? [insertion(first.start, lines + lineBreak + indentation)]
    : [insertion(lineStop(text, previous.end), lineBreak + indentation + lines)];
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

/** Writes a complete value again. */
function replace(editor: Editor, target: Target, desired: unknown): TextEdit[] {
  const { place, key } = target;
  const { text, extent, lineBreak } = editor;
  const { start } = place.span;
  const colon = skipWhitespace(text, key?.end ?? start);
  // The place of a value that is not written is its key.
  const isMissing = key !== undefined && start < key.end;
  const old = isMissing ? "" : text.slice(start, place.span.end);
  const mark = /^["'|>]/.exec(old)?.[0] ?? text[key?.start ?? -1];
  if (target.isInBrackets) {
    const unit = /[\r\n]\t/.test(old) ? "\t" : /[\r\n]/.test(old) ? 2 : 0;
    const indentation = unit === 0 ? "" : indentationAt(text, start, /^[ \t]*/);
    const written = inBrackets(editor, [desired], { mark, indentation, unit });
    if (!isMissing) return [{ span: place.span, text: written }];
    return text[colon] === ":"
      ? [insertion(colon + 1, ` ${written}`)]
      : [insertion(key.end, `: ${written}`)];
  }
  const isFlow = hasBrackets(text, place);
  const isBlock = (place.entries ?? place.items) !== undefined && !isFlow && !place.isAlias;
  // A comment at the end of a block is a part of the block; one after another value stays on its line.
  const end = isMissing ? colon + 1 : isBlock ? lineStop(text, place.span.end) : place.span.end;
  const isCommented = !/^[|>]/.test(old) && text.slice(end, lineStop(text, end)).trim() !== "";
  const isOnLine = extent === "line" || isCommented || (isFlow && typeof desired === "object");
  const style = { layout: isOnLine ? "line" : "block", mark } as const;
  const part = yamlText(key === undefined ? [desired] : { k: desired }, style).replace(/\n$/, "");
  const column = indentationAt(text, key?.start ?? start);
  if (key === undefined) {
    const lines = indent(part, column.slice("- ".length), lineBreak).slice("- ".length);
    return [{ span: { start, end }, text: lines }];
  }
  const lines = indent(part, column, lineBreak).slice("k:".length);
  if (isMissing) return [insertion(end, lines)];
  const between = text.slice(colon + 1, start);
  // A block begins below the comments after the key.
  if (/^[\r\n]/.test(lines))
    return [{ span: { start: colon + 1 + between.trimEnd().length, end }, text: lines }];
  const isBelow = /[\r\n]/.test(between);
  const comment =
    /^[|>][-+\d]*([ \t]+#[^\r\n]*)/.exec(old)?.[1] ??
    (isBelow ? /^[ \t]+#[^\r\n]*/.exec(between)?.[0] : undefined);
  const commented = lines.replace(/$|(?=[\r\n])/, comment ?? "");
  return isBelow
    ? [{ span: { start: colon + 1, end }, text: commented }]
    : [{ span: { start, end }, text: commented.trimStart() }];
}

interface BracketStyle {
  readonly mark: string | undefined;
  /** Of JSON: the indentation of the line, and of the lines below; 0 for one line. */
  readonly indentation: string;
  readonly unit: string | number;
}

/** The text of an item or an entry in brackets. */
function inBrackets(
  { isJson, lineBreak }: Editor,
  part: NewPart,
  { mark, indentation, unit }: BracketStyle,
): string {
  if (!isJson) return yamlText(part, { layout: "brackets", mark }).slice("[".length, -"]\n".length);
  const [[name, value] = []] = Object.entries(part);
  const key = isList(part) ? "" : `${safeJson(name)}: `;
  return key + indent(safeJson(value, unit), indentation, lineBreak);
}

/** The blanks before what begins at an offset: all of its line, or what a pattern finds there. */
function indentationAt(text: string, at: number, pattern = /^.*$/s): string {
  const before = pattern.exec(text.slice(lineStart(text, at), at))?.[0] ?? "";
  return before.replace(/[^\t]/g, " ");
}

function indent(lines: string, indentation: string, lineBreak: string): string {
  return lines.replace(/\n(?!\n|$)/g, `\n${indentation}`).replaceAll("\n", lineBreak);
}
