/** Describes the result of a check as annotations of GitHub Actions. */
import { neutralizeMarkers } from "../base/secrets.ts";
import { escapeLine } from "../base/text.ts";
import { type CheckReport, commandOf, reportEntries } from "./diagnostics.ts";

/** One GitHub workflow command per finding and failure, each ending its line. */
export function githubAnnotations(report: CheckReport): string {
  const lines = reportEntries(report).map((entry) => {
    const { isFailure, level, id, file, line, column: col, advice } = entry;
    // On several lines, such as an entire course, an annotation would be shown at the last one.
    const endColumn = entry.endLine === line ? entry.endColumn : undefined;
    const end = { endLine: isFailure ? undefined : line, endColumn };
    const properties = { file, line, col, ...end, title: isFailure ? commandOf(report) : id };
    const list = Object.entries(properties)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
    const text = advice === undefined ? entry.text : `${entry.text}\n${advice}`;
    return `::${level} ${list.join(",")}::${escapeData(text)}\n`;
  });
  return lines.join("");
}

/** GitHub's escapes come first, because GitHub shows their line breaks and `escapeLine` would not. */
function escapeData(text: string): string {
  const encoded = text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  return neutralizeMarkers(escapeLine(encoded));
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
