/** Says what a finding is, in the words that all reports share. */
import { escapeLine } from "../base/text.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { quoted } from "./suggestion.ts";

/** The message on one line, with what was probably meant: `… (did you mean "currency"?)`. */
export function findingText({ rule, message, suggestion }: Diagnostic): string {
  const meant = suggestion === undefined ? "" : ` (did you mean ${quoted(suggestion, rule)}?)`;
  return escapeLine(message) + meant;
}
