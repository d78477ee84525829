/** Finds positions in YAML by the events of js-yaml, which name the start of each value. */
import {
  COLLECTION_STYLE_FLOW,
  constructFromEvents,
  EVENT_ALIAS,
  EVENT_DOCUMENT,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  EVENT_SEQUENCE,
  type Event,
  SCALAR_STYLE_DOUBLE_QUOTED,
  SCALAR_STYLE_FOLDED_BLOCK,
  SCALAR_STYLE_LITERAL_BLOCK,
  SCALAR_STYLE_SINGLE_QUOTED,
  type ScalarEvent,
} from "js-yaml";
import { attempt } from "../base/errors.ts";
import type { Span } from "../course/problem.ts";
import {
  lineStop,
  oneAt,
  type PlacedEntry,
  type PlacedNode,
  placeParts,
  skipWhitespace,
} from "./diagnostic.ts";
import type { CoursePlace } from "./parsed.ts";

/** The positions of the values of a text. One pass over the events finds all ends, so that each value is found at once. */
export class YamlPlaces {
  readonly #text: string;
  readonly #events: readonly Event[];
  /** By the index of an event: where its value begins, or -1 if nothing is written; where it ends; and the next event. */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #next: Int32Array;
  /** The index of the first event of each document, and of the items of documents that are lists. */
  readonly #roots: number[] = [];
  readonly #items = new Map<number, readonly number[]>();

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
    this.#starts = new Int32Array(events.length).fill(-1);
    this.#ends = new Int32Array(events.length);
    this.#next = new Int32Array(events.length);
    const open: number[] = [];
    // The end of what has been read.
    let at = 0;
    for (const [index, event] of events.entries()) {
      this.#next[index] = index + 1;
      if (event.type === EVENT_POP) {
        const opened = open.pop() ?? 0;
        // A pair in a list, as in `[a: b]`, has no brackets.
        const hasBrackets = "[{".includes(text[this.#starts[opened] ?? 0] ?? " ");
        if (isFlow(events[opened]) && hasBrackets) at = this.#skip(at, ",:?") + 1;
        this.#ends[opened] = at;
        this.#next[opened] = index + 1;
        continue;
      }
      const parent = events[open.at(-1) ?? 0];
      if (event.type === EVENT_DOCUMENT) this.#roots.push(index + 1);
      else {
        const isItem = parent?.type === EVENT_SEQUENCE && !isFlow(parent);
        const span = this.#measure(event, at, isItem);
        this.#starts[index] = span?.start ?? -1;
        at = span?.end ?? at;
        this.#ends[index] = at;
      }
      if (event.type !== EVENT_SCALAR && event.type !== EVENT_ALIAS) open.push(index);
    }
  }

  /** The position of a document or of an item of its list. */
  place(of: CoursePlace): PlacedNode {
    const { index } = this.#find(of);
    return this.#place(index, oneAt(Math.max(0, this.#ends[index] ?? 0)));
  }

  /** The offset at which a document or an item of its list begins; of an item of a block, the offset of its dash. */
  startOf({ document, item }: CoursePlace): number {
    const { root, items, index } = this.#find({ document, item });
    if (item === undefined || isFlow(this.#events[root])) return this.#starts[index] ?? 0;
    const before = item === 0 ? this.#starts[root] : this.#ends[items[item - 1] ?? 0];
    return skipWhitespace(this.#text, before ?? 0);
  }

  /** The indexes of the events with which a document, the items of its list, and a course begin. */
  #find({ document, item }: CoursePlace) {
    const root = this.#roots[document] ?? 0;
    if (item === undefined) return { root, items: [], index: root };
    const items = this.#items.get(root) ?? [...this.#parts(root)];
    this.#items.set(root, items);
    return { root, items, index: items[item] ?? root };
  }

  /** The indexes of the events with which the parts of a list or an object begin: its items, or its keys and values. */
  *#parts(of: number): Generator<number, void> {
    for (let index = of + 1; this.#events[index]?.type !== EVENT_POP; ) {
      yield index;
      index = this.#next[index] ?? this.#events.length;
      if (index >= this.#events.length) return;
    }
  }

  /** The span of the start of an event's value; undefined if nothing is written. @param from the end of what is before */
  #measure(
    event: Exclude<Event, { type: 1 | 6 }>,
    from: number,
    isItem: boolean,
  ): Span | undefined {
    if (event.type === EVENT_ALIAS) return { start: event.anchorStart - 1, end: event.anchorEnd };
    if (event.type !== EVENT_SCALAR) {
      return { start: event.start, end: event.start + (isFlow(event) ? 1 : 0) };
    }
    const after = Math.max(from, event.anchorEnd, event.tagEnd);
    if (event.valueStart !== -1) return this.#measureScalar(event, after);
    // The position of an item that is not written is its dash.
    const dash = isItem ? skipWhitespace(this.#text, from) : -1;
    return this.#text[dash] === "-" ? { start: dash, end: Math.max(dash + 1, after) } : undefined;
  }

  #measureScalar({ style, valueStart, valueEnd }: ScalarEvent, from: number): Span {
    if (style === SCALAR_STYLE_SINGLE_QUOTED || style === SCALAR_STYLE_DOUBLE_QUOTED) {
      return { start: valueStart - 1, end: valueEnd + 1 };
    }
    if (style !== SCALAR_STYLE_LITERAL_BLOCK && style !== SCALAR_STYLE_FOLDED_BLOCK) {
      return { start: valueStart, end: valueEnd };
    }
    const start = this.#skip(from, "-:?");
    // The empty lines below a block are not a part of it.
    const { length } = this.#text.slice(start, valueEnd).trimEnd();
    return { start, end: Math.min(valueEnd, lineStop(this.#text, start + length)) };
  }

  /** The first offset that has neither whitespace nor a comment nor one of these signs. */
  #skip(from: number, signs: string): number {
    let at = skipWhitespace(this.#text, from);
    while (signs.includes(this.#text[at] ?? " ")) at = skipWhitespace(this.#text, at + 1);
    return at;
  }

  /** @param empty the position of a value that is not written */
  #place(index: number, empty: Span): PlacedNode {
    const event = this.#events[index];
    const start = this.#starts[index] ?? -1;
    const span = start === -1 ? empty : { start, end: this.#ends[index] ?? start };
    // The parts of an alias have its position.
    if (event?.type === EVENT_ALIAS) return { span, isAlias: true };
    if (event?.type === EVENT_SEQUENCE) {
      return placeParts(span, "items", () => {
        return Array.from(this.#parts(index), (item) => this.#place(item, span));
      });
    }
    return event?.type === EVENT_MAPPING
      ? placeParts(span, "entries", () => this.#entries(index))
      : { span };
  }

  #entries(of: number): PlacedEntry[] {
    const entries: PlacedEntry[] = [];
    const parts = this.#parts(of);
    for (const index of parts) {
      const name = this.#nameOf(this.#events[index]);
      const missing = oneAt(skipWhitespace(this.#text, this.#ends[index] ?? 0));
      const { span: key } = this.#place(index, missing);
      const { value = index } = parts.next();
      entries.push({ name, key, value: this.#place(value, key) });
    }
    return entries;
  }

  /** The name of a key, whose value may be a number or null; empty for an alias. */
  #nameOf(key: Event | undefined): string {
    if (key?.type !== EVENT_SCALAR) return "";
    const events = [DOCUMENT, key, { type: EVENT_POP }];
    return String(attempt(() => constructFromEvents(events, { source: this.#text }))?.[0]);
  }
}

const DOCUMENT = {
  type: EVENT_DOCUMENT,
  explicitStart: false,
  explicitEnd: false,
  directives: [],
};

function isFlow(event: Event | undefined): boolean {
  return (
    event !== undefined &&
    "style" in event &&
    "start" in event &&
    event.style === COLLECTION_STYLE_FLOW
  );
}
