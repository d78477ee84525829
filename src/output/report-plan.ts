/** Writes a plan as a Markdown page for reviewers: a table of courses, and their values. */
import { escapeLine, formatNumber, pluralize } from "../base/text.ts";
import { formatPath } from "../base/values.ts";
import {
  type CheckReport,
  commandOf,
  type ReportedPlan,
  type ReportedStep,
} from "./diagnostics.ts";
import { planSummary } from "./plan.ts";
import { code, failedLines } from "./report-markdown.ts";

/** Characters that fit into a comment of a pull request. */
const MAX_CHARACTERS = 60_000;

const TABLE = "\n| Action | Course | Url | Fields |\n| --- | --- | --- | --- |\n";

/** Room for the sentence about what was left out. */
const RESERVE = 200;

/**
 * A heading, the counts, one row per course, and the old and new values of each, folded. It is cut
 * at 60,000 characters, and says so.
 *
 * @param limit a lower limit, in bytes
 */
export function planReport(report: CheckReport, plan: ReportedPlan, limit: number): string {
  const { counts, steps } = plan;
  const summary = [...failedLines(report), planSummary(counts)].join("\n\n");
  const head = `## ${code(commandOf(report))}\n\n${summary}\n${steps.length > 0 ? TABLE : ""}`;
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
  const rows = add(steps.map(tableRow));
  const details = rows < steps.length ? 0 : add(steps.map(detailsOf));
  if (details < steps.length) parts.push(omitted(steps.length - rows, steps.length - details));
  return parts.join("");
}

/** At most, of a character of UTF-16. */
const BYTES_PER_CHARACTER = 3;

function omitted(rows: number, details: number): string {
  const courses = rows === 0 ? "" : `${pluralize(rows, "course")} and `;
  const amount = pluralize(details, "course");
  return `\nThis report was cut at ${formatNumber(MAX_CHARACTERS)} characters: ${courses}the values of ${amount} are not shown.\n`;
}

function tableRow(step: ReportedStep): string {
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
