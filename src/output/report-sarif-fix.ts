/** Tells what to write in the place of a finding, where that is certain to the letter. */
import type { RuleId } from "../course/problem.ts";
import type { Diagnostic } from "./diagnostic.ts";

/** The rules whose suggestion is written as it stands, with the quotation marks that it needs. */
const WRITTEN: ReadonlySet<RuleId> = new Set<RuleId>(["type", "paid-content"]);

/**
 * The rules whose suggestion is a text, which stands in quotation marks as the old one did. A key is
 * not among them: the one that was meant may be there already.
 */
const WORDS: ReadonlySet<RuleId> = new Set<RuleId>(["choice", "language-code", "currency-code"]);

/**
 * The text that belongs in the place of the finding, or undefined where only a person can tell: a
 * suggestion that is no plain word, a place over several lines, an anchor, an alias or a tag.
 */
export function replacementOf(diagnostic: Diagnostic): string | undefined {
  const { rule, suggestion, source = "", sourceFrom = 0 } = diagnostic;
  const { line, endLine, column, endColumn } = diagnostic;
  if (suggestion === undefined || line !== endLine) return undefined;
  const written = source.slice(column - 1 - sourceFrom, endColumn - 1 - sourceFrom);
  const [, quote] = /^(["']?)[\w.,+ -]+\1$/.exec(written) ?? [];
  if (quote === undefined) return undefined;
  if (WRITTEN.has(rule)) return suggestion;
  return WORDS.has(rule) && isWord(suggestion) ? quote + suggestion + quote : undefined;
}

/** Whether a text stays one in YAML without quotation marks. */
function isWord(text: string): boolean {
  return /^[A-Za-z][\w-]*$/.test(text) && !/^(null|true|false)$/i.test(text);
}
