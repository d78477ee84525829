/** Describes the result of a check as annotations of GitHub Actions. */
import { escapeJson, escapeLine } from "../base/text.ts";
import { type CheckReport, commandOf, reportEntries } from "./diagnostics.ts";

/** One GitHub workflow command per problem and failure, each ending its line. */
export function githubAnnotations(report: CheckReport): string {
  const lines = reportEntries(report).map((entry) => {
    const { isFailure, level, id, file, line, column: col, advice } = entry;
    // GitHub shows an annotation of several lines, such as a complete course, at the last line.
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

/** Escapes line breaks in GitHub's way first, because GitHub shows those as line breaks. */
function escapeData(text: string): string {
  const encoded = text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  return escapeJson(escapeLine(encoded));
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
