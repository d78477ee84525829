/** Writes the result of a run, or a plan for reviewers, as a Markdown page. */
import { cutText, escapeLine, formatNumber, joinList, pluralize } from "../base/text.ts";
import { formatPath } from "../base/values.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import { plain } from "./color.ts";
import {
  type CheckReport,
  commandOf,
  describeTarget,
  findingText,
  type ReportedPlan,
  type ReportedStep,
  summaryText,
} from "./diagnostics.ts";
import { failureSummary } from "./failure.ts";
import { changedFields, groupBySide } from "./plan.ts";

/** The heading of a table of findings. */
const FINDINGS = "\n| Position | Severity | Finding | Rule |\n| --- | --- | --- | --- |\n";

/**
 * A heading, what was done, the result of the check, and a table of findings, in at most `limit`
 * bytes; it says how many findings were left out. Empty if the limit is too low even for that.
 */
export function markdownReport(report: CheckReport, limit: number): string {
  const { diagnostics, outcome = [], command } = report;
  const heading = command === undefined ? "Course files" : code(command);
  const head = headText(heading, report, [...outcome, summaryText(report, plain)]);
  const start = diagnostics.length > 0 ? head + FINDINGS : head;
  // Reserves space for the last line, with the largest number that it can contain.
  const left = limit - byteLength(start) - byteLength(omittedLine(diagnostics.length));
  if (left < 0) return "";
  const rows = takeFitting(diagnostics.map(findingRow), left, byteLength);
  const rest = diagnostics.length - rows.length;
  return start + rows.join("") + (rest > 0 ? omittedLine(rest) : "");
}

/** The heading, the target, the failures of the run with their reasons, and other paragraphs. */
function headText(heading: string, report: CheckReport, texts: readonly string[]): string {
  const { target, failures = [] } = report;
  const paragraphs = [
    ...(target === undefined ? [] : [`Target: ${code(describeTarget(target))}`]),
    ...failures.map((failure) => `**Failed:** ${code(escapeLine(failureSummary(failure)))}`),
    ...texts,
  ];
  return `## ${heading}\n\n${paragraphs.join("\n\n")}\n`;
}

/** The first of the texts that take at most `limit` together. */
function takeFitting(
  texts: readonly string[],
  limit: number,
  sizeOf: (text: string) => number,
): readonly string[] {
  let left = limit;
  const end = texts.findIndex((text) => {
    left -= sizeOf(text);
    return left < 0;
  });
  return end === -1 ? texts : texts.slice(0, end);
}

function byteLength(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

function omittedLine(count: number): string {
  return `\n${pluralize(count, "more finding")} omitted to limit the size of this report.\n`;
}

function findingRow(diagnostic: Diagnostic): string {
  const { file, line, column, severity, rule } = diagnostic;
  const cells = [
    code(`${escapeLine(file)}:${line}:${column}`),
    severity,
    code(findingText(diagnostic)),
    code(rule),
  ];
  return `| ${cells.join(" | ")} |\n`;
}

const MAX_CELL = 1000;

/**
 * Text as code in a cell: only in code does GitHub interpret no HTML, links, mentions or issues.
 */
function code(text: string): string {
  if (text === "") return "";
  const shown = cutText(text, MAX_CELL)
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

/** Characters that fit into a comment of a pull request. */
const MAX_CHARACTERS = 60_000;

const STEPS = "\n| Action | Course | Url | Fields |\n| --- | --- | --- | --- |\n";

/** Room for the sentence about what was left out. */
const RESERVE = 200;

/**
 * A heading, the counts, the findings, one row per course, and the old and new values of each,
 * folded. It is cut at 60,000 characters, or `limit` bytes, and says so.
 */
export function planReport(report: CheckReport, plan: ReportedPlan, limit: number): string {
  const { steps } = plan;
  const { outcome = [] } = report;
  const parts = [headText(code(commandOf(report)), report, outcome)];
  const most = Math.min(MAX_CHARACTERS, limit / BYTES_PER_CHARACTER) - RESERVE;
  const add = (texts: readonly string[]): number => {
    const left = most - parts.reduce((total, part) => total + part.length, 0);
    const added = takeFitting(texts, left, (text) => text.length);
    parts.push(...added);
    return added.length;
  };
  const addTable = (heading: string, rows: readonly string[]): number =>
    rows.length === 0 ? 0 : Math.max(0, add([heading, ...rows]) - 1);
  const findings =
    report.diagnostics.length - addTable(FINDINGS, report.diagnostics.map(findingRow));
  const rows = steps.length - addTable(STEPS, steps.map(stepRow));
  const details = steps.length - (rows > 0 ? 0 : add(steps.map(detailsOf)));
  if (findings + details > 0) parts.push(omitted({ findings, rows, details }));
  return parts.join("");
}

/** At most, of a character of UTF-16. */
const BYTES_PER_CHARACTER = 3;

function omitted(count: Readonly<Record<"findings" | "rows" | "details", number>>): string {
  const parts = [
    ...(count.findings === 0 ? [] : [pluralize(count.findings, "finding")]),
    ...(count.rows === 0 ? [] : [pluralize(count.rows, "course")]),
    ...(count.details === 0 ? [] : [`the values of ${pluralize(count.details, "course")}`]),
  ];
  return `\nThis report was cut at ${formatNumber(MAX_CHARACTERS)} characters: ${joinList(parts, "and")} are not shown.\n`;
}

function stepRow(step: ReportedStep): string {
  const { action, url } = step;
  const groups = action === "update" ? groupBySide(step.fields) : [];
  const fields = groups.map(({ side, changes }) => {
    const names = changedFields(changes).map(code).join(", ");
    return side === "" ? names : `${side}: ${names}`;
  });
  const cells = [
    action,
    code(escapeLine(nameOf(step))),
    code(escapeLine(url ?? "")),
    fields.join("; "),
  ];
  return `| ${cells.join(" | ")} |\n`;
}

function detailsOf(step: ReportedStep): string {
  const { action, fields, file, line } = step;
  const title = `${action} <code>${escapeHtml(escapeLine(nameOf(step)))}</code>`;
  const place =
    file === null ? "" : `\n${code(escapeLine(line === null ? file : `${file}:${line}`))}\n`;
  const rows = fields.map(({ path, old, new: value }) => {
    const cells = [code(formatPath(path)), codeOf(old), codeOf(value)];
    return `| ${cells.join(" | ")} |\n`;
  });
  return `\n<details><summary>${title}</summary>\n${place}\n| Field | Before | After |\n| --- | --- | --- |\n${rows.join("")}\n</details>\n`;
}

function nameOf({ name, id }: ReportedStep): string {
  return name === null || name === "" ? (id ?? "") : name;
}

function codeOf(value: unknown): string {
  return value === null ? "" : code(escapeLine(JSON.stringify(value)));
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
