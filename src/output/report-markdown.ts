/** Writes what a check came to as a page of Markdown that fits `$GITHUB_STEP_SUMMARY`. */
import { escapeLine, pluralize } from "../base/text.ts";
import { plain } from "./color.ts";
import type { CheckReport, Diagnostic } from "./diagnostic.ts";
import { summaryText } from "./diagnostics.ts";
import { findingText } from "./report-words.ts";

const TABLE = "\n| Place | Severity | Finding | Rule |\n| --- | --- | --- | --- |\n";

/**
 * A heading, what was done, what the check came to, and a table of the findings, in at most `room` bytes; it says
 * how many findings had no place in it. Empty where there is no room even for that.
 */
export function markdownReport(report: CheckReport, room: number): string {
  const { diagnostics, outcome = [] } = report;
  const said = [...outcome, summaryText(report, plain)].join("\n\n");
  const parts = [`## Course files\n\n${said}\n`];
  if (diagnostics.length > 0) parts.push(TABLE);
  // What is kept free for the last line is never less than it takes.
  let left = room - size(parts.join("")) - size(rest(diagnostics.length));
  if (left < 0) return "";
  let shown = 0;
  for (const diagnostic of diagnostics) {
    const line = row(diagnostic);
    left -= size(line);
    if (left < 0) break;
    parts.push(line);
    shown++;
  }
  if (shown < diagnostics.length) parts.push(rest(diagnostics.length - shown));
  return parts.join("");
}

function size(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

function rest(more: number): string {
  return `\nThere was no room here for ${pluralize(more, "more finding")}.\n`;
}

function row(diagnostic: Diagnostic): string {
  const { file, line, column, severity, rule } = diagnostic;
  const cells = [
    code(`${escapeLine(file)}:${line}:${column}`),
    severity,
    code(findingText(diagnostic)),
    code(rule),
  ];
  return `| ${cells.join(" | ")} |\n`;
}

/** A cell that is longer is no help to anybody. */
const LONGEST = 1000;

/**
 * Text as code in a cell. Nothing but code is safe from everything that GitHub finds in a page:
 * HTML, links, images, bare addresses, mentions, numbers of issues and names of commits.
 */
function code(text: string): string {
  if (text === "") return "";
  const shown = shortened(text)
    // A bar is escaped even in code. What stands before it could undo that.
    .replace(/\\+(?=\|)/g, (run) => "\\x5c".repeat(run.length))
    .replaceAll("|", "\\|")
    .toWellFormed();
  const runs = shown.match(/`+/g) ?? [];
  const fence = "`".repeat(1 + runs.reduce((longest, run) => Math.max(longest, run.length), 0));
  // One blank at each end is not shown.
  const edge = /^[` ]|[` ]$/.test(shown) ? " " : "";
  return fence + edge + shown + edge + fence;
}

function shortened(text: string): string {
  return text.length > LONGEST
    ? `${text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, "")}…`
    : text;
}
