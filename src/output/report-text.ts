/** Writes the result of a check for other programs (`--report`). */
import { createHash } from "node:crypto";
import { escapeLine, safeJson } from "../base/text.ts";
import { addTo, isObject } from "../base/values.ts";
import { COURSE_SHAPE } from "../course/fields.ts";
import { PROBLEMS_COLUMN } from "../files/table.ts";
import { type CheckReport, commandOf, problemText, reportEntries } from "./diagnostics.ts";
import type { ReportFormat } from "./formats.ts";
import { junitReport } from "./report-junit.ts";
import { markdownReport } from "./report-markdown.ts";
import { sarifReport } from "./report-sarif.ts";
import { plain } from "./text-measure.ts";

/** One writer per format. */
const WRITERS = {
  junit: (report) => junitReport(report),
  sarif: (report) => jsonText(sarifReport(report)),
  codequality: (report) => jsonText(codeQualityReport(report)),
  markdown: markdownReport,
  html: async (report) => (await import("./page/report-page.ts")).reportPage(report),
  xlsx: (report) => tableReport("xlsx", report),
  csv: (report) => tableReport("csv", report),
} satisfies Record<ReportFormat, (report: CheckReport) => unknown>;

/** The complete text of a report, or its bytes. */
export async function reportText(
  format: ReportFormat,
  report: CheckReport,
): Promise<string | Uint8Array> {
  return await WRITERS[format](report);
}

/** A value as JSON that is safe for a terminal, because users print reports with `cat`. */
function jsonText(value: unknown): string {
  return `${safeJson(value, 2)}\n`;
}

/** The severities of GitLab. */
const SEVERITIES = { error: "major", warning: "minor", notice: "info" } as const;

/**
 * One issue per problem, notice and failure, with the keys that GitLab requires, and a fingerprint that does not depend on the
 * line.
 */
function codeQualityReport(report: CheckReport) {
  const seen = new Map<string, number>();
  const fingerprint = (...parts: readonly string[]): string => {
    const text = parts.join("\0");
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    return createHash("sha256").update(`${text}\0${count}`).digest("hex");
  };
  return reportEntries(report).map((entry) => {
    const { id, isFailure, level, file: path = ".", line } = entry;
    const text = escapeLine(entry.text);
    return {
      description: isFailure ? `${commandOf(report)}: ${text}` : text,
      check_name: id,
      fingerprint: fingerprint(path, id, text),
      severity: isFailure ? "blocker" : SEVERITIES[level],
      location: { path, lines: { begin: line ?? 1 } },
    };
  });
}

/** The courses as a table, with what is wrong with each in the first column. What is wrong with a file as a whole is in its first row. */
async function tableReport(
  format: "xlsx" | "csv",
  { cards = [], diagnostics, columns, remembered }: CheckReport,
): Promise<Uint8Array> {
  const texts = new Map<string, string[]>();
  for (const problem of diagnostics) {
    addTo(texts, problem.course ?? problem.file, problemText(problem));
  }
  const rows = cards.map(({ course, cells, file, key }) => {
    const own = [file, key].flatMap((name) => texts.get(name ?? "") ?? []);
    texts.delete(file ?? "");
    const values = (columns && cells) ?? (isObject(course) ? course : {});
    return { ...values, [PROBLEMS_COLUMN]: own.join("\n") };
  });
  const used = new Set(rows.flatMap((row) => Object.keys(row)));
  const fields = COURSE_SHAPE.keys.map(({ name }) => name).filter((name) => used.has(name));
  const names = [...new Set([PROBLEMS_COLUMN, ...(columns ?? [...fields, ...used])])];
  // Most reports need no workbook.
  const { createRowFile } = await import("./layouts.ts");
  const options = { columns: names, fields: names, cleared: "null", styles: plain };
  const content = await createRowFile(format, { ...options, memory: remembered });
  await content.rows(rows);
  return await content.end();
}
