/** `--report <format>=<file>`: writes reports in addition to the printed output, for other programs or as a page. */
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { appendToFile, requireRegular, writeFileAtomically } from "../base/atomic-write.ts";
import { asCatalogError, CatalogError, usageError } from "../base/errors.ts";
import { isInside } from "../base/folders.ts";
import { STDIN_NAME } from "../base/io.ts";
import { requireChoice } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import type { Outcome } from "../core/apply.ts";
import { FileCourse } from "../core/located.ts";
import { listChanges } from "../core/step.ts";
import type { SourceCourse } from "../files/course-file.ts";
import { courseKey, type Diagnostic } from "../files/diagnostic.ts";
import {
  type CheckReport,
  maskReport,
  placeReport,
  type ReportedCard,
} from "../output/diagnostics.ts";
import { REPORT_FORMATS, type ReportFormat } from "../output/formats.ts";
import { cardOf } from "../output/page/report-page.ts";
import type { Flag } from "./arguments.ts";
import type { Context } from "./context.ts";
import { toRow } from "./results.ts";

/** A card for each course that changes or has problems. Without outcomes, every course of the files has a card. */
export function reportCards(
  courses: readonly SourceCourse[],
  outcomes: readonly Outcome[] = [],
  diagnostics: readonly Diagnostic[] = [],
): readonly ReportedCard[] {
  if (outcomes.length === 0) return courses.map(sourceCard);
  const problems = new Set(diagnostics.flatMap(({ course }) => course ?? []));
  return outcomes.flatMap((outcome) => {
    const { step } = outcome;
    const { from } = step;
    const key = from instanceof FileCourse ? courseKey(from.source) : undefined;
    if (step.action === "unchanged" && !problems.has(key ?? "")) return [];
    const remote = step.action === "update" ? step.remote : undefined;
    const own = step.action === "delete" ? step.before : from?.value;
    const body = "body" in step ? step.body : {};
    const reported = { ...toRow(outcome), fields: listChanges(step) };
    return { ...cardOf(reported, { ...remote, ...own, ...body }), key };
  });
}

/** The card of a course of a file. */
export function sourceCard(source: SourceCourse): ReportedCard {
  const { file, value } = source;
  return { course: value, file: file.name, line: source.line(), key: courseKey(source) };
}

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
    if (file === undefined || seen.size < seen.add(resolve(file)).size) continue;
    throw usageError(`two outputs would write to ${file}`, "Use a separate file for each.");
  }
}

function parseReport(text: string, formats: readonly ReportFormat[]): ReportTarget {
  const example = "For example: --report junit=reports/courses.xml";
  const [, word = text, file = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const problem = `the format of --report must be ${joinList(formats)}, not ${JSON.stringify(word)}`;
  const format = requireChoice(word, formats, problem, example);
  if (/^\s*$|^-$|[/\\]$/.test(file)) throw usageError(`--report ${text} must name a file`, example);
  return { format, file };
}

type Needs = Pick<Context, "folder" | "environment" | "messages">;

/**
 * Writes the reports, each completely or not at all, and creates their folders. Reports those that cannot be written.
 *
 * @param files the files that the command has read, which no report replaces
 * @param text makes the text of a report
 */
export async function writeReports(
  targets: readonly ReportTarget[],
  files: readonly string[],
  text: (format: ReportFormat) => Promise<string>,
  context: Needs,
): Promise<void> {
  for (const { format, file } of targets) {
    try {
      await writeReport(file, files, await text(format), context);
    } catch (thrown) {
      await context.messages.fail(asCatalogError(thrown));
    }
  }
}

/**
 * Writes a report. It is appended to the file of `GITHUB_STEP_SUMMARY`, because all commands of the step share that file.
 *
 * @param dryRun whether only to check that it may be written
 */
export async function writeReport(
  file: string,
  files: readonly string[],
  text: string,
  { folder, environment }: Needs,
  dryRun = false,
): Promise<void> {
  const path = resolve(folder, file);
  if (files.some((read) => resolve(folder, read) === path)) {
    const facts = { file, advice: "Choose another file." };
    throw new CatalogError("output", `cannot write ${file}: it is one of the course files`, facts);
  }
  if (dryRun) requireRegular(file, path);
  // The empty line ends the text before it, even HTML or an unfinished line.
  else if (path === resolve(folder, environment.GITHUB_STEP_SUMMARY ?? "")) {
    appendToFile(file, path, `\n\n${text}`);
  } else await writeFileAtomically(path, text, { name: file });
}

/**
 * The report for others: with secrets masked, and with names of files relative to the root of the git repository or the
 * current folder, with slashes. The name of a file outside that folder is absolute.
 */
export function publishReport(
  report: CheckReport,
  { folder, io }: Pick<Context, "folder" | "io">,
): CheckReport {
  const root = findRepository(folder) ?? folder;
  const place = (file: string): string => {
    if (file === STDIN_NAME) return file;
    const path = resolve(folder, file);
    return isInside(path, root) ? relative(root, path).replaceAll(sep, "/") || "." : path;
  };
  return maskReport(placeReport(report, place), io.out.mask);
}

function findRepository(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? undefined : findRepository(dirname(folder));
}
