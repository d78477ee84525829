/** Turns an error into text for people and into JSON for programs. */

import { maskValue } from "../base/credentials.ts";
import { CatalogError, type ErrorFacts, type ErrorKind } from "../base/errors.ts";
import { escapeLine, escapeText, safeJson } from "../base/text.ts";
import type { Styles } from "./text-measure.ts";

/** The facts that JSON contains under the same names. */
const FACTS = ["hint", "details", "status", "code", "file", "line", "column", "rule"] as const;

/** An error as scripts read it; unknown facts are omitted, and the advice is named `next`. */
export interface FailureFacts extends Pick<ErrorFacts, (typeof FACTS)[number]> {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly next?: string | undefined;
}

/** The same error with secrets masked in its text, which may quote the service. */
export function maskFailure(error: CatalogError, mask: (text: string) => string): CatalogError {
  const { hint, details, code, file, advice } = error.facts;
  const masked = maskValue({ hint, details, code, file, advice }, mask) as ErrorFacts;
  return new CatalogError(error.kind, mask(error.message), { ...error.facts, ...masked });
}

/** The error as plain data for JSON. */
export function failureFacts({ kind, message, facts }: CatalogError): FailureFacts {
  const all = [...FACTS.map((name) => [name, facts[name]]), ["next", facts.advice]];
  const known = all.filter(([, value]) => value !== undefined);
  return { kind, message, ...Object.fromEntries(known) };
}

/** The error as `{"error": {…}}` on one line, without a line break. */
export function failureJson(error: CatalogError): string {
  return safeJson({ error: failureFacts(error) });
}

/** The problem and its reasons: `message: hint. details`. */
export function failureSummary({ message, facts }: CatalogError): string {
  return [message, serviceWords(facts)].filter(Boolean).join(": ");
}

/** What the service said about a failure: `hint. details`; empty if it said nothing. */
function serviceWords({ hint = "", details = "" }: ErrorFacts): string {
  const parts = [hint, details].filter((part) => part.trim() !== "");
  return parts.join(". ").replace(/\.\. /, ". ");
}

/**
 * The error as a paragraph, without a final line break: the place, the problem, the reasons, what to do.
 *
 *     courses/a.yaml:6:8: error: the service rejected the course [service]
 *       service: audio is invalid
 *
 * @param hasCode whether the code, which only programs understand, is shown
 */
export function failureText(error: CatalogError, styles: Styles, hasCode = false): string {
  const { code, rule, advice } = error.facts;
  const level = styles.red("error:");
  const message = indentLines(error.message);
  // Problems of `check` begin in the same way, so that editors find the place of both.
  const end = rule === undefined ? "" : ` ${styles.dim(`[${escapeLine(rule)}]`)}`;
  const lines = [`${positionPrefix(error)}${level} ${message}${end}`];
  const reasons = { service: serviceWords(error.facts), code: hasCode ? code : undefined };
  for (const [name, text] of Object.entries(reasons)) {
    if (text?.trim()) lines.push(`  ${styles.cyan(`${name}:`)} ${indentLines(text)}`);
  }
  if (advice?.trim()) lines.push(`  ${endSentence(indentLines(advice))}`);
  return lines.join("\n");
}

/** `file:line:column: ` if the line is known; otherwise the message names the file. */
export function positionPrefix({ facts: { file, line, column } }: CatalogError): string {
  if (file === undefined || line === undefined) return "";
  const position = [file, line, ...(column === undefined ? [] : [column])].join(":");
  return `${escapeLine(position)}: `;
}

function indentLines(text: string): string {
  return escapeText(text.trimEnd()).replaceAll("\n", "\n    ");
}

/** Adds a missing period, but not to what can be copied at the end of `For example: catalog courses check courses/`. */
function endSentence(text: string): string {
  return /[.!?…]["')]?$|: (?!.*[.!?] )\S/.test(text) ? text : `${text}.`;
}

/**
 * The causes of an error, for `--verbose`, without a final line break; empty if there is none. Stacks are
 * shown only for bugs of `catalog`: the stack of a failed request is inside the HTTP client.
 */
export function causesText(error: CatalogError): string {
  const isBug = error.kind === "internal";
  const format = (thrown: unknown): string =>
    escapeText(thrown instanceof Error ? (isBug && thrown.stack) || `${thrown}` : String(thrown));
  const lines = isBug ? [format(error)] : [];
  let cause = error.cause;
  // An error can be the cause of itself.
  for (let depth = 0; cause !== undefined && cause !== null && depth < 5; depth++) {
    lines.push(`caused by: ${format(cause)}`);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return lines.join("\n");
}
