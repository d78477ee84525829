/** Writes a plan as a Markdown page for reviewers: a table of courses, and their values. */
import { escapeLine, formatNumber, joinList, pluralize } from "../base/text.ts";
import { formatPath } from "../base/values.ts";
import {
  type CheckReport,
  commandOf,
  type ReportedPlan,
  type ReportedStep,
} from "./diagnostics.ts";
import { planSummary } from "./plan.ts";
import { code, FINDINGS, failedLines, findingRow } from "./report-markdown.ts";

/** Characters that fit into a comment of a pull request. */
const MAX_CHARACTERS = 60_000;

const STEPS = "\n| Action | Course | Url | Fields |\n| --- | --- | --- | --- |\n";

/** Room for the sentence about what was left out. */
const RESERVE = 200;

/**
 * A heading, the counts, the findings, one row per course, and the old and new values of each, folded.
 * It is cut at 60,000 characters, and says so.
 *
 * @param limit a lower limit, in bytes
 */
export function planReport(report: CheckReport, plan: ReportedPlan, limit: number): string {
  const { counts, steps } = plan;
  const summary = [...failedLines(report), planSummary(counts)].join("\n\n");
  const head = `## ${code(commandOf(report))}\n\n${summary}\n`;
  const parts = [head];
  let left = Math.min(MAX_CHARACTERS, limit / BYTES_PER_CHARACTER) - head.length - RESERVE;
  const add = (texts: readonly string[]): number => {
    let added = 0;
    for (const text of texts) {
      if (text.length > left) break;
      left -= text.length;
      parts.push(text);
      added++;
    }
    return added;
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
  const names = new Set(step.fields.map(({ path }) => formatPath(path.slice(0, 1))));
  const fields = action === "update" ? [...names].map(code).join(", ") : "";
  const cells = [action, code(escapeLine(nameOf(step))), code(escapeLine(url ?? "")), fields];
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
