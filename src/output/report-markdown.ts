/** Writes the result of a run, or a plan for reviewers, as a Markdown page. */
import { cutText, escapeLine, formatNumber, pluralize } from "../base/text.ts";
import { changedFields, formatPath } from "../base/values.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import {
  type CheckReport,
  describeTarget,
  problemText,
  type ReportedStep,
  summaryText,
} from "./diagnostics.ts";
import { failureSummary, positionPrefix } from "./failure.ts";
import { groupBySide, LOOK_FIRST } from "./plan-text.ts";
import { plain } from "./text-measure.ts";

const RISKS = `\n**${LOOK_FIRST}:**\n\n`;

const PROBLEMS = "\n| Position | Severity | Problem | Rule |\n| --- | --- | --- | --- |\n";

/**
 * A heading, what was done, the risks, the problems, and each course that changes, with its old and new values
 * folded. The text is cut at 60,000 characters, as many as fit into a comment of a pull request, and says so.
 */
export function markdownReport(report: CheckReport): string {
  const { diagnostics, command, plan } = report;
  const { steps = [], risks = [] } = plan ?? {};
  const heading = command === undefined ? "Course files" : code(command);
  return cutPage([
    `## ${heading}\n`,
    ...paragraphsOf(report).map((text) => `\n${text}\n`),
    ...risks.map(({ text }, index) => `${index === 0 ? RISKS : ""}- ${code(text)}\n`),
    ...diagnostics.map((problem, index) => (index === 0 ? PROBLEMS : "") + problemRow(problem)),
    ...steps.map(stepPart),
  ]);
}

/** The most characters of a page, and those that remain for the sentence about what is not shown. */
const [MAX_CHARACTERS, RESERVE] = [60_000, 200];

/** The text of the parts that fit. */
function cutPage(parts: readonly string[]): string {
  let page = "";
  let omitted = 0;
  for (const part of parts) {
    if (page.length + part.length <= MAX_CHARACTERS - RESERVE) page += part;
    else omitted++;
  }
  if (omitted === 0) return page;
  const cut = `This report was cut at ${formatNumber(MAX_CHARACTERS)} characters`;
  return `${page}\n${cut}. Not shown: ${pluralize(omitted, "problem or course", "problems and courses")}.\n`;
}

/** The target, the failures of the run with their reasons, what was done, and notices. */
function paragraphsOf(report: CheckReport): string[] {
  const { target, failures = [], outcome = [], notices = [], plan } = report;
  return [
    ...(target === undefined ? [] : [`Target: ${code(escapeLine(describeTarget(target)))}`]),
    ...failures.map((failure) => {
      return `**Failed:** ${code(positionPrefix(failure) + escapeLine(failureSummary(failure)))}`;
    }),
    ...outcome,
    ...(plan === undefined ? [summaryText(report, plain)] : []),
    ...notices.map(({ text }) => code(escapeLine(text))),
  ];
}

function problemRow(diagnostic: Diagnostic): string {
  const { file, line, column, severity, rule } = diagnostic;
  const cells = [
    code(`${escapeLine(file)}:${line}:${column}`),
    severity,
    code(escapeLine(problemText(diagnostic))),
    code(rule),
  ];
  return `| ${cells.join(" | ")} |\n`;
}

/** Text as code in a cell, because GitHub interprets HTML, links, mentions and issues everywhere else. */
function code(text: string): string {
  if (text === "") return "";
  const shown = cutText(text, 1000)
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

/** A course that changes, with its old and new values folded. */
function stepPart(step: ReportedStep): string {
  const { action, fields, file, line, url, name, id } = step;
  const changes = groupBySide(fields).map(({ side, changes }) => {
    const names = changedFields(changes).map(codeHtml).join(", ");
    // What others did says the side already.
    return side === "" || action !== "update" ? names : `${side}: ${names}`;
  });
  const isListed = action === "update" || action === "changed in the catalog";
  const what = isListed && changes.length > 0 ? `: ${changes.join("; ")}` : "";
  const title = `${action} ${codeHtml(name || (id ?? ""))}${what}`;
  const place = file === null || line === null ? file : `${file}:${line}`;
  const facts = [url, place].filter((text) => text !== null && text !== "");
  const about = facts.map((text) => code(escapeLine(text ?? ""))).join(", ");
  const rows = fields.map(({ path, old, new: value }) => {
    const cells = [code(formatPath(path)), codeOf(old), codeOf(value)];
    return `| ${cells.join(" | ")} |\n`;
  });
  const table =
    rows.length === 0 ? "" : `\n| Field | Before | After |\n| --- | --- | --- |\n${rows.join("")}`;
  return `\n<details><summary>${title}</summary>\n\n${about}\n${table}\n</details>\n`;
}

function codeOf(value: unknown): string {
  return value === null ? "" : code(escapeLine(JSON.stringify(value)));
}

function codeHtml(text: string): string {
  const escaped = escapeLine(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<code>${escaped.replaceAll(">", "&gt;")}</code>`;
}
