/** Writes the files of a pull, and reports what was done. */
import { formatNumber, pluralize } from "../../../base/text.ts";
import { isObject } from "../../../base/values.ts";
import type { Context } from "../../../command-support/context.ts";
import type { Result } from "../../../command-support/results.ts";
import type { SourceCourse } from "../../../files/read.ts";
import { differencesText, maskEntries } from "../../../output/plan.ts";
import type { Located } from "../../../sync/step.ts";
import { runBatch } from "../batch.ts";
import type { Outcome, PullItem, PullOptions, WriteItem } from "./pull-files.ts";
import { type Leftover, removeLeftover } from "./pull-prune.ts";

/** How the files are written and reported. */
export interface PulledFilesOptions extends PullOptions {
  /** Whether the values that differ are shown. */
  readonly diff: boolean;
}

/** Files that differ, of which a terminal shows the messages. */
const MOST_LISTED = 20;

type Counts = Record<Outcome | "removed" | "failed" | "skipped", number>;

/** Writes, edits and removes the files, and reports the results and the counts. */
export async function writePulledFiles(
  items: readonly (PullItem | Leftover)[],
  write: WriteItem,
  options: PulledFilesOptions,
  context: Context,
): Promise<void> {
  const counts: Counts = {
    ...{ written: 0, updated: 0, unchanged: 0, kept: 0, failed: 0, skipped: 0, removed: 0 },
  };
  const edited = new Set<string>();
  const isForPeople = context.io.err.isTerminal && context.options.format === undefined;
  const mostListed = isForPeople ? MOST_LISTED : Number.POSITIVE_INFINITY;
  const results = await runBatch(
    {
      items,
      doing: "Writing",
      describe,
      run: async (item) => {
        if (!("course" in item)) {
          if (!options.dryRun) await removeLeftover(item, context);
          counts.removed++;
          return options.dryRun ? { status: "planned" } : undefined;
        }
        const { outcome, ...written } = await write(item);
        const isShown = options.diff && item.changes.length > 0;
        const result = isShown ? { ...written, fields: item.changes } : written;
        counts[outcome]++;
        if (outcome === "updated") edited.add(item.name);
        if (outcome !== "kept" || counts.kept <= mostListed) return result;
        context.messages.record("output");
        return { status: "failed" };
      },
    },
    context,
  );
  counts.failed = results.counts.failed - counts.kept;
  counts.skipped = results.counts.skipped;
  if (counts.kept > mostListed) {
    const more = formatNumber(counts.kept - mostListed);
    await context.messages.info(`… and ${more} more that differ; --json lists all of them.`);
  }
  if (options.diff) await showDifferences(items, context);
  const summary = items.length === 0 ? "No courses." : summarize(counts, edited.size, options);
  await context.messages.info(summary, { counts });
}

function describe(item: PullItem | Leftover): Omit<Result, "status" | "error"> {
  if (!("course" in item)) {
    const { id, source } = item;
    const { name, url } = isObject(source.value) ? source.value : {};
    return { id, name, url, from: placeOf(source), action: "delete" };
  }
  const { course, match, name: file, damaged } = item;
  const { id, name, url } = course;
  const from = match === undefined ? { file, line: async () => undefined } : placeOf(match.source);
  const action = match === undefined && damaged === undefined ? "create" : "update";
  return { id, name, url, from, action };
}

/** Where a course is described. */
export function placeOf({ file, line }: SourceCourse): Pick<Located, "file" | "line"> {
  return { file: file.name, line };
}

/** Prints the values that differ, as `diff` does: that of the file, then that of the catalog. */
async function showDifferences(
  items: readonly (PullItem | Leftover)[],
  { io, options, styles, clock }: Context,
): Promise<void> {
  if (options.format !== undefined) return;
  const entries = items.flatMap((item) => {
    if (!("course" in item) || item.changes.length === 0) return [];
    const { course, name: file, changes } = item;
    const { id, name } = course;
    return [{ action: "update" as const, id, name, file, changes }];
  });
  const masked = maskEntries(entries, io.out.mask);
  await io.out.write(await differencesText(masked, await styles(), clock.monotonic));
}

function summarize(counts: Counts, edited: number, { dryRun }: PulledFilesOptions): string {
  const { written, unchanged, kept, failed, skipped, removed } = counts;
  const others = [
    [unchanged, "unchanged"],
    [kept, "kept"],
    [removed, dryRun ? "to remove" : "removed"],
    [failed, "failed"],
    [skipped, "skipped"],
  ] as const;
  const summary = describeWritten(written + edited, others, dryRun);
  return `${summary}${kept > 0 ? " Use --force to edit files that differ." : ""}`;
}

/** `Wrote 2 files, 3 unchanged.` @param others what became of other files, by amount and word */
export function describeWritten(
  written: number,
  others: readonly (readonly [amount: number, word: string])[],
  dryRun: boolean,
): string {
  const done = `${dryRun ? "Would write" : "Wrote"} ${written > 0 ? pluralize(written, "file") : "no files"}`;
  const rest = others.filter(([n]) => n > 0).map(([n, word]) => `${formatNumber(n)} ${word}`);
  return `${done}${rest.length === 0 ? "" : `${written > 0 ? "," : ":"} ${rest.join(", ")}`}.`;
}
