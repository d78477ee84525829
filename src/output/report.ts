/** Writes what a check came to for other programs (cli.md sections 7 and 11, `--report`). */
import type { CheckReport } from "./diagnostic.ts";
import { terminalJson } from "./json-text.ts";

/** The formats of reports, as a closed list. */
export const REPORT_FORMATS = ["json", "junit", "sarif", "markdown"] as const;

/** The format of a report. */
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/**
 * The most bytes of a markdown report. GitHub drops the summary of a step that has more than 1 MiB;
 * this leaves a little for the other commands of the step.
 */
export const MARKDOWN_ROOM = 1000 * 1024;

/** What a report says besides the findings, and how long it may be. */
export interface ReportOptions {
  /** The version of this program. */
  readonly version: string;
  /** The most bytes of a markdown report, where `MARKDOWN_ROOM` is not the measure. */
  readonly room?: number;
}

/**
 * The whole text of a report, ending its last line. Only the format's own writer is loaded.
 *
 * - `json`: the same object as `check --json` prints
 * - `junit`: JUnit's XML, a test case per file
 * - `sarif`: SARIF 2.1.0, as GitHub's code scanning takes it
 * - `markdown`: a page that fits `$GITHUB_STEP_SUMMARY`; empty where `room` has no place for it
 */
export async function reportText(
  format: ReportFormat,
  report: CheckReport,
  { version, room = MARKDOWN_ROOM }: ReportOptions,
): Promise<string> {
  switch (format) {
    case "json":
      return jsonText((await import("./diagnostics.ts")).jsonReport(report));
    case "junit":
      return await (await import("./report-junit.ts")).junitReport(report);
    case "sarif":
      return jsonText((await import("./report-sarif.ts")).sarifReport(report, version));
    case "markdown":
      return (await import("./report-markdown.ts")).markdownReport(report, room);
  }
}

/** Reports get printed, too: `cat` must not hand a terminal what a course file holds. */
function jsonText(value: unknown): string {
  return `${terminalJson(JSON.stringify(value, null, 2))}\n`;
}
