/** Builds the tree of places from the parser's events. */
import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE, type ScalarEvent } from "js-yaml";
import { pastBlanks } from "./blanks.ts";
import { MAX_FINDINGS } from "./limits.ts";
import { duplicateKey, type TextProblem } from "./parsed.ts";
import type { PlacedNode, Span } from "./position.ts";

type Entries = Map<string, { key: Span; value: PlacedNode }>;

interface Placed {
  readonly documents: readonly PlacedNode[];
  readonly repeated: readonly TextProblem[];
  readonly complex: readonly Span[];
}

/** The place of each document of the events. */
export function placeEvents(events: readonly Event[], text: string): readonly PlacedNode[] {
  return new Placer(events, text).place().documents;
}

/** Every key that stands twice in one mapping, at its second place. */
export function duplicateKeys(events: readonly Event[], text: string): readonly TextProblem[] {
  return new Placer(events, text).place().repeated;
}

/** Every key that is a list or a mapping. */
export function complexKeys(events: readonly Event[], text: string): readonly Span[] {
  return new Placer(events, text).place().complex;
}

const START: Span = { start: 0, end: 0 };

/** Walks the flat events as the nested nodes they describe. */
class Placer {
  readonly #events: readonly Event[];
  readonly #text: string;
  readonly #anchors = new Map<string, PlacedNode>();
  /** The last node that each anchor has marked, whether it has ended or not. */
  readonly #marked = new Map<string, Event>();
  readonly #names = new Map<string, string>();
  readonly #repeated: TextProblem[] = [];
  readonly #complex: Span[] = [];
  #next = 0;

  constructor(events: readonly Event[], text: string) {
    this.#events = events;
    this.#text = text;
  }

  place(): Placed {
    const documents: PlacedNode[] = [];
    while (this.#next < this.#events.length) {
      const event = this.#events[this.#next++];
      if (event?.type !== EVENT_ID.DOCUMENT) continue;
      this.#anchors.clear();
      documents.push(this.#atEnd() ? { span: START } : this.#node(START));
    }
    return { documents, repeated: this.#repeated, complex: this.#complex };
  }

  #atEnd(): boolean {
    const event = this.#events[this.#next];
    return event === undefined || event.type === EVENT_ID.POP;
  }

  /** @param empty where an empty value stands, which has no place of its own */
  #node(empty: Span): PlacedNode {
    const event = this.#events[this.#next++];
    if (event === undefined) return { span: empty };
    if (event.type === EVENT_ID.ALIAS) {
      // The place is where the alias stands; its parts are where the anchor's are.
      const span = { start: event.anchorStart - 1, end: event.anchorEnd };
      const meant = this.#anchors.get(this.#text.slice(event.anchorStart, event.anchorEnd));
      return { ...meant, span };
    }
    const isMarked = "anchorStart" in event && event.anchorStart >= 0;
    const anchor = isMarked ? this.#text.slice(event.anchorStart, event.anchorEnd) : undefined;
    if (anchor === undefined) return this.#content(event, empty);
    this.#marked.set(anchor, event);
    const node = this.#content(event, empty);
    // What is within may have the same anchor, and is then the one that aliases mean.
    if (this.#marked.get(anchor) === event) this.#anchors.set(anchor, node);
    if (event.type === EVENT_ID.SCALAR) this.#names.set(anchor, nameOfScalar(this.#text, event));
    return node;
  }

  #content(event: Event, empty: Span): PlacedNode {
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return { span: event.valueStart < 0 ? empty : this.#scalarSpan(event, empty) };
      case EVENT_ID.SEQUENCE:
        return this.#sequence(event.start);
      case EVENT_ID.MAPPING:
        return this.#mapping(event.start);
      default:
        return { span: empty };
    }
  }

