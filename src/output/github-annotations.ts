/** Describes the result of a check as annotations of GitHub Actions. */
import { neutralizeMarkers } from "../base/secrets.ts";
import { escapeLine } from "../base/text.ts";
import { type CheckReport, commandOf, didYouMean } from "./diagnostics.ts";
import { failureSummary } from "./failure.ts";

/** One GitHub workflow command per diagnostic and failure, each ending its line. */
export function githubAnnotations(report: CheckReport): string {
  const { diagnostics, failures = [] } = report;
  return [
    ...diagnostics.map((diagnostic) => {
      const { severity, file, line, column, endLine, endColumn, rule: title } = diagnostic;
      // On several lines, such as an entire course, an annotation would be shown at the last one.
      const end = endLine === line ? { endLine, endColumn } : { endLine: line };
      const text = diagnostic.message + didYouMean(diagnostic);
      return annotation(severity, { file, line, col: column, ...end, title }, text);
    }),
    ...failures.map((failure) => {
      const { file, line, column: col, advice } = failure.facts;
      const title = commandOf(report);
      const text = [failureSummary(failure), ...(advice === undefined ? [] : [advice])].join("\n");
      return annotation("error", { file, line, col, title }, text);
    }),
  ].join("");
}

function annotation(
  severity: string,
  properties: Readonly<Record<string, string | number | undefined>>,
  text: string,
): string {
  const list = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
    .join(",");
  return `::${severity} ${list}::${escapeData(text)}\n`;
}

/** GitHub's escapes come first, because GitHub shows their line breaks and `escapeLine` would not. */
function escapeData(text: string): string {
  const encoded = text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  return neutralizeMarkers(escapeLine(encoded));
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
