/** `check --watch`: checks again on every change and shows only what is different. */
import { escapeLine } from "../../../base/text.ts";
import type { Context } from "../../../command-support/context.ts";
import type { Diagnostic } from "../../../files/diagnostic.ts";
import { watchFiles } from "../../../files/watch.ts";
import { diagnosticText } from "../../../output/diagnostic-text.ts";
import { type CheckReport, summaryText } from "../../../output/diagnostics.ts";

/** Repeats a check until the run is stopped. @param first the findings that were already shown */
export async function watchChecks(
  paths: readonly string[],
  first: CheckReport,
  check: () => Promise<CheckReport>,
  context: Context,
): Promise<void> {
  const { folder, clock, stop, io, messages } = context;
  await messages.info("Watching for changes; Ctrl-C ends.");
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

/** The findings of `present` that `others` does not have, wherever they are in their files. */
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

/** A finding without its line, which changes when text above it does. */
function keyOf({ file, rule, message }: Diagnostic): string {
  return JSON.stringify([file, rule, message]);
}
