/** Writes the result of a run, or a plan for reviewers, as a Markdown page. */
import type { CatalogError } from "../base/errors.ts";
import { cutText, escapeLine, formatNumber, joinList, pluralize } from "../base/text.ts";
import { formatPath } from "../base/values.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import { plain } from "./color.ts";
import {
  type CheckReport,
  commandOf,
  describeTarget,
  problemText,
  type ReportedPlan,
  type ReportedStep,
  summaryText,
} from "./diagnostics.ts";
import { failureSummary } from "./failure.ts";
import { changedFields, groupBySide, LOOK_FIRST } from "./plan.ts";

/** The heading of a table of problems. */
const PROBLEMS = "\n| Position | Severity | Problem | Rule |\n| --- | --- | --- | --- |\n";

/**
 * A heading, what was done, the result of the check, and a table of problems, in at most `limit` bytes.
 * The last line counts the problems that are not in the table. Empty if the limit is too low for any of this.
 */
export function markdownReport(report: CheckReport, limit: number): string {
  const { diagnostics, outcome = [], command } = report;
  const heading = command === undefined ? "Course files" : code(command);
  const head = headText(heading, report, [...outcome, summaryText(report, plain)]);
  const start = diagnostics.length > 0 ? head + PROBLEMS : head;
  // Reserves space for the last line, with the largest number that it can contain.
  const left = limit - Buffer.byteLength(start + omittedLine(diagnostics.length));
  if (left < 0) return "";
  const rows = takeFitting(diagnostics.map(problemRow), left, Buffer.byteLength);
  const rest = diagnostics.length - rows.length;
  return start + rows.join("") + (rest > 0 ? omittedLine(rest) : "");
}

/** The heading, the target, the failures of the run with their reasons, and other paragraphs. */
function headText(
  heading: string,
  { target, failures = [], notices = [] }: Pick<CheckReport, "target" | "failures" | "notices">,
  texts: readonly string[],
): string {
  const paragraphs = [
    ...(target === undefined ? [] : [`Target: ${code(escapeLine(describeTarget(target)))}`]),
    ...failures.map((failure) => failureText(failure)),
    ...texts,
    ...notices.map((text) => code(escapeLine(text))),
  ];
  return `## ${heading}\n\n${paragraphs.join("\n\n")}\n`;
}

/** A failure of the run in one sentence. @param file the file that failed, if the sentence does not name it */
function failureText(failure: CatalogError, file?: string): string {
  const place = file === undefined ? "" : `${file}: `;
  return `**Failed:** ${code(escapeLine(place + failureSummary(failure)))}`;
}

/** The first texts, as many as take at most `limit` together. */
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

function omittedLine(count: number): string {
  return `\n${pluralize(count, "more problem")} not shown, to limit the size of this report.\n`;
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

/** Characters that fit into a comment of a pull request. */
const MAX_CHARACTERS = 60_000;

const RISKS = `\n**${LOOK_FIRST}:**\n\n`;

const STEPS = "\n| Action | Course | URL | Fields |\n| --- | --- | --- | --- |\n";

/** Characters for the sentence about what is not shown. */
const RESERVE = 200;

/**
 * A heading, the counts, the problems, one row per course, and the old and new values of each course,
 * folded. The text is cut at 60,000 characters, or at `limit` bytes, and says so.
 */
export function planReport(report: CheckReport, plan: ReportedPlan, limit: number): string {
  const { steps, risks } = plan;
  const { outcome = [] } = report;
  const page = new Page(headText(code(commandOf(report)), report, outcome), limit);
  page.add(
    RISKS,
    risks.map((text) => `- ${code(text)}\n`),
  );
  const problems = page.add(PROBLEMS, report.diagnostics.map(problemRow));
  const rows = page.add(STEPS, steps.map(stepRow));
  const details = rows > 0 ? steps.length : page.add("", steps.map(detailsOf));
  return page.text([
    [problems, "problem"],
    [rows, "course"],
    [details, "course", "the values of "],
  ]);
}

/** The most bytes that a character of UTF-16 takes. */
const BYTES_PER_CHARACTER = 3;

/** A page of at most 60,000 characters, or `limit` bytes, that says what is not shown. */
class Page {
  readonly #parts: string[];
  #left: number;

  constructor(head: string, limit: number) {
    this.#parts = [head];
    this.#left = Math.min(MAX_CHARACTERS, limit / BYTES_PER_CHARACTER) - RESERVE - head.length;
  }

  /** Adds a heading with as many of its texts as fit. @returns how many do not */
  add(heading: string, texts: readonly string[]): number {
    if (texts.length === 0) return 0;
    const added = takeFitting([heading, ...texts], this.#left, (text) => text.length);
    for (const text of added) this.#left -= text.length;
    this.#parts.push(...added);
    return texts.length - Math.max(0, added.length - 1);
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
