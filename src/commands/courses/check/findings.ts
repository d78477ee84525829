/** Prints the problems that `check` finds: as text, as annotations for GitHub, or in a format of `--output`. */
import { pluralize } from "../../../base/text.ts";
import type { Context } from "../../../cli/context.ts";
import { publishReport } from "../../../cli/report.ts";
import { rendererFor } from "../../../cli/show.ts";
import type { Diagnostic } from "../../../files/diagnostic.ts";
import { diagnosticText } from "../../../output/diagnostic-text.ts";
import { type CheckReport, jsonReport, summaryText } from "../../../output/diagnostics.ts";
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
  await context.io.out.write(`${found}${more}${summaryText(report, styles)}\n`);
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
