/** Finds the edits that turn one course into another in its text: for a new audio language, only `, de` is inserted. */

import { isDeepStrictEqual } from "node:util";
import { safeJson } from "../base/text.ts";
import { commonEnds, isList, isObject, type PlainObject } from "../base/values.ts";
import { yamlText } from "../base/yaml-text.ts";
import { FIELD_NAMES } from "../course/fields.ts";
import type { Span } from "../course/problem.ts";
import { applyEdits, LineIndex, type PlacedNode, skipWhitespace } from "./diagnostic.ts";

/** A list with one new item, or an object with one new entry. */
type NewPart = readonly [unknown] | PlainObject;

/** Collects edits of one text. The layout may not allow them: the result must be read back. */
export class Editor {
  readonly #text: string;
  readonly #lines: LineIndex;
  readonly #isJson: boolean;
  readonly #isWhole: boolean;
  readonly #lineBreak: string;
  readonly #edits: { readonly span: Span; readonly text: string }[] = [];

  /** @param isWhole whether a field is written again completely and on one line, which most layouts allow */
  constructor(text: string, isJson: boolean, isWhole: boolean) {
    this.#text = text;
    this.#lines = new LineIndex(text);
    this.#isJson = isJson;
    this.#isWhole = isWhole;
    this.#lineBreak = /\r\n|[\r\n]/.exec(text)?.[0] ?? "\n";
  }

