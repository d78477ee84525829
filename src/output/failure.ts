/** Says what failed, why, and what to do next: as text and as JSON (cli.md section 3). */
import type { CatalogError, ErrorKind } from "../base/errors.ts";
import { escapeLine, escapeText } from "../base/text.ts";
import type { Styles } from "./color.ts";
import { terminalJson } from "./json-text.ts";

/** A failure as scripts read it; a fact that is not known has no key. */
export interface FailureFacts {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint?: string;
  readonly details?: string;
  readonly status?: number;
  readonly code?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly rule?: string;
  readonly next?: string;
}

/** The failure as plain data, for JSON. */
export function factsOf({ kind, message, facts }: CatalogError): FailureFacts {
  const { hint, details, status, code, file, line, column, rule, advice: next } = facts;
  return {
    kind,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(rule === undefined ? {} : { rule }),
    ...(next === undefined ? {} : { next }),
  };
}

/** The failure as `{"error": {…}}` on one line, without a line break. */
export function failureJson(error: CatalogError): string {
  return terminalJson(JSON.stringify({ error: factsOf(error) }));
}

/** The failure as a paragraph, without a line break at its end: what, why, and the next step. */
export function failureText(error: CatalogError, paint: Styles): string {
  const { hint, details, code, rule, advice: next } = error.facts;
  const level = paint.red("error:");
  // A finding about a file looks like check's, for eyes and for editors.
  const lines =
    rule === undefined
      ? [`${level} ${placeOf(error)}${indented(error.message)}`]
      : [
          `${placeOf(error)}${level} ${indented(error.message)} ${paint.dim(`[${escapeLine(rule)}]`)}`,
        ];
  for (const [name, words] of Object.entries({ hint, details, code })) {
    if (words !== undefined && words.trim() !== "") {
      lines.push(`  ${paint.cyan(`${name}:`)} ${indented(words)}`);
    }
  }
  if (next !== undefined && next.trim() !== "") lines.push(`  ${sentence(indented(next))}`);
  return lines.join("\n");
}

/** `file:line:column: `, or nothing where the message says so itself. */
function placeOf({ message, facts: { file, line, column } }: CatalogError): string {
  if (file === undefined) return "";
  const place = [file, line, line === undefined ? undefined : column]
    .filter((part) => part !== undefined)
    .join(":");
  return message.includes(place) ? "" : `${escapeLine(place)}: `;
}

function indented(text: string): string {
  return escapeText(text.trimEnd()).replaceAll("\n", "\n    ");
}

function sentence(text: string): string {
  return /[.!?…]["')]?$/.test(text) ? text : `${text}.`;
}

/** The stack of a failure and of what caused it, for `--verbose`; no line break at its end. */
export function stackText(error: CatalogError): string {
  const stacks = [stackOf(error)];
  let cause = error.cause;
  // A cause can be its own cause.
  for (let depth = 0; cause !== undefined && cause !== null && depth < 5; depth++) {
    stacks.push(`caused by: ${stackOf(cause)}`);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return stacks.join("\n");
}

function stackOf(thrown: unknown): string {
  return escapeText(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
}
