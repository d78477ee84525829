/** Positions in a text, and the tree of the positions of all values and keys. */
import { copyString } from "../base/text.ts";
import { memoize, type Path } from "../base/values.ts";

/** A part of a text, from `start` to before `end`, in UTF-16 units from 0. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One entry of an object. */
export interface PlacedEntry {
  readonly name: string;
  readonly key: Span;
  readonly value: PlacedNode;
}

/** The position of a value, and of its parts. */
export interface PlacedNode {
  readonly span: Span;
  /** The entries of an object, in the order of the text. */
  readonly entries?: readonly PlacedEntry[];
  /** The items of a list. */
  readonly items?: readonly PlacedNode[];
  /** Whether it is a YAML alias: the positions of its parts are those of its anchor. */
  readonly isAlias?: boolean;
}

/** A span in lines and columns, both from 1; columns count UTF-16 units. */
export interface Range {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/**
 * The span of a problem at a path: that of the value, of its key, or of the object without the key.
 * For a path that the file does not have, the nearest part that exists.
 */
export function spanAt(root: PlacedNode, path: Path, at: "value" | "key" | "parent"): Span {
  let node = root;
  let key: Span | undefined;
  const steps = at === "parent" ? path.slice(0, -1) : path;
  for (const step of steps) {
    if (typeof step === "number") {
      const item = node.items?.[step];
      if (item === undefined) return node.span;
      node = item;
      key = undefined;
    } else {
      const entry = node.entries?.findLast(({ name }) => name === step);
      if (entry === undefined) return node.span;
      node = entry.value;
      key = entry.key;
    }
  }
  return at === "key" && key !== undefined ? key : node.span;
}

/** A line, or a part of it. */
export interface LineExcerpt {
  readonly source: string;
  /** How many characters of the line precede the part; absent if none do. */
  readonly sourceFrom?: number;
}

/** Characters of a line that an excerpt contains, and how many of them precede the column. */
const LONGEST = 4096;
const BEFORE = 1024;

/** Finds lines and columns in one text. Lines are counted when they are first needed. */
export class LineIndex {
  readonly #text: string;
  readonly #starts: () => Uint32Array;

  constructor(text: string) {
    this.#text = text;
    this.#starts = memoize(() => findLineStarts(text));
  }

  range(span: Span): Range {
    const start = this.#locate(span.start);
    const end = this.#locate(Math.max(span.start, span.end));
    return { ...start, endLine: end.line, endColumn: end.column };
  }

  text(span: Span): string {
    return this.#text.slice(span.start, span.end);
  }

  /** A line without its end; of a very long one, the part near a column. */
  excerpt(line: number, column: number): LineExcerpt {
    const start = this.#starts()[line - 1] ?? this.#text.length;
    const complete = firstLine(this.#text.slice(start, start + LONGEST));
    // A slice keeps its parent string in memory.
    if (complete.length < LONGEST) return { source: copyString(complete) };
    const from = Math.max(0, column - 1 - BEFORE);
    const source = firstLine(this.#text.slice(start + from, start + from + LONGEST));
    return { source: copyString(source), sourceFrom: from };
  }

  #locate(offset: number): { line: number; column: number } {
    const within = Math.min(Math.max(0, offset), this.#text.length);
    // Between the two characters of a line end there is no position.
    const isInLineEnd = within > 0 && this.#text.startsWith("\r\n", within - 1);
    const at = isInLineEnd ? within - 1 : within;
    const starts = this.#starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 };
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The offsets at which lines begin. A text may be nothing but line ends, so they are packed. */
function findLineStarts(text: string): Uint32Array {
  let starts = new Uint32Array(64);
  let count = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > CARRIAGE_RETURN) continue;
    const isEnd =
      code === LINE_FEED || (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED);
    if (!isEnd) continue;
    if (count === starts.length) {
      const larger = new Uint32Array(2 * count);
      larger.set(starts);
      starts = larger;
    }
    starts[count++] = at + 1;
  }
  return starts.subarray(0, count);
}

function firstLine(text: string): string {
  return text.slice(0, /[\r\n]/.exec(text)?.index ?? text.length);
}
