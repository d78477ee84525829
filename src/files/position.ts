/** Places in a text, and the tree that says where each value and key stands. */
import { copyString } from "../base/text.ts";
import type { Path } from "../base/values.ts";

/** A stretch of a text, from `start` to before `end`, in UTF-16 units from 0. */
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

/** A place as people count: lines and columns from 1, columns in UTF-16 units. */
export interface Range {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/**
 * The span that a problem at a path means: the value, its key, or the mapping that lacks it. Where
 * the path leads out of the file, the nearest part that is there.
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

/** Lines are marked at every so many characters, which bounds what a question costs. */
const STRETCH = 4096;

/** The line on which a stretch of the text begins. */
interface Mark {
  readonly line: number;
  /** Where that line begins. */
  readonly start: number;
}

/** Finds lines and columns in one text; the lines are counted at the first question. */
export class LineIndex {
  readonly #text: string;
  #counted: readonly Mark[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The range of a span. */
  range(span: Span): Range {
    const start = this.#place(span.start);
    const end = this.#place(Math.max(span.start, span.end));
    return {
      line: start.line,
      column: start.column,
      endLine: end.line,
      endColumn: end.column,
    };
  }

  /** What is written in a span. */
  text(span: Span): string {
    return this.#text.slice(span.start, span.end);
  }

  /**
   * A line without its end, or of a very long one what is near a column, in memory of its own: a
   * piece of a text keeps the whole of it.
   */
  excerpt(line: number, column: number): LineExcerpt {
    const start = this.#startOf(line);
    const whole = withoutRest(this.#text.slice(start, start + LONGEST));
    if (whole.length < LONGEST) return { source: copyString(whole) };
    const from = Math.max(0, column - 1 - BEFORE);
    const source = withoutRest(this.#text.slice(start + from, start + from + LONGEST));
    return { source: copyString(source), sourceFrom: from };
  }

  #place(offset: number): { line: number; column: number } {
    const within = this.#outsideOfLineEnd(Math.min(Math.max(0, offset), this.#text.length));
    const stretch = Math.floor(within / STRETCH);
    let { line, start } = this.#marks()[stretch] ?? FIRST;
    for (const next of this.#lineStarts(stretch * STRETCH)) {
      if (next > within) break;
      line++;
      start = next;
    }
    return { line, column: within - start + 1 };
  }

  /** Between the two characters of a line end is no place. */
  #outsideOfLineEnd(offset: number): number {
    return offset > 0 && this.#text.startsWith("\r\n", offset - 1) ? offset - 1 : offset;
  }

  #startOf(line: number): number {
    const marks = this.#marks();
    let low = 0;
    let high = marks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((marks[middle] ?? FIRST).line <= line) low = middle;
      else high = middle - 1;
    }
    const mark = marks[low] ?? FIRST;
    if (mark.line === line) return mark.start;
    let reached = mark.line;
    for (const start of this.#lineStarts(low * STRETCH)) {
      if (++reached === line) return start;
    }
    return this.#text.length;
  }

  /** Where lines begin behind an offset, within the stretch that begins there and a little more. */
  *#lineStarts(from: number): Generator<number, void, void> {
    // A line end of two characters may have its first one before the stretch.
    const before = this.#text.startsWith("\r\n", from - 1) && from > 0 ? 1 : 0;
    const stretch = this.#text.slice(from - before, from + STRETCH + 1);
    for (const { index, 0: end } of stretch.matchAll(LINE_END)) {
      yield from - before + index + end.length;
    }
  }

  #marks(): readonly Mark[] {
    if (this.#counted !== undefined) return this.#counted;
    const text = this.#text;
    const marks: Mark[] = [];
    let line = 1;
    let start = 0;
    // Code by code, as a text may be nothing but line ends.
    for (let at = 0; at <= text.length; at++) {
      if (at % STRETCH === 0) marks.push({ line, start });
      const code = text.charCodeAt(at);
      const isEnd =
        code === LINE_FEED || (code === RETURN && text.charCodeAt(at + 1) !== LINE_FEED);
      if (!isEnd) continue;
      line++;
      start = at + 1;
    }
    this.#counted = marks;
    return marks;
  }
}

const LINE_FEED = 0x0a;
const RETURN = 0x0d;

const FIRST: Mark = { line: 1, start: 0 };

const LINE_END = /\r\n|\n|\r/g;

/** A line, or a part of it. */
export interface LineExcerpt {
  readonly source: string;
  /** How many characters of the line stand before the part; none if it is left out. */
  readonly sourceFrom?: number;
}

const LONGEST = 4096;
const BEFORE = 1024;

/** The text up to its first line end. */
function withoutRest(text: string): string {
  return text.slice(0, /[\r\n]/.exec(text)?.index ?? text.length);
}
