/** Writes the result of a run, or a plan for reviewers, as a Markdown page. */
import { cutText, escapeLine, formatNumber, joinList, pluralize } from "../base/text.ts";
import { formatPath } from "../base/values.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import { plain } from "./color.ts";
import {
  type CheckReport,
  describeTarget,
  problemText,
  type ReportedStep,
  summaryText,
} from "./diagnostics.ts";
import { failureSummary } from "./failure.ts";
import { changedFields, groupBySide, LOOK_FIRST } from "./plan.ts";

const RISKS = `\n**${LOOK_FIRST}:**\n\n`;

const PROBLEMS = "\n| Position | Severity | Problem | Rule |\n| --- | --- | --- | --- |\n";

const STEPS = "\n| Action | Course | URL | Fields |\n| --- | --- | --- | --- |\n";

/**
 * A heading, what was done, the risks, the problems, one row per course that changes, and the old and new values of
 * each, folded. The text is cut at 60,000 characters, as many as fit into a comment of a pull request, and says so.
 */
export function markdownReport(report: CheckReport): string {
  const { diagnostics, command, plan } = report;
  const { steps = [], risks = [] } = plan ?? {};
  const page = new Page();
  const heading = command === undefined ? "Course files" : code(command);
  const paragraphs = paragraphsOf(report).map((text) => `\n${text}\n`);
  const rest = page.add(`## ${heading}\n`, paragraphs);
  page.add(
    RISKS,
    risks.map((text) => `- ${code(text)}\n`),
  );
  const problems = page.add(PROBLEMS, diagnostics.map(problemRow));
  const rows = page.add(STEPS, steps.map(stepRow));
  const details = rows > 0 ? steps.length : page.add("", steps.map(detailsOf));
  return page.text([
    [rest, "paragraph"],
    [problems, "problem"],
    [rows, "course"],
    [details, "course", "the values of "],
  ]);
}

/** The most characters of a page. */
const MAX_CHARACTERS = 60_000;

/** Characters for the sentence about what is not shown. */
const RESERVE = 200;

/** A page of limited length that says what is not shown. */
class Page {
  readonly #parts: string[] = [];
  #left = MAX_CHARACTERS - RESERVE;

  /** Adds a heading with as many of its texts as fit. @returns how many do not */
  add(heading: string, texts: readonly string[]): number {
    let added = -1;
    for (const text of texts.length === 0 ? [] : [heading, ...texts]) {
      this.#left -= text.length;
      if (this.#left < 0) break;
      this.#parts.push(text);
      added++;
    }
    return texts.length - Math.max(0, added);
  }

  /** The text of the page. @param omitted how many things do not fit, the noun, and a text before both */
  text(omitted: readonly (readonly [count: number, what: string, before?: string])[]): string {
    const left = omitted
      .filter(([count]) => count > 0)
      .map(([count, what, before = ""]) => before + pluralize(count, what));
    if (left.length === 0) return this.#parts.join("");
    const cut = `This report was cut at ${formatNumber(MAX_CHARACTERS)} characters`;
    return `${this.#parts.join("")}\n${cut}: ${joinList(left, "and")} are not shown.\n`;
  }
}

/** The target, the failures of the run with their reasons, what was done, and notices. */
function paragraphsOf(report: CheckReport): string[] {
  const { target, failures = [], outcome = [], notices = [], plan } = report;
  return [
    ...(target === undefined ? [] : [`Target: ${code(escapeLine(describeTarget(target)))}`]),
    ...failures.map((failure) => `**Failed:** ${code(escapeLine(failureSummary(failure)))}`),
    ...outcome,
    ...(plan === undefined ? [summaryText(report, plain)] : []),
    ...notices.map((text) => code(escapeLine(text))),
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

const MAX_CELL = 1000;

/** Text as code in a cell, because GitHub interprets HTML, links, mentions and issues everywhere else. */
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

type StepRow = Pick<ReportedStep, "id" | "name" | "url" | "fields"> & { readonly action: string };

function stepRow(step: StepRow): string {
  const { action, url } = step;
  const cells = [
    action,
    code(escapeLine(nameOf(step))),
    code(escapeLine(url ?? "")),
    fieldsCell(step),
  ];
  return `| ${cells.join(" | ")} |\n`;
}

/** The fields that change. For a course that a step recreates or deletes: what happened to the course in the catalog. */
function fieldsCell({ action, fields }: StepRow): string {
  const [verb] = action.split(" ");
  const isWhole = verb === "create" || verb === "delete";
  const shown = isWhole ? fields.filter(({ changedIn = "file" }) => changedIn !== "file") : fields;
  if (verb === "create") return shown.length > 0 ? "deleted in the catalog" : "";
  const groups = groupBySide(shown).map(({ side, changes }) => {
    const names = changedFields(changes).map(code).join(", ");
    return side === "" ? names : `${side}: ${names}`;
  });
  return groups.join("; ");
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

function nameOf({ name, id }: Pick<ReportedStep, "name" | "id">): string {
  return name === null || name === "" ? (id ?? "") : name;
}

function codeOf(value: unknown): string {
  return value === null ? "" : code(escapeLine(JSON.stringify(value)));
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
