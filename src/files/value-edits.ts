/** Finds the smallest edits that turn one value into another: to add "de" to `[en, fr]`, only `, de` is inserted. */
import { isDeepStrictEqual } from "node:util";
import { isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { commonEnds } from "../course/difference.ts";
import { shapeAt } from "../course/fields.ts";
import { insertEntry, insertItem, isInBrackets, removePart } from "./edit-parts.ts";
import type { FileFormat } from "./parse.ts";
import type { PlacedEntry, PlacedNode, Span } from "./position.ts";
import {
  indentationAt,
  insertion,
  lineEndAfter,
  lineIndentation,
  lineStop,
  quoteAt,
  skipWhitespace,
  type TextEdit,
} from "./text-edit.ts";
import { quoteString, type SlotStyle, valueText } from "./value-text.ts";

interface Values {
  readonly old: unknown;
  readonly desired: unknown;
}

/** The edits that turn one course into another. Some edits become possible only after others. */
export function valueEdits(
  text: string,
  place: PlacedNode,
  values: Values,
  format: FileFormat,
): TextEdit[] {
  return new Editor(text, format).inside(place, values, []) ?? [];
}

/** Where a value is: after a key, or after the dash or comma of a list. */
interface Slot {
  readonly place: PlacedNode;
  readonly path: Path;
  readonly flow: boolean;
  readonly key?: Span;
}

class Editor {
  readonly #text: string;
  readonly #format: FileFormat;

  constructor(text: string, format: FileFormat) {
    this.#text = text;
    this.#format = format;
  }

  #edits(slot: Slot, values: Values): TextEdit[] {
    const { old, desired } = values;
    if (isDeepStrictEqual(old, desired)) return [];
    if (isObject(old) && isDeepStrictEqual([old], desired)) {
      const { isAlias, entries = [] } = slot.place;
      if (isAlias !== true && entries.length > 0) return wrapInList(this.#text, slot.place);
    }
    return this.inside(slot.place, values, slot.path) ?? [this.#replace(slot, desired)];
  }

  /** The edits inside an object or a list; undefined if the complete value must be written again. */
  inside(place: PlacedNode, { old, desired }: Values, path: Path): TextEdit[] | undefined {
    if (place.isAlias === true) return undefined;
    if (isObject(old) && isObject(desired) && place.entries && Object.keys(desired).length > 0) {
      return this.#objectEdits(place, old, desired, path);
    }
    if (isList(old) && isList(desired) && place.items !== undefined && desired.length > 0) {
      return this.#listEdits(place, old, desired, path);
    }
    return undefined;
  }

  #objectEdits(
    place: PlacedNode,
    old: PlainObject,
    desired: PlainObject,
    path: Path,
  ): TextEdit[] | undefined {
    const { entries = [] } = place;
    const flow = isInBrackets(this.#text, place);
    const added = Object.keys(desired).filter((name) => !Object.hasOwn(old, name));
    const edits: TextEdit[] = [];
    for (const [index, { name, key, value }] of entries.entries()) {
      if (Object.hasOwn(desired, name)) {
        const slot = { place: value, path: [...path, name], flow, key };
        const inside = this.#edits(slot, { old: old[name], desired: desired[name] });
        // `push(...inside)` would fail for very many edits.
        for (const edit of inside) edits.push(edit);
        continue;
      }
      // If a removed key and an added key have the same value, the key was renamed.
      const renamed = added.findIndex((other) => isDeepStrictEqual(desired[other], old[name]));
      const [other] = renamed === -1 ? [] : added.splice(renamed, 1);
      const edit =
        other === undefined
          ? removePart(this.#text, place, index)
          : { span: key, text: quoteString(other, quoteAt(this.#text, key.start), flow) };
      if (edit === undefined) return undefined;
      edits.push(edit);
    }
    for (const name of added) {
      const index = insertionIndex(entries, name, path);
      const edit = insertEntry(this.#text, place, index, name, (style) =>
        this.#write(desired[name], place, style),
      );
      if (edit === undefined) return undefined;
      edits.push(edit);
    }
    return edits;
  }

  #listEdits(
    place: PlacedNode,
    old: readonly unknown[],
    desired: readonly unknown[],
    path: Path,
  ): TextEdit[] | undefined {
    if (old.length === desired.length) {
      const flow = isInBrackets(this.#text, place);
      return place.items?.flatMap((item, index) => {
        const slot = { place: item, path: [...path, index], flow };
        return this.#edits(slot, { old: old[index], desired: desired[index] });
      });
    }
    const { start, end } = commonEnds(old, desired, isDeepStrictEqual);
    const edits: TextEdit[] = [];
    if (old.length === start + end) {
      // One item per round: the next round finds the next item.
      const edit = insertItem(this.#text, place, start, (style) =>
        this.#write(desired[start], place, style),
      );
      return edit && [edit];
    }
    if (desired.length > start + end) return undefined;
    for (let index = start; index < old.length - end; index++) {
      const edit = removePart(this.#text, place, index);
      if (edit === undefined) return undefined;
      edits.push(edit);
    }
    return edits;
  }

  #write(value: unknown, { span: { start, end } }: PlacedNode, slot: SlotStyle): string {
    return valueText(value, {
      ...slot,
      format: this.#format,
      lineBreak: () => lineEndAfter(this.#text, start),
      isMultiline: /[\r\n]/.test(this.#text.slice(start, end)),
    });
  }

  #replace({ place, flow, key }: Slot, desired: unknown): TextEdit {
    const text = this.#text;
    const { start, end } = place.span;
    const write = (quote: string, old: string, isFlow = flow): string => {
      const indentation = (): string => {
        if (isFlow) return lineIndentation(text, start);
        if (key !== undefined) return indentationAt(text, key.start);
        // In a list, the indentation is the column of the dash.
        return indentationAt(text, start).slice(2);
      };
      return this.#write(desired, place, { flow: isFlow, quote, indentation, old });
    };
    const keyQuote = key === undefined ? "" : quoteAt(text, key.start);
    // In `key:` without a value, the value has the position of the key.
    if (key !== undefined && !(start >= key.end && end > start)) {
      return fillIn(text, key, write(keyQuote, ""));
    }
    const old = text.slice(start, end);
    const quote = quoteAt(text, start) || (/^[|>]/.test(old) ? "" : keyQuote);
    const written = write(quote, old);
    if (key === undefined) return { span: place.span, text: written.trimStart() };
    if (/^[\r\n]/.test(written)) {
      const isBlock = !isInBrackets(text, place) && (place.entries ?? place.items) !== undefined;
      // A comment after a value stays on its line.
      if (!isBlock && text.slice(end, lineStop(text, end)).trim() !== "") {
        return { span: place.span, text: write(quote, old, true) };
      }
      return { span: { start: text.slice(0, start).trimEnd().length, end }, text: written };
    }
    if (!/^[ \t]*:\s*[\r\n]\s*$/.test(text.slice(key.end, start))) {
      return { span: place.span, text: written };
    }
    return { span: { start: text.indexOf(":", key.end) + 1, end }, text: ` ${written}` };
  }
}

/** Makes an object, as it is written, the only item of a list. */
function wrapInList(text: string, place: PlacedNode): TextEdit[] {
  const { start, end } = place.span;
  if (isInBrackets(text, place)) return [insertion(start, "["), insertion(end, "]")];
  const edits = [insertion(start, "- ")];
  for (const { index } of text.slice(start, end).matchAll(/(?<=\r\n|\n|\r(?!\n))[^\r\n]/g)) {
    edits.push(insertion(start + index, "  "));
  }
  return edits;
}

/** Writes a value after a key that has none. */
function fillIn(text: string, key: Span, written: string): TextEdit {
  const colon = skipWhitespace(text, key.end);
  const value = /^[\r\n]/.test(written) ? written : ` ${written}`;
  if (text[colon] !== ":") return insertion(key.end, `:${value}`);
  if (value === written) return insertion(colon + 1, written);
  // After a space that exists already, unless a comment needs the space.
  return /^[ \t](?!#)/.test(text.slice(colon + 1, colon + 3))
    ? insertion(colon + 2, written)
    : insertion(colon + 1, value);
}

/** The index at which a new key is in the documented order. */
function insertionIndex(entries: readonly PlacedEntry[], name: string, path: Path): number {
  const shape = shapeAt(path);
  const order = shape?.kind === "object" ? shape.keys.map((key) => key.name) : [];
  const at = order.indexOf(name);
  if (at === -1) return entries.length;
  const previous = entries.findLastIndex((entry) => {
    const other = order.indexOf(entry.name);
    return other !== -1 && other < at;
  });
  return previous + 1;
}
