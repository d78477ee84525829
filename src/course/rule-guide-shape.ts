/** Says what is told about a rule, and helps to write it down. */
import type { Severity } from "./problem.ts";

/** What a person is told about one rule, on a terminal and on the page of all rules. */
export interface RuleGuide {
  /** `error`, or `warning` where a file is legal but surely not meant. */
  readonly severity: Severity;
  /** What the rule asks for: one sentence. */
  readonly summary: string;
  /** Why, and what to do: one short paragraph of plain text. */
  readonly explanation: string;
  /**
   * The part of a course file, as YAML without a line break at its end, that breaks this rule and no
   * other; required fields that it does not show are meant to be there. Absent where no text can
   * show it.
   */
  readonly wrong?: string;
  /** The same put right; there is one where there is a wrong one. */
  readonly right?: string;
}

/** A paragraph from a text that is broken into lines for the eye only. */
export function prose(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

/** A text without the indentation that all its lines share, and without blanks around it. */
export function example(text: string): string {
  const lines = text.replace(/^\n+|\s+$/g, "").split("\n");
  const shared = Math.min(...lines.filter((line) => line !== "").map(indentationOf));
  return lines.map((line) => line.slice(shared)).join("\n");
}

function indentationOf(line: string): number {
  return line.length - line.trimStart().length;
}
