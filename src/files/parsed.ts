/** The result of parsing the text of a course file. */
import { truncate } from "../base/text.ts";
import type { Path } from "../base/values.ts";
import type { RuleId } from "../course/problem.ts";
import type { PlacedNode, Span } from "./position.ts";

/** Something wrong with the text itself. */
export interface TextProblem {
  readonly rule: Extract<
    RuleId,
    | "syntax"
    | "encoding"
    | "too-deep"
    | "too-many-aliases"
    | "too-large"
    | "duplicate-key"
    | "not-a-course"
  >;
  readonly message: string;
  readonly span: Span;
  /** For a duplicate key, the first one. */
  readonly earlier?: Span;
}

/** The positions of everything in a text. */
export interface Positions {
  /** The position of each document; none if finding them takes too much memory. */
  readonly places: readonly PlacedNode[];
  /** An error that only the parser that finds positions reports. */
  readonly problem?: TextProblem | undefined;
}

export interface Parsed {
  /** The documents in order, as plain data. */
  readonly documents: readonly unknown[];
  readonly problems: readonly TextProblem[];
  /** Parses the text again: only a file with a finding needs positions, and they take time. */
  readonly positions: () => Promise<Positions>;
  /**
   * The position of the only document, with at least the parts along a path, in much less time;
   * undefined if that needs all positions. Only some formats and texts have it.
   */
  readonly placeAlong?: (path: Path) => Promise<PlacedNode | undefined>;
  /** The offset of the only document; undefined if that needs all positions, as for some texts. */
  readonly start?: () => number | undefined;
  /** Whether all courses share their keys, which are the header of a table. */
  readonly isTable?: boolean;
}

/** A text that could not be parsed. */
export function unparsed(problem: TextProblem): Parsed {
  return { documents: [], problems: [problem], positions: async () => ({ places: [] }) };
}

/** Finds the keys that one object has twice. */
export class ObjectKeys {
  readonly #first = new Map<string, Span>();

  /** Adds the next key. @returns the problem if an earlier one has the same name */
  add(name: string, span: Span): TextProblem | undefined {
    const earlier = this.#first.get(name);
    if (earlier === undefined) {
      this.#first.set(name, span);
      return undefined;
    }
    const message = `duplicate key ${JSON.stringify(truncate(name))}`;
    return { rule: "duplicate-key", message, span, earlier };
  }
}
