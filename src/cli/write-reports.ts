/** `--report <format>=<file>`: the reports of a run, for other programs or as a page. They are written when it ends. */
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { appendToFile, destinationIn, requireWritable } from "../base/atomic-write.ts";
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { isInside } from "../base/files.ts";
import { STANDARD_INPUT, STDIN_NAME } from "../base/io.ts";
import { planOutcomes } from "../core/apply.ts";
import { FileCourse } from "../core/located.ts";
import { describeAction, isShown, listChanges } from "../core/step.ts";
import { isImportant } from "../course/problem.ts";
import { providerNames } from "../course/provider.ts";
import type { SourceCourse } from "../files/course-file.ts";
import { courseKey } from "../files/diagnostic.ts";
import {
  type CheckReport,
  type CourseCard,
  maskReport,
  placeReport,
  type ReportedStep,
  toRow,
} from "../output/diagnostics.ts";
import type { ReportFormat } from "../output/formats.ts";
import { githubAnnotations } from "../output/github-annotations.ts";
import type { ReportTarget } from "./arguments.ts";
import { ReportedError } from "./command.ts";
import type { Context } from "./context.ts";
import { drain, type Findings, type Stages, writeOutput } from "./work.ts";

const CHECK = "courses check";

/**
 * Does the work, then writes the reports and, in GitHub Actions, annotations. Each of them contains what the work found
 * before it ended or failed, and every failure that was printed or thrown.
 *
 * @returns the exit code, if it does not follow from the failures
 * @throws CatalogError if the work throws
 */
export async function reporting(
  work: Stages<number | undefined>,
  typed: { readonly words: readonly string[]; readonly report?: readonly ReportTarget[] },
  context: Context,
): Promise<number | undefined> {
  const { words: paths, report: targets = [] } = typed;
  const { clock, environment, options, io, path } = context;
  const [start, began] = [clock.now(), clock.monotonic()];
  let report: Findings = {};
  let thrown: CatalogError | undefined;
  try {
    return await drain(work, ({ diagnostics = [], ...found }) => {
      const all = [...(report.diagnostics ?? []), ...diagnostics];
      report = { ...report, ...found, diagnostics: all };
    });
  } catch (error) {
    thrown = asCatalogError(error);
    throw thrown;
  } finally {
    const time = { start, duration: clock.monotonic() - began };
    const publish = async (): Promise<CheckReport> =>
      publishReport({ ...(await completeReport(report, thrown, context)), paths, time }, context);
    const text = async (format: ReportFormat) =>
      (await import("../output/report-text.ts")).reportText(format, await publish());
    await writeReports(targets, text, context);
    if (environment.GITHUB_ACTIONS === "true" && options.format === undefined) {
      const published = await publish();
      // `check` prints the annotations of its problems itself.
      const diagnostics = path === CHECK ? [] : published.diagnostics.filter(isImportant);
      await io.err.write(githubAnnotations({ ...published, diagnostics }), "verbatim");
    }
  }
}

/** The report with every failure. */
async function completeReport(
  report: Findings,
  thrown: CatalogError | undefined,
  { messages, path, stop }: Context,
): Promise<CheckReport> {
  const { sources = [], providers = [], plan, planText, outcomes: done, ...found } = report;
  const failures = new Set(messages.failures);
  if (thrown !== undefined && !(thrown instanceof ReportedError)) failures.add(thrown);
  if (stop.reason !== undefined && thrown?.kind !== "interrupted") {
    failures.add(new CatalogError("interrupted", "the run was stopped before it was complete"));
  }
  const checked: CheckReport = {
    files: [],
    courses: sources.length,
    diagnostics: [],
    ...found,
    failures: [...failures],
    notices: messages.remarks,
    providers: providerNames(providers),
    cards: sources.map(sourceCard),
  };
  if (path === CHECK) return checked;
  const { toPlanEntries } = await import("./run.ts");
  const { describeOutcomes, listRisks } = await import("../output/plan-text.ts");
  const { cardOf } = await import("../output/page/report-page.ts");
  const { steps = [], many } = plan ?? {};
  const outcomes = done ?? planOutcomes(steps, "skipped");
  const changes = outcomes.flatMap((outcome): ReportedStep[] => {
    const { step } = outcome;
    const change = { fields: listChanges(step), action: describeAction(step) };
    return isShown(step) ? [{ ...toRow(outcome), ...change }] : [];
  });
  const changed = outcomes.filter(({ step }) => isShown(step) || step.action === "refused");
  return {
    ...checked,
    command: `catalog ${path}`,
    ...(plan && {
      outcome: [describeOutcomes(done ?? planOutcomes(steps, "planned"))],
      results: outcomes.map(toRow),
    }),
    planText,
    plan: { risks: listRisks(toPlanEntries(steps), many), steps: changes },
    // Before the steps are known, every course of the files has a card.
    ...(outcomes.length > 0 && {
      cards: changed.map((outcome) => {
        const { from } = outcome.step;
        const key = from instanceof FileCourse ? courseKey(from.source) : undefined;
        return { ...cardOf(outcome, planText !== undefined), key };
      }),
    }),
  };
}

/** The card of a course of a file. */
export function sourceCard(source: SourceCourse): CourseCard {
  const { file, value, cells, line } = source;
  return { course: value, cells, file, line, key: courseKey(source) };
}

/**
 * Writes the reports, each completely or not at all, and creates their folders. Reports those that cannot be written.
 *
 * @param text makes the text of a report
 */
export async function writeReports(
  targets: readonly ReportTarget[],
  text: (format: ReportFormat) => Promise<string | Uint8Array>,
  context: Context,
): Promise<void> {
  for (const { format, file } of targets) {
    try {
      await writeReport(file, await text(format), context);
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
  text: string | Uint8Array,
  context: Context,
  dryRun = false,
): Promise<void> {
  const { folder, environment, deferShutdown } = context;
  const to = destinationIn(folder, file);
  if (dryRun) requireWritable(to);
  // The empty line ends the text before it, even HTML or an unfinished line.
  else if (to.path === resolve(folder, environment.GITHUB_STEP_SUMMARY ?? "")) {
    await deferShutdown(async () => appendToFile(to, `\n\n${text}`));
  } else await writeOutput(file, text, context);
}

/**
 * The report for others: with secrets masked, and with names of files relative to the root of the git repository or the
 * current folder, with slashes. The name of a file outside that folder is absolute.
 */
export function publishReport(report: CheckReport, { folder, io }: Context): CheckReport {
  const root = findRepository(folder) ?? folder;
  const place = (file: string): string => {
    if (file === STDIN_NAME || file === STANDARD_INPUT) return STDIN_NAME;
    const path = resolve(folder, file);
    return isInside(path, root) ? relative(root, path).replaceAll(sep, "/") || "." : path;
  };
  return maskReport(placeReport(report, place), io.out.mask);
}

function findRepository(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? undefined : findRepository(dirname(folder));
}
