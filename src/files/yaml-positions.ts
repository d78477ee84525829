/** Finds positions in YAML from the events of js-yaml: in `name: Knitting`, the value is at 6 to 14. */
import {
  COLLECTION_STYLE,
  constructFromEvents,
  type DocumentEvent,
  EVENT_ID,
  type Event,
  getScalarValue,
  type MappingEvent,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from "js-yaml";
import { attempt } from "../base/errors.ts";
import { formatNumber, truncate } from "../base/text.ts";
import { MAX_EXPANSION, MAX_FINDINGS } from "./limits.ts";
import {
  ObjectKeys,
  type ParsedCourse,
  type Positions,
  positionsBy,
  type TextProblem,
} from "./parsed.ts";
import { oneAt, type PlacedEntry, type PlacedNode, type Span } from "./position.ts";
import { lineStart, lineStop } from "./text-edit.ts";

/** The offset at which the value of an event begins; 0 for a value that is not written. */
export function offsetOf(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return Math.max(event.valueStart, 0);
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  return "start" in event ? event.start : 0;
}

/** The positions of the courses of a text. In a long text, they are found course by course. */
export function placeYaml(text: string, events: readonly Event[]): Positions {
  const placer = new Placer(text, events);
  const isLong = events.length > MAX_REMEMBERED;
  const found = new Map<string, PlacedNode | Start>();
  for (const { start, node, ...of } of placer.courses()) {
    found.set(idOf(of), isLong ? start : node);
  }
  return positionsBy((of) => {
    const place = found.get(idOf(of)) ?? NOWHERE;
    return "index" in place ? placer.courseAt(place) : place;
  });
}

/** The number of events of a text up to which the positions of all courses are remembered. */
const MAX_REMEMBERED = 50_000;
const NOWHERE: PlacedNode = { span: { start: 0, end: 0 } };

function idOf({ document, item }: Omit<ParsedCourse, "value">): string {
  return `${document} ${item}`;
}

/** The problems of repeated keys, in order; or only the first alias or key that makes the text unreadable. */
export function findYamlProblems(text: string, events: readonly Event[]): readonly TextProblem[] {
  const problems: TextProblem[] = [];
  try {
    for (const _ of new Placer(text, events, problems).courses());
    return problems;
  } catch (error) {
    if (error instanceof Refused) return [error.problem];
    throw error;
  }
}

class Refused extends Error {
  readonly problem: TextProblem;
  constructor(problem: TextProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** The index of a course's first event, and the offset after the text before. */
interface Start {
  readonly index: number;
  readonly at: number;
}

interface PlacedCourse extends Omit<ParsedCourse, "value"> {
  readonly start: Start;
  readonly node: PlacedNode;
}

/** A value with an anchor; `open` while the walk is within it. */
interface Anchored {
  readonly node: PlacedNode;
  readonly size: number;
  /** The name of the value if an alias uses it as a key. */
  readonly name: string;
}

const BEFORE_KEY = " \t\r\n\ufeff,";
const BEFORE_END = `${BEFORE_KEY}:?`;

class Placer {
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #duplicates: TextProblem[] | undefined;
  readonly #anchors = new Map<string, Anchored | "open">();
  /** The values that aliases refer to, by the indexes of the aliases' events. */
  readonly #aliased = new Map<number, Anchored>();
  #document: DocumentEvent | undefined;
  #index = 0;
  /** The offset after the last event that was read. */
  #at = 0;
  #values = 0;
  #added = 0;

  /** @param duplicates receives the problems of keys that one object has twice */
  constructor(text: string, events: readonly Event[], duplicates?: TextProblem[]) {
    this.#text = text;
    this.#events = events;
    this.#duplicates = duplicates;
  }

  /** Walks all events. @throws Refused */
  *courses(): Generator<PlacedCourse> {
    for (let document = 0; this.#index < this.#events.length; document++) {
      const event = this.#next();
      if (event.type === EVENT_ID.DOCUMENT) this.#document = event;
      this.#anchors.clear();
      const root = this.#peek();
      if (root.type === EVENT_ID.SEQUENCE) {
        this.#next();
        if (root.anchorStart !== -1) this.#anchors.set(this.#anchorOf(root), "open");
        this.#at = root.start + (root.style === COLLECTION_STYLE.FLOW ? 1 : 0);
        for (let item = 0; this.#peek().type !== EVENT_ID.POP; item++) {
          yield { document, item, ...this.#course() };
        }
        this.#next();
      } else {
        yield { document, ...this.#course() };
      }
      this.#next();
    }
  }

  #course(): Pick<PlacedCourse, "start" | "node"> {
    const start = { index: this.#index, at: this.#at };
    return { start, node: this.courseAt(start) };
  }

  /** The positions of a course, found again. */
  courseAt({ index, at }: Start): PlacedNode {
    this.#index = index;
    this.#at = at;
    return this.#item();
  }

  #next(): Event {
    const event = this.#peek();
    this.#index++;
    return event;
  }

  #peek(): Event {
    return this.#events[this.#index] ?? { type: EVENT_ID.POP };
  }

  /** @param empty the position of a value that is not written */
  #node(empty: Span): PlacedNode {
    const index = this.#index;
    const event = this.#next();
    if (event.type === EVENT_ID.ALIAS) return this.#alias(index, event);
    if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) return { span: empty };
    const before = this.#values++;
    const anchor = event.anchorStart === -1 ? undefined : this.#anchorOf(event);
    if (anchor !== undefined) this.#anchors.set(anchor, "open");
    const node = this.#content(event, empty);
    // If an inner value has the same anchor, aliases refer to the inner value.
    if (anchor !== undefined && this.#anchors.get(anchor) === "open") {
      const name = event.type === EVENT_ID.SCALAR ? this.#nameOf(event) : "";
      this.#anchors.set(anchor, { node, size: this.#values - before, name });
    }
    return node;
  }

  #anchorOf({ anchorStart, anchorEnd }: { anchorStart: number; anchorEnd: number }): string {
    return this.#text.slice(anchorStart, anchorEnd);
  }

  #alias(index: number, event: { anchorStart: number; anchorEnd: number }): PlacedNode {
    const span = { start: event.anchorStart - 1, end: event.anchorEnd };
    this.#at = span.end;
    const anchored = this.#aliased.get(index) ?? this.#anchored(this.#anchorOf(event), span);
    this.#aliased.set(index, anchored);
    return { ...anchored.node, span, isAlias: true };
  }

  #anchored(name: string, span: Span): Anchored {
    const anchored = this.#anchors.get(name);
    if (anchored === undefined) {
      const message = `not valid YAML: there is no anchor &${truncate(name)}; put a value that starts with * in quotes`;
      throw new Refused({ rule: "syntax", message, span: oneAt(span.start) });
    }
    const size = anchored === "open" ? Number.POSITIVE_INFINITY : anchored.size;
    this.#values += size;
    this.#added += size;
    if (anchored === "open" || this.#added > MAX_EXPANSION) {
      const message = `the aliases of this file add more than ${formatNumber(MAX_EXPANSION)} values, which would fill the memory`;
      throw new Refused({ rule: "too-many-aliases", message, span });
    }
    return anchored;
  }

  #content(event: ScalarEvent | SequenceEvent | MappingEvent, empty: Span): PlacedNode {
    this.#at = Math.max(this.#at, event.anchorEnd, event.tagEnd);
    if (event.type === EVENT_ID.SCALAR) return { span: this.#scalar(event) ?? empty };
    const isFlow =
      event.style === COLLECTION_STYLE.FLOW && /[[{]/.test(this.#text[event.start] ?? "");
    this.#at = event.start + (isFlow ? 1 : 0);
    const parts =
      event.type === EVENT_ID.SEQUENCE ? { items: this.#items() } : { entries: this.#entries() };
    if (isFlow) this.#at = this.#skip(BEFORE_END) + 1;
    const last = parts.items?.at(-1) ?? parts.entries?.at(-1)?.value;
    // A block ends with its last part.
    const end = isFlow ? this.#at : (last?.span.end ?? event.start);
    return { span: { start: event.start, end }, ...parts };
  }

  /** The position of a scalar; undefined if it is not written. */
  #scalar({ style, valueStart, valueEnd }: ScalarEvent): Span | undefined {
    if (valueStart === -1) return undefined;
    let span = { start: valueStart, end: valueEnd };
    if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED) {
      span = { start: valueStart - 1, end: valueEnd + 1 };
    } else if (style !== SCALAR_STYLE.PLAIN) {
      const start = this.#blockStart(valueStart);
      let end = start + this.#text.slice(start, valueEnd).trimEnd().length;
      // Spaces at the end of the last line are part of the text; the empty lines below are not.
      while (end < valueEnd && " \t".includes(this.#text.charAt(end))) end++;
      span = { start, end };
    }
    this.#at = span.end;
    return span;
  }

  /** The offset of the `|` or `>` on the line before the text of a block. */
  #blockStart(valueStart: number): number {
    const before = this.#text.slice(this.#at, valueStart).trimEnd();
    const from = Math.max(this.#at, lineStart(this.#text, this.#at + before.length));
    return from + this.#text.slice(from, valueStart).search(/[|>]/);
  }

  #items(): PlacedNode[] {
    const items: PlacedNode[] = [];
    while (this.#peek().type !== EVENT_ID.POP) {
      const item = this.#item();
      items.push(item);
    }
    this.#next();
    return items;
  }

  /** Finds an item of a list, or a document. The position of an item that is not written is the dash. */
  #item(): PlacedNode {
    const event = this.#peek();
    if (event.type !== EVENT_ID.SCALAR || event.valueStart !== -1)
      return this.#node({ start: 0, end: 0 });
    const dash = this.#skip(BEFORE_END);
    if (this.#text[dash] !== "-") return this.#node({ start: 0, end: 0 });
    this.#at = dash + 1;
    return this.#node(oneAt(dash));
  }

  #entries(): PlacedEntry[] {
    const entries: PlacedEntry[] = [];
    const keys = this.#duplicates === undefined ? undefined : new ObjectKeys();
    while (this.#peek().type !== EVENT_ID.POP) {
      const [name, key] = this.#key();
      const duplicate = keys?.add(name, key);
      if (duplicate !== undefined && (this.#duplicates?.length ?? 0) < MAX_FINDINGS) {
        this.#duplicates?.push(duplicate);
      }
      const value = this.#node(key);
      entries.push({ name, key, value });
    }
    this.#next();
    return entries;
  }

  #key(): [name: string, span: Span] {
    const index = this.#index;
    const event = this.#peek();
    const isEmpty = event.type === EVENT_ID.SCALAR && event.valueStart === -1;
    const { span, entries, items } = this.#node(
      isEmpty ? oneAt(this.#skip(BEFORE_KEY)) : NOWHERE.span,
    );
    if (entries !== undefined || items !== undefined) {
      const message =
        "not valid YAML: the name of a field must be a string, not a list or an object";
      throw new Refused({ rule: "syntax", message, span });
    }
    const name =
      event.type === EVENT_ID.SCALAR ? this.#nameOf(event) : this.#aliased.get(index)?.name;
    return [name ?? "", span];
  }

  /** A scalar as a key: `0x10` is "16". */
  #nameOf(event: ScalarEvent): string {
    const isString = event.style !== SCALAR_STYLE.PLAIN && event.tagStart === -1;
    if (isString || this.#document === undefined) return getScalarValue(this.#text, event);
    const events = [this.#document, event, { type: EVENT_ID.POP }];
    const values = attempt(() => constructFromEvents(events, { source: this.#text }));
    // An unknown tag is reported for the value that has it.
    return values === undefined ? getScalarValue(this.#text, event) : String(values[0]);
  }

  /** The offset of the next character that is neither a separator nor in a comment. */
  #skip(separators: string): number {
    let at = this.#at;
    while (at < this.#text.length) {
      const character = this.#text.charAt(at);
      if (character === "#") at = lineStop(this.#text, at);
      else if (separators.includes(character)) at++;
      else break;
    }
    return at;
  }
}
