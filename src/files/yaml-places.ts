/** Builds the tree of places from the parser's events. */
import { EVENT_ID, type Event, getScalarValue } from "js-yaml";
import { duplicateKey, type TextProblem } from "./parsed.ts";
import type { PlacedNode, Span } from "./position.ts";

type Entries = Map<string, { key: Span; value: PlacedNode }>;

interface Placed {
  readonly documents: readonly PlacedNode[];
  readonly repeated: readonly TextProblem[];
}

/** The place of each document of the events. */
export function placeEvents(events: readonly Event[], text: string): readonly PlacedNode[] {
  return new Placer(events, text).place().documents;
}

/** Every key that stands twice in one mapping, at its second place. */
export function duplicateKeys(events: readonly Event[], text: string): readonly TextProblem[] {
  return new Placer(events, text).place().repeated;
}

const START: Span = { start: 0, end: 0 };

/** Walks the flat events as the nested nodes they describe. */
class Placer {
  readonly #events: readonly Event[];
  readonly #text: string;
  readonly #anchors = new Map<string, PlacedNode>();
  readonly #repeated: TextProblem[] = [];
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
    return { documents, repeated: this.#repeated };
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
    const node = this.#content(event, empty);
    if ("anchorStart" in event && event.anchorStart >= 0) {
      this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), node);
    }
    return node;
  }

  #content(event: Event, empty: Span): PlacedNode {
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return {
          span: event.valueStart < 0 ? empty : this.#scalarSpan(event.valueStart, event.valueEnd),
        };
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
      const dash = items.length === 0 ? start : this.#text.indexOf("-", end);
      const item = this.#node(dash < 0 ? { start, end } : { start: dash, end: dash + 1 });
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
    const closing = /(?:[\s,]|#[^\n]*\n)*[\]}]/y;
    closing.lastIndex = end;
    return closing.test(this.#text) ? closing.lastIndex : end;
  }

  #mapping(start: number): PlacedNode {
    const entries: Entries = new Map();
    let end = start + 1;
    while (!this.#atEnd()) {
      const keyEvent = this.#events[this.#next];
      const key = this.#node({ start: end, end });
      const name =
        keyEvent?.type === EVENT_ID.SCALAR ? getScalarValue(this.#text, keyEvent) : undefined;
      const value = this.#atEnd() ? key : this.#node(key.span);
      end = Math.max(end, value.span.end);
      if (name === undefined) continue;
      const earlier = entries.get(name);
      if (earlier !== undefined) {
        this.#repeated.push(duplicateKey(name, key.span, earlier.key));
      }
      entries.set(name, { key: key.span, value });
    }
    this.#next++;
    return { entries, span: { start, end: this.#closed(start, end) } };
  }

  /** The text of a scalar as it is written, quotation marks included, without the end of a block. */
  #scalarSpan(start: number, end: number): Span {
    const before = this.#text[start - 1];
    const quoted = (before === '"' || before === "'") && this.#text[end] === before;
    if (quoted) return { start: start - 1, end: end + 1 };
    const written = this.#text.slice(start, end).trimEnd();
    return { start, end: start + Math.max(written.length, 0) };
  }
}
