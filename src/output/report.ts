/** Writes the result of a check for other programs (`--report`). */
import { type CheckReport, jsonReport } from "./diagnostics.ts";
import type { ReportFormat } from "./formats.ts";
import { terminalJson } from "./json.ts";
import { codeQualityReport } from "./report-codequality.ts";
import { junitReport } from "./report-junit.ts";
import { markdownReport, planReport } from "./report-markdown.ts";
import { sarifReport } from "./report-sarif.ts";

/**
 * Bytes of a markdown report: GitHub drops the summary of a step, with all its commands, at 1 MiB.
 */
const MARKDOWN_LIMIT = 1000 * 1024;

/** What a report depends on besides the findings. */
export interface ReportOptions {
  /** The version of this program. */
  readonly version: string;
  /** The bytes that the file of a markdown report already contains, which limit its length. */
  readonly used?: number;
  /** The folder that relative names of files start from. */
  readonly folder?: string;
}

type ReportWriter = (report: CheckReport, options: ReportOptions) => string;

/** One writer per format. */
const WRITERS = {
  json: (report) => jsonText(jsonReport(report)),
  junit: (report) => junitReport(report),
  sarif: (report, { version }) => jsonText(sarifReport(report, version)),
  codequality: (report, { folder = "." }) => jsonText(codeQualityReport(report, folder)),
  markdown: (report, { used = 0 }) => {
    const limit = MARKDOWN_LIMIT - used;
    return report.plan === undefined
      ? markdownReport(report, limit)
      : planReport(report, report.plan, limit);
  },
} satisfies Record<ReportFormat, ReportWriter>;

/** The complete text of a report, ending its last line. */
export async function reportText(
  format: ReportFormat,
  report: CheckReport,
  options: ReportOptions,
): Promise<string> {
  return await WRITERS[format](report, options);
}

/** Safe for a terminal, because reports are also printed with `cat`. */
function jsonText(value: unknown): string {
  return `${terminalJson(JSON.stringify(value, null, 2))}\n`;
}