  #sequence(start: number): PlacedNode {
    const items: PlacedNode[] = [];
    let end = start + 1;
    while (!this.#atEnd()) {
      const next = items.length === 0 ? start : pastBlanks(this.#text, end, ":?", true);
      const dash = this.#text[next] === "-" ? next : end - 1;
      const item = this.#node({ start: dash, end: dash + 1 });
      items.push(item);
      end = Math.max(end, item.span.end);
    }
    this.#next++;
    return { items, span: { start, end: this.#closed(start, end) } };
  }

  /** The end of what stands in brackets: behind the one that closes it. */
  #closed(start: number, end: number): number {
    const opening = this.#text[start];
    if (opening !== "[" && opening !== "{") return end;
    const at = pastBlanks(this.#text, end, ",:", true);
    return this.#text[at] === "]" || this.#text[at] === "}" ? at + 1 : end;
  }

  #mapping(start: number): PlacedNode {
    const entries: Entries = new Map();
    const first = new Map<string, Span>();
    let end = start + 1;
    while (!this.#atEnd()) {
      const keyEvent = this.#events[this.#next];
      const colon = pastBlanks(this.#text, entries.size === 0 ? start : end, ",{?");
      const key = this.#node({ start: colon, end: Math.min(colon + 1, this.#text.length) });
      const name = keyEvent === undefined ? undefined : this.#nameOf(keyEvent);
      const value = this.#atEnd() ? key : this.#node(key.span);
      end = Math.max(end, value.span.end);
      if (name === undefined) {
        this.#complex.push(key.span);
        continue;
      }
      const earlier = first.get(name);
      if (earlier === undefined) first.set(name, key.span);
      else if (this.#repeated.length <= MAX_FINDINGS) {
        this.#repeated.push(duplicateKey(name, key.span, earlier));
      }
      entries.set(name, { key: key.span, value });
    }
    this.#next++;
    return { entries, span: { start, end: this.#closed(start, end) } };
  }

  /** The key that a mapping has for it, or undefined for a list or mapping. */
  #nameOf(event: Event): string | undefined {
    if (event.type === EVENT_ID.ALIAS) {
      return this.#names.get(this.#text.slice(event.anchorStart, event.anchorEnd));
    }
    if (event.type !== EVENT_ID.SCALAR) return undefined;
    return nameOfScalar(this.#text, event);
  }

  /** The text of a scalar as it is written, its marks included, without the end of a block. */
  #scalarSpan(event: ScalarEvent, lead: Span): Span {
    const { valueStart: start, valueEnd: end, style } = event;
    if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED) {
      return { start: start - 1, end: end + 1 };
    }
    const isBlock = style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK;
    const from = Math.max(lead.end, event.anchorEnd, event.tagEnd);
    const isLead = /[|>]/.test(this.#text[lead.start] ?? "");
    const mark = isLead ? lead.start : pastBlanks(this.#text, from, ":?-");
    const first = isBlock ? mark : start;
    return { start: first, end: first + this.#text.slice(first, end).trimEnd().length };
  }
}

/** Plain keys are what YAML takes them for: `0x1F` is 31, and nothing is null. */
function nameOfScalar(text: string, event: ScalarEvent): string {
  if (event.valueStart < 0) return event.tagStart < 0 ? "null" : "";
  const written = getScalarValue(text, event);
  const isPlain = event.style === SCALAR_STYLE.PLAIN && event.tagStart < 0;
  return isPlain ? plainName(written) : written;
}

const NUMBER = /^(?:0o[0-7]+|0x[\da-f]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?)$/i;

function plainName(written: string): string {
  if (/^(?:true|True|TRUE|false|False|FALSE)$/.test(written)) return written.toLowerCase();
  if (/^(?:~|null|Null|NULL)$/.test(written)) return "null";
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(written)) {
    return written.startsWith("-") ? "-Infinity" : "Infinity";
  }
  if (/^\.(?:nan|NaN|NAN)$/.test(written)) return "NaN";
  // A number beyond those that there are stays the text that it is written as.
  const number = NUMBER.test(written) ? Number(written) : Number.NaN;
  return Number.isFinite(number) ? String(number) : written;
}
