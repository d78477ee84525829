/** Finds the edits that turn one course into another in its text: for a new audio language, only `, de` is inserted. */
import { isDeepStrictEqual } from "node:util";
import { safeJson } from "../base/text.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { yamlText } from "../base/yaml-text.ts";
import { commonEnds } from "../course/difference.ts";
import { FIELD_NAMES } from "../course/fields.ts";
import {
  insertion,
  lineStart,
  lineStop,
  type PlacedNode,
  type Span,
  skipWhitespace,
  type TextEdit,
} from "./position.ts";

/** Edits the courses of one text. */
export interface Editor {
  readonly text: string;
  readonly isJson: boolean;
  readonly lineBreak: string;
  /** Whether a field is written again completely and on one line, which most layouts allow. */
  readonly isWhole: boolean;
}

/** Where a value is: after a key, or after the dash or comma of a list. */
interface Target {
  readonly place: PlacedNode;
  readonly key?: Span;
  readonly isInBrackets: boolean;
}

/** The edits that give one entry of an object its desired value. The layout may not allow them: the result must be read back. */
export function entryEdits(
  editor: Editor,
  place: PlacedNode,
  name: string,
  old: PlainObject,
  desired: PlainObject,
): TextEdit[] {
  const entries = place.entries ?? [];
  const index = entries.findLastIndex((entry) => entry.name === name);
  const entry = entries[index];
  if (!Object.hasOwn(desired, name)) return removePart(editor.text, place, index);
  if (entry === undefined) {
    const after = entries.findLastIndex((other) => rankOf(other.name) <= rankOf(name));
    return insertPart(editor, place, after + 1, { [name]: desired[name] });
  }
  const isInBrackets = hasBrackets(editor.text, place);
  const target = { place: entry.value, key: entry.key, isInBrackets };
  return valueEdits(editor, target, old[name], desired[name]);
}

/** Fields have the documented order; other keys follow. */
function rankOf(name: string): number {
  const rank = FIELD_NAMES.indexOf(name);
  return rank === -1 ? FIELD_NAMES.length : rank;
}

function valueEdits(editor: Editor, target: Target, old: unknown, desired: unknown): TextEdit[] {
  if (isDeepStrictEqual(old, desired)) return [];
  const { place } = target;
  if (!editor.isWhole && place.isAlias !== true) {
    if (isObject(old) && isDeepStrictEqual([old], desired) && place.entries?.length)
      return wrapInList(editor.text, place);
    if (
      isObject(old) &&
      isObject(desired) &&
      Object.keys(desired).some((name) => Object.hasOwn(old, name))
    )
      return Object.keys({ ...old, ...desired }).flatMap((name) =>
        entryEdits(editor, place, name, old, desired),
      );
    if (isList(old) && isList(desired) && old.length > 0 && desired.length > 0)
      return listEdits(editor, place, old, desired);
  }
  return replace(editor, target, desired);
}

/** Skips equal items at both ends, and edits the items in the middle position by position. */
function listEdits(
  editor: Editor,
  place: PlacedNode,
  old: readonly unknown[],
  desired: readonly unknown[],
): TextEdit[] {
  const isInBrackets = hasBrackets(editor.text, place);
  const { start, end } = commonEnds(old, desired, isDeepStrictEqual);
  const [stop, last] = [old.length - end, desired.length - end];
  const edits: TextEdit[] = [];
  for (let at = start; at < Math.max(stop, last); at++) {
    const item = place.items?.[at];
    if (at >= stop) edits.push(...insertPart(editor, place, stop, [desired[at]]));
    else if (at >= last) edits.push(...removePart(editor.text, place, at));
    else if (item)
      edits.push(...valueEdits(editor, { place: item, isInBrackets }, old[at], desired[at]));
  }
  return edits;
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
  if (length === 0) return replace(editor, { place: list, isInBrackets: true }, items);
  return items.flatMap((item) => insertPart(editor, list, length, [item]));
}

/** Whether a list or an object is written in brackets, as JSON always is. */
function hasBrackets(text: string, { span }: PlacedNode): boolean {
  return "[{".includes(text[span.start] ?? " ");
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
  // Most layouts allow an entry at the start of an object.
  const previous = editor.isWhole ? undefined : partAt(text, place, index - 1);
  if (first === undefined) return [];
  const isFlow = hasBrackets(text, place);
  const before = isFlow ? text.slice(place.span.start + 1, first.start) : "";
  const space = /(?:\r\n|[\r\n])[ \t]*$/.exec(before)?.[0] ?? " ";
  const column = isFlow ? "" : columnOf(text, first.start);
  const gap = isFlow ? `,${space}` : lineBreak + column;
  const written =
    isFlow || editor.isWhole
      ? inBrackets(editor, part, space, first.start)
      : indent(yamlText(part).replace(/\n$/, ""), column, lineBreak);
  if (previous === undefined) return [insertion(first.start, written + gap)];
  return [insertion(isFlow ? previous.end : lineStop(text, previous.end), gap + written)];
}

