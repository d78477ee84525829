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
  let { start, end } = part;
  const line = lineStart(text, start);
  if (!hasBrackets(text, place) && text.slice(line, start).trim() === "") {
    start = line;
    end = lineStop(text, end);
    end += text.startsWith("\r\n", end) ? 2 : 1;
  } else if (next !== undefined) {
    // Comments stay, because they may be about other parts.
    end += /^\s*,?\s*/.exec(text.slice(end, next.start))?.[0].length ?? 0;
  } else if (previous !== undefined && /^[\s,]*$/.test(text.slice(previous.end, start))) {
    start = previous.end;
  }
  return [{ span: { start, end }, text: "" }];
}

/** Writes a complete value again. */
function replace(editor: Editor, { place, key, isInBrackets }: Target, desired: unknown) {
  const { text, lineBreak } = editor;
  const { start } = place.span;
  const isFlow = hasBrackets(text, place);
  const isBlock = (place.entries ?? place.items) !== undefined && !isFlow && !place.isAlias;
  // The place of a value that is not written is its key.
  const isMissing = key !== undefined && start < key.end;
  const afterColon = skipWhitespace(text, key?.end ?? start) + 1;
  const isWithSpace = isMissing || (isBlock && key !== undefined);
  const from = isWithSpace ? afterColon : start;
  // A comment at the end of a block is a part of the block; one after another value stays on its line.
  const end = isMissing ? from : isBlock ? lineStop(text, place.span.end) : place.span.end;
  const isCommented = (): boolean => text.slice(end, lineStop(text, end)).trim() !== "";
  if (isInBrackets || isFlow || editor.isWhole || isCommented()) {
    const written = inBrackets(editor, [desired], text.slice(from, end), start);
    return [{ span: { start: from, end }, text: isWithSpace ? ` ${written}` : written }];
  }
  const column = columnOf(text, key?.start ?? start);
  const part = yamlText(key === undefined ? [desired] : { k: desired }).replace(/\n$/, "");
  const indentation = key === undefined ? column.slice("- ".length) : column;
  const written = indent(part, indentation, lineBreak).slice("k:".length);
  if (isWithSpace || (key !== undefined && /^[\r\n]/.test(written)))
    return [{ span: { start: afterColon, end }, text: written }];
  const old = text.slice(start, end);
  const [, comment = ""] = /^[|>][-+\d]*([ \t]+#[^\r\n]*)/.exec(old) ?? [];
  const value = written.trimStart().replace(/$|(?=[\r\n])/, comment);
  return [{ span: { start, end }, text: value }];
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
