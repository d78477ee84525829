/** The result of parsing a course file, in either format. */
import { truncate } from "../base/text.ts";
import type { RuleId } from "../course/problem.ts";
import type { PlacedNode, Span } from "./position.ts";

/** Something wrong with the text itself. */
export interface TextProblem {
  readonly rule: Extract<
    RuleId,
    "syntax" | "encoding" | "too-deep" | "too-many-aliases" | "too-large" | "duplicate-key"
  >;
  readonly message: string;
  readonly span: Span;
  /** For a duplicate key, the first one. */
  readonly earlier?: Span;
}

/** The positions of everything in a text. */
export interface Positions {
  /** The position of each document. */
  readonly places: readonly PlacedNode[];
  /** What only the parser that finds positions refuses. */
  readonly problem?: TextProblem | undefined;
}

/** A parsed text. */
export interface Parsed {
  /** The documents in order, as plain data. */
  readonly documents: readonly unknown[];
  readonly problems: readonly TextProblem[];
  /** Parses the text again: only a file with a finding needs positions, and they take time. */
  readonly positions: () => Positions;
}

/** A text that could not be parsed. */
export function unparsed(problem: TextProblem): Parsed {
  return { documents: [], problems: [problem], positions: () => ({ places: [] }) };
}

/** Keys that appear twice in one object, at most so many of them, in the order of the text. */
export function duplicateKeys(roots: readonly PlacedNode[], most: number): readonly TextProblem[] {
  const problems: TextProblem[] = [];
  const visit = ({ entries = [], items = [], isAlias = false }: PlacedNode): void => {
    // The parts of an alias are reported at its anchor.
    if (isAlias || problems.length >= most) return;
    const first = new Map<string, Span>();
    for (const { name, key, value } of entries) {
      const earlier = first.get(name);
      if (earlier === undefined) first.set(name, key);
      else {
        const message = `duplicate key ${JSON.stringify(truncate(name))}`;
        problems.push({ rule: "duplicate-key", message, span: key, earlier });
      }
      visit(value);
    }
    for (const item of items) visit(item);
  };
  for (const root of roots) visit(root);
  return problems.sort((one, other) => one.span.start - other.span.start).slice(0, most);
}
