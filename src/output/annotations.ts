/** Writes diagnostics as GitHub's workflow commands, which become annotations. */
import { escapeLine } from "../base/text.ts";
import type { CheckReport, Diagnostic } from "./diagnostic.ts";
import { quoted } from "./suggestion.ts";

/** One `::error …` or `::warning …` line a diagnostic; empty when there is none. */
export function githubAnnotations({ diagnostics }: CheckReport): string {
  return diagnostics.map((diagnostic) => `${annotation(diagnostic)}\n`).join("");
}

function annotation(diagnostic: Diagnostic): string {
  const { severity, file, line, column, endLine, endColumn, rule, suggestion } = diagnostic;
  const properties = Object.entries({ file, line, col: column, endLine, endColumn, title: rule })
    .map(([name, value]) => `${name}=${property(String(value))}`)
    .join(",");
  const meant = suggestion === undefined ? "" : ` (did you mean ${quoted(suggestion, rule)}?)`;
  return `::${severity} ${properties}::${data(diagnostic.message + meant)}`;
}

/** GitHub's escaping first: it keeps line breaks, which `oneLine` would write out. */
function data(text: string): string {
  return escapeLine(text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"));
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
