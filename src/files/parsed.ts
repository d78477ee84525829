/** What parsing a text comes to, whichever of the two languages it is in. */
import type { RuleId } from "../course/problem.ts";
import type { PlacedNode, Span } from "./position.ts";

/** Something wrong with the text itself. */
export interface TextProblem {
  readonly rule: Extract<RuleId, "syntax" | "duplicate-key">;
  readonly message: string;
  readonly span: Span;
}

/** A parsed text: its documents in order, and their places when somebody asks. */
export interface Parsed {
  readonly documents: readonly unknown[];
  readonly problems: readonly TextProblem[];
  /** The place of each document; made at the first call. */
  readonly places: () => readonly PlacedNode[];
}