  get edited(): string {
    return applyEdits(this.#text, this.#edits);
  }

  /** Gives one entry of an object its desired value. */
  setEntry(place: PlacedNode, name: string, old: PlainObject, desired: PlainObject): void {
    const entries = place.entries ?? [];
    const index = entries.findLastIndex((entry) => entry.name === name);
    const entry = entries[index];
    if (!Object.hasOwn(desired, name)) this.#remove(place, index);
    else if (entry !== undefined)
      this.change(entry.value, place, entry.key, old[name], desired[name]);
    else {
      const after = entries.findLastIndex((other) => rankOf(other.name) <= rankOf(name));
      this.#insert(place, after + 1, { [name]: desired[name] });
    }
  }

  /** Gives a value its desired value. @param parent the list or the object that contains it, there after a key */
  change(
    place: PlacedNode,
    parent: PlacedNode,
    key: Span | undefined,
    old: unknown,
    desired: unknown,
  ): void {
    if (isDeepStrictEqual(old, desired)) return;
    const isPart = !this.#isWhole && place.isAlias !== true;
    const isKept = (name: string): boolean => Object.hasOwn(Object(desired), name);
    if (isPart && isObject(old) && isObject(desired) && Object.keys(old).some(isKept)) {
      const names = Object.keys({ ...old, ...desired });
      for (const name of names) this.setEntry(place, name, old, desired);
    } else if (isPart && isList(old) && isList(desired) && old.length > 0 && desired.length > 0) {
      this.#changeItems(place, old, desired);
    } else if (isPart && key !== undefined && isNothing(desired) && this.#isBlock(place)) {
      // The comments stay.
      const parts = place.items ?? place.entries ?? [];
      for (const index of parts.keys()) this.#remove(place, index);
      const afterColon = this.#afterColon(key.end);
      this.#write(afterColon, afterColon, ` ${safeJson(desired)}`);
    } else if (isPart && isList(desired) && isNothing(desired) && this.#hasComment(place)) {
      for (const { span } of place.items ?? []) {
        const comma = /^\s*,?/.exec(this.#text.slice(span.end))?.[0] ?? "";
        this.#write(span.start, span.end + comma.length, "");
      }
    } else this.#replace(place, parent, key, desired);
  }

  /** Skips equal items at both ends, and edits the items in the middle position by position. */
  #changeItems(place: PlacedNode, old: readonly unknown[], desired: readonly unknown[]): void {
    const { start, end } = commonEnds(old, desired, isDeepStrictEqual);
    const [stop, last] = [old.length - end, desired.length - end];
    for (let at = start; at < Math.max(stop, last); at++) {
      const item = place.items?.[at];
      if (at >= stop) this.#insert(place, stop, [desired[at]]);
      else if (at >= last) this.#remove(place, at);
      else if (item) this.change(item, place, undefined, old[at], desired[at]);
    }
  }

  /** Inserts an entry or an item before the part at an index of a list or an object that has parts. */
  #insert(place: PlacedNode, index: number, part: NewPart): void {
    const first = this.#partAt(place, 0);
    if (first === undefined) return;
    // Most layouts allow an entry at the start of an object.
    const previous = this.#isWhole ? undefined : this.#partAt(place, index - 1);
    const isFlow = this.#hasBrackets(place);
    const before = isFlow ? this.#text.slice(place.span.start + 1, first.start) : "";
    const space = /(?:\r\n|[\r\n])[ \t]*$/.exec(before)?.[0] ?? " ";
    const column = isFlow ? "" : this.#columnOf(first.start);
    const gap = isFlow ? `,${space}` : this.#lineBreak + column;
    const written =
      isFlow || this.#isWhole
        ? this.#inBrackets(part, space, first.start)
        : this.#indent(yamlText(part).replace(/\n$/, ""), column);
    const end = previous && (isFlow ? previous.end : this.#lines.lineAt(previous.end).end);
    const at = end ?? first.start;
    this.#write(at, at, end === undefined ? written + gap : gap + written);
  }

  #remove(place: PlacedNode, index: number): void {
    const part = this.#partAt(place, index);
    if (part === undefined) return;
    const text = this.#text;
    const [before, after] = [this.#partAt(place, index - 1), this.#partAt(place, index + 1)];
    let { start, end } = part;
    const { start: line } = this.#lines.lineAt(start);
    if (!this.#hasBrackets(place) && text.slice(line, start).trim() === "") {
      start = line;
      end = this.#lines.lineAt(end).end;
      end += text.startsWith("\r\n", end) ? 2 : 1;
    } else if (after !== undefined) {
      // Comments stay, because they may be about other parts.
      end += /^\s*,?\s*/.exec(text.slice(end, after.start))?.[0].length ?? 0;
    } else if (before !== undefined && /^[\s,]*$/.test(text.slice(before.end, start))) {
      start = before.end;
    }
    this.#write(start, end, "");
  }

  /** Writes a complete value again. */
  #replace(place: PlacedNode, parent: PlacedNode, key: Span | undefined, desired: unknown): void {
    const text = this.#text;
    const { start } = place.span;
    const isFlow = this.#hasBrackets(place);
    const isBlock = this.#isBlock(place);
    // The place of a value that is not written is its key.
    const isMissing = key !== undefined && start < key.end;
    const afterColon = this.#afterColon(key?.end ?? start);
    // A comment at the end of a block is a part of the block; one after another value stays on its line.
    let { end } = place.span;
    if (isMissing) end = afterColon;
    else if (isBlock) end = this.#lines.lineAt(end).end;
    const isCommented = (): boolean => text.slice(end, this.#lines.lineAt(end).end).trim() !== "";
    let isAfterColon = isMissing || (isBlock && key !== undefined);
    let written = "";
    if (isFlow || this.#isWhole || this.#hasBrackets(parent) || isCommented()) {
      written = ` ${this.#inBrackets([desired], text.slice(start, end), start)}`;
    } else {
      const column = this.#columnOf(key?.start ?? start);
      const part = yamlText(key === undefined ? [desired] : { k: desired }).replace(/\n$/, "");
      const lines = this.#indent(part, key === undefined ? column.slice("- ".length) : column);
      // The comment in the first line of a block of text stays.
      const [, comment = ""] = /^[|>][-+\d]*([ \t]+#[^\r\n]*)/.exec(text.slice(start, end)) ?? [];
      written = lines.slice("k:".length).replace(/$|(?=[\r\n])/, comment);
      isAfterColon ||= key !== undefined && /^[\r\n]/.test(written);
    }
    if (isAfterColon) this.#write(afterColon, end, written);
    else this.#write(start, end, written.trimStart());
  }

  /** The span of an entry with its key, or of an item of a block with its dash. */
  #partAt(place: PlacedNode, index: number): Span | undefined {
    const entry = place.entries?.[index];
    const span = entry?.key ?? place.items?.[index]?.span;
    if (span === undefined) return undefined;
    const end = Math.max(span.end, entry?.value.span.end ?? 0);
    if (this.#hasBrackets(place)) return { start: span.start, end };
    const before = this.#before(span.start);
    // With the question mark of a key, or the dash of an item, and with anchors and tags.
    const lead = entry ? /(?:\?[ \t]+)?(?:[&!]\S*[ \t]+)*$/ : /-[ \t]+(?:[&!]\S*[ \t]+)*$/;
    const found = lead.exec(before)?.[0];
    if (found !== undefined) return { start: span.start - found.length, end };
    return { start: this.#dashAbove(span.start) ?? span.start, end };
  }

  /** The offset of a dash that is in a line above its item, maybe with comments between them. */
  #dashAbove(at: number): number | undefined {
    for (let { start } = this.#lines.lineAt(at); start > 0; ) {
      const line = this.#lines.lineAt(start - 1);
      const text = this.#text.slice(line.start, line.end);
      const [, before] =
        /^((?:[ \t]|-[ \t])*)-(?:[ \t]+[&!]\S*)*[ \t]*(?:[ \t]#.*)?$/.exec(text) ?? [];
      if (before !== undefined) return line.start + before.length;
      if (!/^[ \t]*(?:#.*)?$/.test(text)) return undefined;
      start = line.start;
    }
    return undefined;
  }

  /** What is before an offset in its line. */
  #before(at: number): string {
    return this.#text.slice(this.#lines.lineAt(at).start, at);
  }

  /** Whether a list or an object is written in brackets, as JSON always is. */
  #hasBrackets({ span }: PlacedNode): boolean {
    return "[{".includes(this.#text[span.start] ?? " ");
  }

  /** Whether there may be comments between the brackets of a list. */
  #hasComment({ span }: PlacedNode): boolean {
    return !this.#isJson && this.#text.slice(span.start, span.end).includes("#");
  }

  /** Whether a list or an object is written with a line for each part. */
  #isBlock(place: PlacedNode): boolean {
    const hasParts = (place.entries ?? place.items) !== undefined;
    return hasParts && !this.#hasBrackets(place) && !place.isAlias;
  }

  /** The offset after the colon of a key that ends at an offset. */
  #afterColon(end: number): number {
    return skipWhitespace(this.#text, end) + 1;
  }

  /** The text of an item or an entry in brackets; of JSON, in the layout of another text, which is at an offset. */
  #inBrackets(part: NewPart, layout: string, at: number): string {
    if (!this.#isJson) return yamlText(part, { isOnLine: true }).slice("[".length, -"]\n".length);
    const [[name, value] = []] = Object.entries(part);
    const key = isList(part) ? "" : `${safeJson(name)}: `;
    if (!/[\r\n]/.test(layout)) return key + safeJson(value);
    const unit = /[\r\n]\t/.test(layout) ? "\t" : 2;
    const line = this.#before(at);
    return key + this.#indent(safeJson(value, unit), /^[ \t]*/.exec(line)?.[0] ?? "");
  }

  /** The whitespace that is as wide as what is before an offset in its line. */
  #columnOf(at: number): string {
    return this.#before(at).replace(/[^\t]/g, " ");
  }

  #indent(lines: string, indentation: string): string {
    const indented = lines.replace(/\n(?!\n|$)/g, `\n${indentation}`);
    return indented.replaceAll("\n", this.#lineBreak);
  }

  #write(start: number, end: number, text: string): void {
    this.#edits.push({ span: { start, end }, text });
  }
}

/** Fields have the documented order; other keys follow. */
function rankOf(name: string): number {
  const rank = FIELD_NAMES.indexOf(name);
  return rank === -1 ? FIELD_NAMES.length : rank;
}

/** Whether a value is null, or a list or an object without parts. */
function isNothing(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}
