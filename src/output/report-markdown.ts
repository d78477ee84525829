/** Writes the result of a check as a Markdown page for `$GITHUB_STEP_SUMMARY`. */
import { escapeLine, pluralize } from "../base/text.ts";
import { plain } from "./color.ts";
import { type CheckReport, type Diagnostic, findingText, summaryText } from "./diagnostics.ts";
import { failureSummary } from "./failure.ts";

/** The heading of a table of findings. */
export const FINDINGS = "\n| Position | Severity | Finding | Rule |\n| --- | --- | --- | --- |\n";

/**
 * A heading, what was done, the result of the check, and a table of findings, in at most `limit`
 * bytes; it says how many findings were left out. Empty if the limit is too low even for that.
 */
export function markdownReport(report: CheckReport, limit: number): string {
  const { diagnostics, outcome = [], command } = report;
  const summary = [...failedLines(report), ...outcome, summaryText(report, plain)].join("\n\n");
  const heading = command === undefined ? "Course files" : code(command);
  const parts = [`## ${heading}\n\n${summary}\n`];
  if (diagnostics.length > 0) parts.push(FINDINGS);
  // Reserves space for the last line, with the largest number that it can contain.
  let left = limit - byteLength(parts.join("")) - byteLength(omittedLine(diagnostics.length));
  if (left < 0) return "";
  let shown = 0;
  for (const diagnostic of diagnostics) {
    const line = findingRow(diagnostic);
    left -= byteLength(line);
    if (left < 0) break;
    parts.push(line);
    shown++;
  }
  if (shown < diagnostics.length) parts.push(omittedLine(diagnostics.length - shown));
  return parts.join("");
}

/** The failures of a run with their reasons, each on one line. */
export function failedLines({ failures = [] }: CheckReport): string[] {
  return failures.map((failure) => `**Failed:** ${code(escapeLine(failureSummary(failure)))}`);
}

function byteLength(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

function omittedLine(count: number): string {
  return `\n${pluralize(count, "more finding")} omitted to limit the size of this report.\n`;
}

/** A finding as a row of that table. */
export function findingRow(diagnostic: Diagnostic): string {
  const { file, line, column, severity, rule } = diagnostic;
  const cells = [
    code(`${escapeLine(file)}:${line}:${column}`),
    severity,
    code(findingText(diagnostic)),
    code(rule),
  ];
  return `| ${cells.join(" | ")} |\n`;
}

/** Characters of a cell. */
const MAX_CELL = 1000;

/**
 * Text as code in a cell. Only in code does GitHub interpret nothing: no HTML, links, images, bare
 * URLs, mentions, issue numbers or commit hashes.
 */
export function code(text: string): string {
  if (text === "") return "";
  const shown = shorten(text)
    // A bar is escaped even in code; backslashes before it would undo that.
    .replace(/\\+(?=\|)/g, (run) => "\\x5c".repeat(run.length))
    .replaceAll("|", "\\|")
    .toWellFormed();
  const runs = shown.match(/`+/g) ?? [];
  const fence = "`".repeat(1 + runs.reduce((longest, run) => Math.max(longest, run.length), 0));
  // Markdown removes one space from each end.
  const edge = /^[` ]|[` ]$/.test(shown) ? " " : "";
  return fence + edge + shown + edge + fence;
}

function shorten(text: string): string {
  return text.length > MAX_CELL
    ? `${text.slice(0, MAX_CELL).replace(/[\ud800-\udbff]$/, "")}…`
    : text;
}
