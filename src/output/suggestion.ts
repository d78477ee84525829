/** Says what was probably meant. */
import { escapeLine } from "../base/text.ts";
import type { RuleId } from "../course/problem.ts";

/** The rules whose suggestion is written as it stands, with the quotation marks that it needs. */
const WRITTEN: ReadonlySet<RuleId> = new Set<RuleId>(["type", "paid-content"]);

/** A suggestion on one line as it would be written: a word in quotation marks, a number without. */
export function quoted(suggestion: string, rule: RuleId): string {
  return WRITTEN.has(rule) ? escapeLine(suggestion) : `"${escapeLine(suggestion)}"`;
}
