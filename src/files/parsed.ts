/** What parsing a text comes to, whichever of the two languages it is in. */
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
  /** The place of the first of two alike. */
  readonly earlier?: Span;
}

/** A parsed text: its documents in order, and the means to find their places. */
export interface Parsed {
  readonly documents: readonly unknown[];
  readonly problems: readonly TextProblem[];
  /**
   * The place of each document. The text is parsed once more at the first call: to keep what only
   * a mistake needs would cost every good file memory, and time.
   */
  readonly places: () => readonly PlacedNode[];
}

/** The problem of a key that stands twice in one mapping. */
export function duplicateKey(name: string, span: Span, earlier: Span): TextProblem {
  return {
    rule: "duplicate-key",
    message: `duplicate key ${JSON.stringify(truncate(name))}`,
    span,
    earlier,
  };
}
