/** `--report <format>=<file>`: writes reports in addition to the printed output, for other programs or as a page. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { appendToFile, requireRegular, writeFileAtomically } from "../base/atomic-write.ts";
import { asCatalogError, attempt, CatalogError, usageError } from "../base/errors.ts";
import { requireChoice } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import type { CheckReport } from "../output/diagnostics.ts";
import { REPORT_FORMATS, type ReportFormat } from "../output/formats.ts";
import type { Flag } from "./arguments.ts";
import type { Context } from "./context.ts";
import { publishReport } from "./published-report.ts";

export const REPORT_FLAG = reportFlag(REPORT_FORMATS);

/** Makes the flag of a command that writes reports in these formats. */
export function reportFlag(formats: readonly ReportFormat[]) {
  return {
    name: "report",
    value: "<format=file>",
    choices: formats.map((format) => `${format}=`),
    repeatable: true,
    parse: (text: string) => parseReport(text, formats),
    description: `also write a report to a file: ${joinList(formats)}`,
  } as const satisfies Flag;
}

/** One requested report. */
export interface ReportTarget {
  readonly format: ReportFormat;
  readonly file: string;
}

/** Whether a report is a page for a browser, which shows the courses as cards. */
export function hasPage(targets: readonly ReportTarget[]): boolean {
  return targets.some(({ format }) => format === "html");
}

/** Requires a separate file for each report and each other output. @throws CatalogError of kind `usage` */
export function requireDifferentFiles(
  targets: readonly ReportTarget[],
  ...others: readonly (string | undefined)[]
): void {
  const seen = new Set<string>();
  for (const file of [...others, ...targets.map(({ file }) => file)]) {
    if (file === undefined) continue;
    const path = resolve(file);
    if (seen.has(path)) {
      throw usageError(`two outputs would write to ${file}`, "Use a separate file for each.");
    }
    seen.add(path);
  }
}

function parseReport(text: string, formats: readonly ReportFormat[]): ReportTarget {
  const [, word = "", file = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (!text.includes("=")) {
    throw usageError(`--report must be <format>=<file>, not ${JSON.stringify(text)}`, EXAMPLE);
  }
  const problem = `the format of --report must be ${joinList(formats)}, not ${JSON.stringify(word)}`;
  const format = requireChoice(word, formats, problem);
  if (file.trim() === "") throw usageError(`missing <file> after --report ${text}`, EXAMPLE);
  if (file === "-") {
    throw usageError(`--report ${text} must name a file, not standard output`, EXAMPLE);
  }
  if (/[/\\]$/.test(file)) {
    throw usageError(`--report ${text} must name a file, not a folder`, EXAMPLE);
  }
  return { format, file };
}

const EXAMPLE = "For example: --report junit=reports/courses.xml";

type Needs = Pick<Context, "folder" | "environment" | "messages">;

/** The content of reports. */
export interface Reports {
  /** The files that the command has read, which no report replaces. */
  readonly files: readonly string[];
  /** The text of a report. @param unwritten failures of earlier reports @param used the size of its file, in bytes */
  readonly text: (
    format: ReportFormat,
    unwritten: readonly CatalogError[],
    used: number,
  ) => string | Promise<string>;
}

/** The content of reports of problems and courses. */
export function checkReports(
  report: CheckReport,
  context: Pick<Context, "environment" | "folder" | "io">,
): Reports {
  return {
    files: report.files,
    // Reports are for others, and an error may contain the API key, which the service has echoed.
    text: async (format, unwritten, used) => {
      const { reportText } = await import("../output/report.ts");
      const all = { ...report, failures: [...(report.failures ?? []), ...unwritten] };
      return await reportText(format, publishReport(all, context), used);
    },
  };
}

/**
 * Writes the reports, each completely or not at all, and creates their folders. A report is appended to the file
 * of `GITHUB_STEP_SUMMARY`, because all commands of the step share that file.
 *
 * @returns the failures of reports that could not be written, of kind `output`; later reports contain them
 */
export async function writeReports(
  targets: readonly ReportTarget[],
  { files, text }: Reports,
  context: Needs,
): Promise<readonly CatalogError[]> {
  const unwritten: CatalogError[] = [];
  for (const { format, file } of targets) {
    try {
      await writeReport(file, files, async (used) => await text(format, unwritten, used), context);
    } catch (thrown) {
      const failure = asCatalogError(thrown);
      unwritten.push(failure);
      await context.messages.fail(failure);
    }
  }
  return unwritten;
}

/**
 * Writes a report. @param files the files that the command has read, which the report must not replace
 *
 * @param dryRun whether only to check that it may be written
 */
export async function writeReport(
  file: string,
  files: readonly string[],
  text: (used: number) => Promise<string>,
  { folder, environment, messages }: Needs,
  dryRun = false,
): Promise<void> {
  const path = resolve(folder, file);
  const isChecked = files.some((checked) => resolve(folder, checked) === path);
  if (isChecked) {
    throw new CatalogError("output", `cannot write ${file}: it is one of the course files`, {
      file,
      advice: "Choose another file.",
    });
  }
  if (dryRun) return void requireRegular(file, path);
  const { GITHUB_STEP_SUMMARY: summary = "" } = environment;
  if (resolve(folder, summary) !== path) {
    return await writeFileAtomically(path, await text(0), { name: file });
  }
  const size = attempt(() => statSync(path).size) ?? 0;
  const added = await text(size + SEPARATOR.length);
  if (added === "") await messages.warn(`${file} is full; the report was not added`);
  else appendToFile(file, path, size === 0 ? added : SEPARATOR + added);
}

/** Precedes an appended report, and ends the text before it, even HTML or an unfinished line. */
const SEPARATOR = "\n\n";