function removePart(text: string, place: PlacedNode, index: number): TextEdit[] {
  const [previous, part, next] = [index - 1, index, index + 1].map((at) => partAt(text, place, at));
  if (part === undefined) return [];
  const remove = (start: number, end: number): TextEdit[] => [{ span: { start, end }, text: "" }];
  const isBlank = (start = 0, end = -1): boolean =>
    end >= start && !/[^\s,]/.test(text.slice(start, end));
  const start = lineStart(text, part.start);
  const isInBrackets = hasBrackets(text, place);
  if (!isInBrackets && isBlank(start, part.start)) {
    const stop = lineStop(text, part.end);
    return remove(start, stop + (text.startsWith("\r\n", stop) ? 2 : 1));
  }
  // Comments stay, because they may be about other parts.
  if (isBlank(part.end, next?.start)) return remove(part.start, next?.start ?? part.end);
  if (!isInBrackets) return remove(part.start, part.end);
  if (isBlank(previous?.end, part.start)) return remove(previous?.end ?? part.start, part.end);
  // YAML allows a comma before the closing bracket.
  const [comma = ""] = /^[ \t]*,/.exec(text.slice(part.end)) ?? [];
  return remove(part.start, part.end + comma.length);
}

/** Writes a complete value again. */
function replace(editor: Editor, { place, key, isInBrackets }: Target, desired: unknown) {
  const { text, lineBreak } = editor;
  const { start } = place.span;
  const colon = skipWhitespace(text, key?.end ?? start);
  // The place of a value that is not written is its key.
  const isMissing = key !== undefined && start < key.end;
  const from = isMissing ? colon + 1 : start;
  const old = text.slice(from, isMissing ? from : place.span.end);
  const isFlow = hasBrackets(text, place);
  const isBlock = (place.entries ?? place.items) !== undefined && !isFlow && !place.isAlias;
  // A comment at the end of a block is a part of the block; one after another value stays on its line.
  const end = isBlock ? lineStop(text, place.span.end) : from + old.length;
  // A file of JSON may be one line.
  const column = isInBrackets ? "" : columnOf(text, key?.start ?? start);
  // Only the dashes of a list may be below the start of its key.
  const isDash = isBlock && key !== undefined && columnOf(text, start).length <= column.length;
  const lead = isMissing ? " " : isDash ? "  " : "";
  const isCommented = (): boolean => text.slice(end, lineStop(text, end)).trim() !== "";
  if (isInBrackets || isFlow || editor.isWhole || isCommented()) {
    const written = inBrackets(editor, [desired], old, start);
    return [{ span: { start: from, end }, text: lead + written }];
  }
  const part = yamlText(key === undefined ? [desired] : { k: desired }).replace(/\n$/, "");
  const lines = indent(part, key === undefined ? column.slice("- ".length) : column, lineBreak);
  const written = lines.slice("k:".length);
  if (/^[\r\n]/.test(written)) {
    // A block begins below the comments after the key.
    const between = text.slice(colon + 1, from).trimEnd();
    return [{ span: { start: colon + 1 + between.length, end }, text: written }];
  }
  const [, comment = ""] = /^[|>][-+\d]*([ \t]+#[^\r\n]*)/.exec(old) ?? [];
  const value = written.trimStart().replace(/$|(?=[\r\n])/, comment);
  return [{ span: { start: from, end }, text: lead + value }];
}

/** The text of an item or an entry in brackets; of JSON, in the layout of another text, which is at an offset. */
function inBrackets(
  { text, isJson, lineBreak }: Editor,
  part: NewPart,
  layout: string,
  at: number,
): string {
  if (!isJson) return yamlText(part, { isOnLine: true }).slice("[".length, -"]\n".length);
  const [[name, value] = []] = Object.entries(part);
  const key = isList(part) ? "" : `${safeJson(name)}: `;
  if (!/[\r\n]/.test(layout)) return key + safeJson(value);
  const unit = /[\r\n]\t/.test(layout) ? "\t" : 2;
  const [indentation = ""] = /^[ \t]*/.exec(text.slice(lineStart(text, at), at)) ?? [];
  return key + indent(safeJson(value, unit), indentation, lineBreak);
}

/** The blanks that are as wide as what is before an offset in its line. */
function columnOf(text: string, at: number): string {
  return text.slice(lineStart(text, at), at).replace(/[^\t]/g, " ");
}

function indent(lines: string, indentation: string, lineBreak: string): string {
  return lines.replace(/\n(?!\n|$)/g, `\n${indentation}`).replaceAll("\n", lineBreak);
}
