/** Chooses how `check` shows what it found: to people, to GitHub, or in a format of `--output`. */
import { usageError } from "../../base/errors.ts";
import type { Context } from "../../command-support/context.ts";
import {
  type CheckReport,
  type Diagnostic,
  diagnosticText,
  githubAnnotations,
  summaryText,
} from "../../output/diagnostics.ts";
import type { Format } from "../../output/formats.ts";

/** The values of `check --format`. */
export const STYLES = ["human", "json", "github"] as const;

/** How findings are shown. */
export type FindingStyle = (typeof STYLES)[number] | Format;

/** The report, and those of its findings that were not reported before. */
export interface Findings {
  readonly report: CheckReport;
  readonly unreported: readonly Diagnostic[];
}

type Needs = Pick<Context, "io" | "options" | "styles" | "messages">;

/** The style that `--format`, `--output` and the environment come to. @throws CatalogError of kind `usage` */
export function findingStyle(
  style: (typeof STYLES)[number] | undefined,
  { options: { format }, environment }: Pick<Context, "options" | "environment">,
): FindingStyle {
  if (format === undefined) {
    return style ?? (environment.GITHUB_ACTIONS === "true" ? "github" : "human");
  }
  if (style !== undefined && style !== format) {
    const asked = format === "json" ? "--json" : `--output ${format}`;
    throw usageError(`${asked} and --format ${style} contradict each other`);
  }
  return format;
}

/**
 * What prints findings in a style; the style and `--fields` are checked before anything is read.
 *
 * @throws CatalogError of kind `usage`
 */
export async function findingPrinter(
  style: FindingStyle,
  context: Needs,
): Promise<(findings: Findings) => Promise<void>> {
  const { io, options, styles: paint } = context;
  const isText = style === "human" || style === "github";
  // Most checks are for people, who should not wait for what they do not use.
  if (!isText || options.fields !== undefined) {
    const { checkFindingFormat, showFindings } = await import("./finding-rows.ts");
    const chosen = { ...options, ...(isText ? {} : { format: style }) };
    checkFindingFormat(chosen);
    return async ({ report }) => await showFindings(report, { ...context, options: chosen });
  }
  if (style === "github") {
    return async ({ report }) => await io.out.write(githubAnnotations(report));
  }
  return async ({ report, unreported }) => {
    const { isTerminal, columns } = io.out;
    const painted = await paint();
    const told = await diagnosticText(unreported, painted, { snippets: isTerminal, columns });
    await io.out.write(`${told}${summaryText(report, painted)}\n`);
  };
}
