/** `--report <format>=<file>`: reports for other programs, beside what is printed (cli.md section 7). */

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { asCatalogError, CatalogError, usageError } from "../base/errors.ts";
import type { Output } from "../base/io.ts";
import { closest } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import type { CheckReport } from "../output/diagnostic.ts";
import {
  MARKDOWN_ROOM,
  REPORT_FORMATS,
  type ReportFormat,
  type ReportOptions,
  reportText,
} from "../output/report.ts";
import { VERSION } from "../version.ts";
import type { Flag, ParsedArguments } from "./arguments.ts";
import type { Context } from "./context.ts";
import { getStrings } from "./flag-values.ts";

/** The flag as data. */
export const REPORT_FLAG: Flag = {
  name: "report",
  value: "<format=file>",
  completes: "report",
  repeatable: true,
  description: `also write a report to a file: ${joinList(REPORT_FORMATS)}`,
};

/** One report that was asked for. */
export interface ReportRequest {
  readonly format: ReportFormat;
  /** As it was typed. */
  readonly file: string;
}

/** The reports that the words ask for. @throws CatalogError of kind `usage` */
export function parseReports(words: ParsedArguments): readonly ReportRequest[] {
  const requests = getStrings(words, REPORT_FLAG.name).map(parseReport);
  const seen = new Set<string>();
  for (const { file } of requests) {
    const path = resolve(file);
    if (seen.has(path)) {
      throw usageError(`--report names ${file} twice`, "Give each report a file of its own.");
    }
    seen.add(path);
  }
  return requests;
}

function parseReport(text: string): ReportRequest {
  const [, word = "", file = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const format = REPORT_FORMATS.find((known) => known === word);
  if (!text.includes("=")) {
    throw usageError(`--report needs <format>=<file>: ${text}`, `Such as ${EXAMPLE}.`);
  }
  if (format === undefined) {
    const meant = closest(word, REPORT_FORMATS);
    throw usageError(
      `--report knows no format ${JSON.stringify(word)}, only ${joinList(REPORT_FORMATS, "and")}`,
      meant === undefined ? undefined : `Did you mean ${meant}?`,
    );
  }
  if (file.trim() === "") {
    throw usageError(`--report ${text} names no file`, `Such as ${EXAMPLE}.`);
  }
  if (file === "-") {
    throw usageError(
      `--report ${text}: a report goes to a file, as standard output has the findings`,
      "Name a file; --json prints the report of format json.",
    );
  }
  if (/[/\\]$/.test(file)) {
    throw usageError(`--report ${text} names a folder`, `Name a file, such as ${EXAMPLE}.`);
  }
  return { format, file };
}

const EXAMPLE = "--report junit=reports/courses.xml";

type Needs = Pick<Context, "folder" | "environment" | "io" | "messages">;

/**
 * Writes the reports, each whole or not at all, with the folders that lead to them. What is
 * written to the file that `GITHUB_STEP_SUMMARY` names comes after what is there, as the summary
 * belongs to every command of the step. A report that cannot be written is told as a failure of
 * kind `output`, and the others are written all the same.
 */
export async function writeReports(
  requests: readonly ReportRequest[],
  report: CheckReport,
  context: Needs,
): Promise<void> {
  for (const request of requests) {
    try {
      await writeReport(request, report, context);
    } catch (thrown) {
      await context.messages.fail(asCatalogError(thrown));
    }
  }
}

async function writeReport(
  { format, file }: ReportRequest,
  report: CheckReport,
  { folder, environment, io, messages }: Needs,
): Promise<void> {
  const path = resolve(folder, file);
  if (report.files.some((checked) => resolve(folder, checked) === path)) {
    throw new CatalogError("output", `could not write ${file}: it is one of the course files`, {
      file,
      advice: "Write reports where no course files are.",
    });
  }
  // A report is read by others, and a service may say the key back in what it reports.
  const text = async (options: Partial<ReportOptions> = {}): Promise<string> => {
    const whole = await reportText(format, report, { version: VERSION, ...options });
    return io.out.mask?.(whole) ?? whole;
  };
  const stream = streamOf(path, io);
  if (stream !== undefined) {
    await stream.write(await text());
    return;
  }
  const { appendToFile, writeFileAtomically } = await import("../base/atomic-write.ts");
  const { GITHUB_STEP_SUMMARY: summary = "" } = environment;
  if (resolve(folder, summary) !== path) {
    await writeFileAtomically(path, await text(), { name: file });
    return;
  }
  const taken = sizeOf(path);
  const added = await text({ room: MARKDOWN_ROOM - taken - GAP.length });
  if (added === "") await messages.warn(`${file} is full: the report is not in it`);
  else await appendToFile(file, path, taken === 0 ? added : GAP + added);
}

/** Ends whatever stands before it, were it HTML or a line without an end. */
const GAP = "\n\n";

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** The open stream that a path stands for: opened once more, it would write over what is printed. */
function streamOf(path: string, io: Context["io"]): Output | undefined {
  const [, name] = /^\/(?:dev\/std|(?:dev|proc\/self)\/fd\/)(out|err|1|2)$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  return name === "out" || name === "1" ? io.out : io.err;
}
