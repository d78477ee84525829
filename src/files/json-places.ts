/** Finds the places of values in a JSON text that is known to be valid. */
import { isBlank, scanString } from "./json-scan.ts";
import { duplicateKey, type TextProblem } from "./parsed.ts";
import type { PlacedNode, Span } from "./position.ts";

/** The place of the whole; that of each part is looked up when it is asked for, and then kept. */
export function placeJson(text: string): PlacedNode {
  return new JsonNode(text, valueAt(text, pastBlanks(text, 0)));
}

/** Every key that stands twice in one mapping, at its later places, at most so many of them. */
export function repeatedKeys(text: string, most: number): readonly TextProblem[] {
  const problems: TextProblem[] = [];
  const open: Span[] = [valueAt(text, pastBlanks(text, 0))];
  for (let span = open.pop(); span !== undefined && problems.length < most; span = open.pop()) {
    const first = new Map<string, Span>();
    const inner: Span[] = [];
    for (const { key, value } of partsOf(text, span)) {
      if (isContainer(text, value)) inner.push(value);
      if (key === undefined) continue;
      const name = nameOf(text, key);
      const earlier = first.get(name);
      if (earlier === undefined) first.set(name, key);
      else problems.push(duplicateKey(name, key, earlier));
    }
    // The last goes first onto the pile, so that the first is looked at next.
    while (inner.length > 0) open.push(inner.pop() ?? span);
  }
  return problems.sort((one, other) => one.span.start - other.span.start);
}

class JsonNode implements PlacedNode {
  readonly span: Span;
  readonly #text: string;
  #entries: PlacedNode["entries"] | undefined;
  #items: PlacedNode["items"] | undefined;

  constructor(text: string, span: Span) {
    this.#text = text;
    this.span = span;
  }

  get entries(): PlacedNode["entries"] {
    if (this.#text[this.span.start] !== "{") return undefined;
    this.#entries ??= new Map(
      [...partsOf(this.#text, this.span)].flatMap(({ key, value }) =>
        key === undefined
          ? []
          : [[nameOf(this.#text, key), { key, value: new JsonNode(this.#text, value) }] as const],
      ),
    );
    return this.#entries;
  }

  get items(): PlacedNode["items"] {
    if (this.#text[this.span.start] !== "[") return undefined;
    this.#items ??= Array.from(
      partsOf(this.#text, this.span),
      ({ value }) => new JsonNode(this.#text, value),
    );
    return this.#items;
  }
}

interface Part {
  readonly key?: Span;
  readonly value: Span;
}

/** The parts of a mapping or list, with their keys; none of anything else. */
function* partsOf(text: string, { start }: Span): Generator<Part, void, void> {
  if (text[start] !== "{" && text[start] !== "[") return;
  const isMapping = text[start] === "{";
  let at = pastBlanks(text, start + 1);
  while (text[at] !== "}" && text[at] !== "]" && at < text.length) {
    let key: Span | undefined;
    if (isMapping) {
      key = { start: at, end: scanString(text, at) + 1 };
      // Behind the key stands a colon.
      at = pastBlanks(text, pastBlanks(text, key.end) + 1);
    }
    const value = valueAt(text, at);
    yield key === undefined ? { value } : { key, value };
    at = pastBlanks(text, value.end);
    if (text[at] === ",") at = pastBlanks(text, at + 1);
  }
}

/** The span of the value that begins at an offset. */
function valueAt(text: string, start: number): Span {
  const first = text[start];
  if (first === '"') return { start, end: scanString(text, start) + 1 };
  if (first !== "{" && first !== "[") {
    let end = start;
    while (end < text.length && !/[\s,\]}]/.test(text[end] ?? "")) end++;
    return { start, end };
  }
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = scanString(text, at);
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) {
      return { start, end: at + 1 };
    }
  }
  return { start, end: text.length };
}

function isContainer(text: string, { start }: Span): boolean {
  return text[start] === "{" || text[start] === "[";
}

function nameOf(text: string, key: Span): string {
  return String(JSON.parse(text.slice(key.start, key.end)));
}

function pastBlanks(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}
