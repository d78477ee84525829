/** Prints the problems that `check` finds: as text, as annotations for GitHub, or in a format of `--output`. */
import { escapeLine, pluralize } from "../../../base/text.ts";
import type { Context } from "../../../cli/context.ts";
import { publishReport } from "../../../cli/reports.ts";
import { rendererFor } from "../../../cli/show.ts";
import type { Diagnostic } from "../../../files/diagnostic.ts";
import { watchFiles } from "../../../files/watch.ts";
import { diagnosticText } from "../../../output/diagnostic-text.ts";
import {
  type CheckReport,
  jsonReport,
  rulesText,
  summaryText,
} from "../../../output/diagnostics.ts";
import { githubAnnotations } from "../../../output/github-annotations.ts";

/** How problems are printed. */
export type FindingStyle = "human" | "json" | "github";

/** The report of a check, and which of its problems were not reported before. */
export interface Findings {
  readonly report: CheckReport;
  readonly unreported: readonly Diagnostic[];
}

type Needs = Pick<Context, "io" | "options" | "styles" | "messages" | "environment" | "folder">;

/** The style that `--output` and the environment select. */
export function findingStyle({
  options: { format, textFormat },
  environment,
}: Pick<Context, "options" | "environment">): FindingStyle {
  if (format !== undefined) return "json";
  return textFormat ?? (environment.GITHUB_ACTIONS === "true" ? "github" : "human");
}

/** A function that prints problems, on a terminal without `all` the first 50. */
export function findingPrinter(
  style: FindingStyle,
  context: Needs,
  all = true,
): (findings: Findings) => Promise<void> {
  const { io } = context;
  if (style === "json") return async (findings) => await printJson(findings, context);
  // GitHub hides annotations in the log, so the log also gets lines for people.
  const hasLines = style === "human" || context.environment.GITHUB_ACTIONS === "true";
  return async (findings) => {
    if (hasLines) await printLines(findings, all, context);
    if (style !== "github") return;
    const report = { ...findings.report, failures: [] };
    await io.out.write(githubAnnotations(publishReport(report, context)), "verbatim");
  };
}

/** How many problems a terminal shows without `--all`: more would scroll past. */
const MAX_SHOWN = 50;

/** Prints each problem, a count by rule if there are many, and the result of the check, for people. */
async function printLines(
  { report, unreported }: Findings,
  all: boolean,
  context: Needs,
): Promise<void> {
  const { isTerminal, columns, mask } = context.io.out;
  const styles = context.styles;
  const shown = isTerminal && !all ? unreported.slice(0, MAX_SHOWN) : unreported;
  const rest = unreported.length - shown.length;
  const more =
    rest === 0
      ? ""
      : `… and ${pluralize(rest, "more problem")}. To show all problems, pass --all.\n\n`;
  const found = await diagnosticText(shown, styles, { isTerminal, columns, mask });
  const summary = `${rulesText(report, styles)}${summaryText(report, styles)}`;
  await context.io.out.write(`${found}${more}${summary}\n`);
}

/** Prints the report as one JSON object. */
async function printJson({ report }: Findings, context: Needs): Promise<void> {
  const renderer = await rendererFor(
    { kind: "single", columns: [], single: true, isReport: true },
    context,
  );
  await renderer.rows([jsonReport(report)]);
  await renderer.end();
}

/** Repeats a check when files change, until the run is stopped. @param first the report that was already shown */
export async function watchChecks(
  paths: readonly string[],
  first: CheckReport,
  check: () => Promise<CheckReport>,
  context: Context,
): Promise<void> {
  const { folder, clock, stop, io, messages } = context;
  await messages.info("Watching for changes. Press Ctrl-C to stop.");
  const styles = context.styles;
  const { isTerminal, columns } = io.out;
  let before = first;
  for await (const _ of watchFiles(paths, { folder, clock, signal: stop.signal })) {
    const report = await check();
    const added = missingFrom(before.diagnostics, report.diagnostics);
    const fixed = missingFrom(report.diagnostics, before.diagnostics);
    before = report;
    if (added.length + fixed.length === 0) continue;
    const lines = fixed.map(({ file, line, message }) => {
      return `${styles.green("fixed:")} ${escapeLine(`${file}:${line}: ${message}`)}\n`;
    });
    await io.out.write(await diagnosticText(added, styles, { isTerminal, columns }));
    await io.out.write(`${lines.join("")}${summaryText(report, styles)}\n`);
  }
}

/** The problems of `present` that are missing from `others`; the line of a problem does not matter. */
function missingFrom(
  others: readonly Diagnostic[],
  present: readonly Diagnostic[],
): readonly Diagnostic[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(keyOf(other), (counts.get(keyOf(other)) ?? 0) + 1);
  return present.filter((diagnostic) => {
    const left = counts.get(keyOf(diagnostic)) ?? 0;
    counts.set(keyOf(diagnostic), left - 1);
    return left <= 0;
  });
}

/** Identifies a problem without its line, which changes when text is added above it. */
function keyOf({ file, rule, message }: Diagnostic): string {
  return JSON.stringify([file, rule, message]);
}
