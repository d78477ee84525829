/** Finds the positions of everything in a YAML text, and its errors, with `yaml`. */
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  type Scalar,
} from "yaml";
import { formatNumber, truncate } from "../base/text.ts";
import {
  MAX_DEPTH,
  MAX_EXPANSION,
  MAX_FINDINGS,
  MAX_PLACED_VALUES,
  MAX_SLOW_YAML,
  tooDeep,
} from "./limits.ts";
import { ObjectKeys, type TextProblem } from "./parsed.ts";
import { oneAt, type PlacedEntry, type PlacedNode, type Span } from "./position.ts";
import { describeYamlError, unclosedProblem } from "./yaml-errors.ts";

/** The positions of each document of a source text, and its value. */
export interface PlacedYaml {
  readonly places: readonly PlacedNode[];
  readonly values: readonly unknown[];
  /** The keys that one object has twice, in the order of the text. */
  readonly duplicates: readonly TextProblem[];
  /** The first error; places and values are then incomplete. */
  readonly problem?: TextProblem;
}

/** Parses a source text, or a complete part of it; undefined if that takes too much time or memory. */
export function placeYaml(text: string, part?: Span): PlacedYaml | undefined {
  const parsed = part === undefined ? text : text.slice(part.start, part.end);
  if (parsed.length > MAX_SLOW_YAML) return undefined;
  // `yaml` does not treat a lone carriage return as a line break, as YAML does.
  const tokens = parseTokens(parsed.replace(/\r(?!\n)/g, "\n"), part?.start ?? 0);
  if (tokens === undefined) return undefined;
  if ("rule" in tokens) return failed(tokens);
  const unclosed = findUnclosed(tokens);
  const options = { schema: "core", uniqueKeys: false, strict: true, logLevel: "silent" } as const;
  const documents = [...new Composer(options).compose(tokens)];
  for (const { errors, warnings } of documents) {
    const [error] = [...errors, ...warnings];
    if (error === undefined) continue;
    return failed(describeYamlError(error, documents, text, unclosed));
  }
  const [quote] = unclosed;
  if (quote !== undefined) return failed(unclosedProblem(text, quote));
  try {
    const duplicates: TextProblem[] = [];
    const placed = documents.map((document) => new Placer(text, duplicates).place(document));
    return {
      duplicates,
      places: placed.map(({ place }) => place),
      values: placed.map(({ value }) => value),
    };
  } catch (error) {
    if (error instanceof Refused) return failed(error.problem);
    throw error;
  }
}

function failed(problem: TextProblem): PlacedYaml {
  return { places: [], values: [], duplicates: [], problem };
}

/** The tokens of a source text; a problem if they nest too deeply, undefined if there are too many. */
function parseTokens(text: string, offset: number): CST.Token[] | TextProblem | undefined {
  const parser = new Parser();
  parser.offset = offset;
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > MAX_PLACED_VALUES) return undefined;
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length <= MAX_DEPTH) continue;
    const deepest = parser.stack.filter((token) => "items" in token)[MAX_DEPTH];
    if (deepest !== undefined) return tooDeep(deepest.offset);
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

/** The offsets of the quotes and brackets that are never closed. */
function findUnclosed(tokens: readonly CST.Token[]): readonly number[] {
  return tokens.flatMap((token) => {
    const parts = "items" in token ? token.items.flatMap(({ key, value }) => [key, value]) : [];
    if (token.type === "document") parts.push(token.value);
    const inner = parts.filter((part) => part !== null && part !== undefined);
    return [...(isUnclosed(token) ? [token.offset] : []), ...findUnclosed(inner)];
  });
}

