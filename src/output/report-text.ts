/** Writes the result of a check for other programs (`--report`). */
import { createHash } from "node:crypto";
import { nameColumn } from "../base/spreadsheet-cells.ts";
import { escapeLine, safeJson } from "../base/text.ts";
import { addTo, isObject, nearestPath } from "../base/values.ts";
import { COURSE_SHAPE, namedPath } from "../course/fields.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
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
  const problems = new Map<string, Diagnostic[]>();
  for (const problem of diagnostics) addTo(problems, problem.course ?? problem.file, problem);
  const courses = cards.map(
    ({ course, cells }) => (columns && cells) ?? (isObject(course) ? course : {}),
  );
  const used = new Set(courses.flatMap((course) => Object.keys(course)));
  const fields = COURSE_SHAPE.keys.map(({ name }) => name).filter((name) => used.has(name));
  const names = [...new Set([PROBLEMS_COLUMN, ...(columns ?? [...fields, ...used])])];
  const paths = names.map(namedPath);
  const rows = cards.map(({ file, key, line }, index) => {
    const own = [file, key].flatMap((name) => problems.get(name ?? "") ?? []);
    problems.delete(file ?? "");
    const texts = own.map((problem) => {
      const row = problem.line < (line ?? 0) ? 1 : index + 2;
      const cell = `cell ${nameColumn(nearestPath(problem.path, paths)?.index ?? 1)}${row}`;
      return problemText(problem).replace(/^cell [A-Z]+\d+/, cell);
    });
    return { ...courses[index], [PROBLEMS_COLUMN]: texts.join("\n") };
  });
  // Most reports need no workbook.
  const { createRowFile } = await import("./layouts.ts");
  const options = { columns: names, fields: names, cleared: "null", styles: plain };
  const content = await createRowFile(format, { ...options, memory: remembered });
  await content.rows(rows);
  return await content.end();
}
