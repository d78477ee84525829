/** Places in a text, and the tree that says where each value and key stands. */
import type { Path } from "../base/values.ts";

/** A stretch of a text, from `start` to before `end`, in UTF-16 units from 0. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a value stands, and where its parts do. */
export interface PlacedNode {
  readonly span: Span;
  /** The entries of a mapping by key; of a key given twice, the last. */
  readonly entries?: ReadonlyMap<string, { readonly key: Span; readonly value: PlacedNode }>;
  readonly items?: readonly PlacedNode[];
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
      const entry = node.entries?.get(step);
      if (entry === undefined) return node.span;
      node = entry.value;
      key = entry.key;
    }
  }
  return at === "key" && key !== undefined ? key : node.span;
}

/** Finds lines and columns in one text; the lines are counted at the first question. */
export class LineIndex {
  readonly #text: string;
  #starts: number[] | undefined;

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

  /** The text of a line, without its end. */
  line(number: number): string {
    const starts = this.#lines();
    const from = starts[number - 1] ?? this.#text.length;
    const to = starts[number] ?? this.#text.length;
    return this.#text.slice(from, to).replace(/\r?\n$|\r$/, "");
  }

  #place(offset: number): { line: number; column: number } {
    const starts = this.#lines();
    const within = Math.min(Math.max(0, offset), this.#text.length);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= within) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: within - (starts[low] ?? 0) + 1 };
  }

  #lines(): number[] {
    if (this.#starts !== undefined) return this.#starts;
    const starts = [0];
    for (const match of this.#text.matchAll(/\r\n|\n|\r/g))
      starts.push(match.index + match[0].length);
    this.#starts = starts;
    return starts;
  }
}