function isUnclosed(token: CST.Token): boolean {
  if (token.type === "flow-collection") {
    return token.end[0]?.source !== (token.start.source === "[" ? "]" : "}");
  }
  if (token.type === "single-quoted-scalar") return !/^'[^']*(?:''[^']*)*'$/.test(token.source);
  if (token.type !== "double-quoted-scalar") return false;
  const inner = token.source.slice(1);
  if (!inner.endsWith('"')) return true;
  // An even number of backslashes before it escapes one another.
  return (/\\*$/.exec(inner.slice(0, -1))?.[0].length ?? 0) % 2 === 1;
}

interface Placed {
  readonly place: PlacedNode;
  readonly value: unknown;
}

/** A value with an anchor, and how many values it contains. */
interface Anchored extends Placed {
  readonly size: number;
}

class Refused extends Error {
  readonly problem: TextProblem;
  constructor(problem: TextProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Walks the nodes of a document in the order of the text. */
class Placer {
  readonly #text: string;
  readonly #duplicates: TextProblem[];
  /** By name; `open` while the walk is within the value. */
  readonly #anchors = new Map<string, Anchored | "open">();
  #values = 0;
  #added = 0;

  constructor(text: string, duplicates: TextProblem[]) {
    this.#text = text;
    this.#duplicates = duplicates;
  }

  place({ contents }: Document.Parsed): Placed {
    return this.#node(contents, { start: 0, end: 0 });
  }

  /** @param empty the position of a value that is not written */
  #node(node: Node | null, empty: Span): Placed {
    if (node === null) return { place: { span: empty }, value: null };
    if (isAlias(node)) return this.#alias(node.source, rangeOf(node));
    const before = this.#values++;
    const { anchor } = node as Scalar;
    if (anchor !== undefined) this.#anchors.set(anchor, "open");
    const placed = this.#content(node, empty);
    const isOpen = anchor !== undefined && this.#anchors.get(anchor) === "open";
    // An inner value may have the same anchor, and is then the one that aliases refer to.
    if (isOpen) this.#anchors.set(anchor, { ...placed, size: this.#values - before });
    return placed;
  }

  #alias(name: string, span: Span): Placed {
    const anchored = this.#anchors.get(name);
    if (anchored === undefined) {
      const message = `not valid YAML: no anchor &${truncate(name)}; put a value that starts with * in quotes`;
      throw new Refused({ rule: "syntax", message, span: oneAt(span.start) });
    }
    const size = anchored === "open" ? Number.POSITIVE_INFINITY : anchored.size;
    this.#values += size;
    this.#added += size;
    if (anchored === "open" || this.#added > MAX_EXPANSION) {
      const message = `the aliases of this file add more than ${formatNumber(MAX_EXPANSION)} values`;
      throw new Refused({ rule: "too-many-aliases", message, span });
    }
    return { place: { ...anchored.place, span, isAlias: true }, value: anchored.value };
  }

  #content(node: Node, empty: Span): Placed {
    const { start, end } = rangeOf(node);
    if (isMap(node)) {
      const { entries, value } = this.#entries(node.items as readonly Pair[]);
      const span = { start, end: node.flow === true ? end : endOf(start, entries.at(-1)?.value) };
      return { place: { span, entries }, value };
    }
    if (isSeq(node)) {
      const placed = node.items.map((item) => this.#node(item as Node, this.#dash(item as Node)));
      const items = placed.map(({ place }) => place);
      const span = { start, end: node.flow === true ? end : endOf(start, items.at(-1)) };
      return { place: { span, items }, value: placed.map(({ value }) => value) };
    }
    const value = isScalar(node) ? node.value : null;
    if (start === end) return { place: { span: empty }, value };
    const written = this.#text.slice(start, end);
    const isQuoted = written.startsWith('"') || written.startsWith("'");
    const length = isQuoted ? written.length : written.trimEnd().length;
    return { place: { span: { start, end: start + length } }, value };
  }

  #entries(pairs: readonly Pair[]): { entries: PlacedEntry[]; value: object } {
    const value = {};
    const keys = new ObjectKeys();
    const entries = pairs.map((pair): PlacedEntry => {
      const at = pair.key === null ? { start: 0, end: 0 } : rangeOf(pair.key);
      const key = this.#node(pair.key, at);
      const { span } = key.place;
      if (key.place.entries !== undefined || key.place.items !== undefined) {
        const message = "not valid YAML: a key must be a string, not a list or an object";
        throw new Refused({ rule: "syntax", message, span });
      }
      const name = String(key.value);
      const empty = span.start === span.end ? oneAt(span.start) : span;
      const duplicate = keys.add(name, empty);
      if (duplicate !== undefined && this.#duplicates.length < MAX_FINDINGS) {
        this.#duplicates.push(duplicate);
      }
      const inner = this.#node(pair.value, empty);
      const property = { value: inner.value, configurable: true, enumerable: true, writable: true };
      Object.defineProperty(value, name, property);
      return { name, key: empty, value: inner.place };
    });
    return { entries, value };
  }

  /** The dash of a list item that is not written. */
  #dash(item: Node): Span {
    let at = rangeOf(item).start;
    while (at > 0 && /[ \t]/.test(this.#text[at - 1] ?? "")) at--;
    return oneAt(Math.max(0, at - 1));
  }
}

/** A pair as the parser makes it. */
interface Pair {
  readonly key: Node | null;
  readonly value: Node | null;
}

/** A block ends where its last part does; the parser adds the line breaks after it. */
function endOf(start: number, last: PlacedNode | undefined): number {
  return last === undefined ? start : last.span.end;
}

function rangeOf(node: Node): Span {
  const [start = 0, end = 0] = node.range ?? [];
  return { start, end };
}
