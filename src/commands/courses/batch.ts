/** Runs one operation for each of many courses, and reports the results as they come. */
import { mapInOrder } from "../../base/concurrent.ts";
import { abortsRun, asCatalogError, type CatalogError } from "../../base/errors.ts";
import { formatNumber, pluralize } from "../../base/text.ts";
import type { Context } from "../../command-support/context.ts";
import {
  type Recording,
  type RecordingOptions,
  withRecording,
} from "../../command-support/recording.ts";
import { type Result, Results } from "../../command-support/results.ts";
import {
  concurrencyOf,
  showWork,
  type Tracker,
  withDeferredShutdown,
} from "../../command-support/work.ts";
import { hasJsonMessages } from "../../output/formats.ts";

/** How the summary begins: `Created`, and in a dry run `Would create`. */
interface Summary {
  readonly done: string;
  readonly planned?: string;
  /** How to restore what was done: printed after `done`, also with `--quiet`. */
  readonly restore?: (amount: number) => string;
}

/** An operation and the items that it is run for. */
export interface Each<Item> extends Pick<ReportOptions, "doing" | "plain"> {
  readonly items: readonly Item[];
  /** The part of the result that is known beforehand. */
  readonly describe: (item: Item) => Omit<Result, "status" | "error">;
  /** Runs it. @returns what differs in the result from `describe` and the status `done`, if anything */
  readonly run: (item: Item) => Promise<Partial<Result> | undefined>;
  /** Adds the file and line to a failure. */
  readonly locate?: (error: CatalogError, item: Item) => Promise<CatalogError>;
  /** How the summary begins: `Created`, and in a dry run `Would create`. */
  readonly summary?: Summary;
}

/**
 * Runs the operation for several items at a time, and reports the results in the order of the
 * items. After a failure that every item would meet, and after Ctrl-C, the rest are skipped.
 */
export async function runBatch<Item>(job: Each<Item>, context: Context): Promise<Results> {
  let hasAborted = false;
  const attempt = async (item: Item): Promise<Result> => {
    const known = job.describe(item);
    if (hasAborted || context.signal.aborted) return { ...known, status: "skipped" };
    try {
      return { ...known, status: "done", ...(await job.run(item)) };
    } catch (thrown) {
      const error = asCatalogError(thrown);
      hasAborted ||= abortsRun(error);
      return { ...known, status: "failed", error: (await job.locate?.(error, item)) ?? error };
    }
  };
  const { items } = job;
  const results = await withDeferredShutdown(context, async () => {
    const running = mapInOrder(items, await concurrencyOf(context), attempt);
    return await reportResults(running, { ...job, total: items.length }, context);
  });
  await summarize(results, job, hasAborted, context);
  return results;
}

/** Runs an operation that writes, with a recording of what it does. */
export async function runRecorded<Item>(
  { items, ...run }: RecordingOptions & Pick<Each<Item>, "items">,
  context: Context,
  describe: (recording: Recording) => Omit<Each<Item>, "items">,
): Promise<void> {
  await withRecording(run, context, (recording) =>
    runBatch({ items, ...describe(recording) }, context),
  );
}

async function summarize(
  results: Results,
  { summary }: Pick<Each<never>, "summary">,
  hasAborted: boolean,
  { messages, signal, options }: Pick<Context, "messages" | "signal" | "options">,
): Promise<void> {
  const { counts } = results;
  const { done, failed, skipped } = counts;
  const restorable = summary?.restore === undefined ? 0 : done;
  const amountOf = (status: Result["status"]): string => pluralize(counts[status], "course");
  /** The last line, with how to restore what was done, if that is possible. */
  const report = async (text: string): Promise<void> =>
    restorable > 0
      ? await messages.important(`${text} ${summary?.restore?.(restorable)}`, { counts })
      : await messages.info(text, { counts });
  if (signal.aborted) {
    if (summary === undefined) return;
    const unchanged = counts.unchanged > 0 ? `, ${formatNumber(counts.unchanged)} unchanged` : "";
    const rest = `${formatNumber(failed)} failed, ${formatNumber(skipped)} skipped`;
    return await report(`${summary.done} ${amountOf("done")}${unchanged}, ${rest}.`);
  }
  const notes = hasAborted && skipped > 0 ? [`Skipped: ${amountOf("skipped")}.`] : [];
  if (summary !== undefined) {
    if (counts.unchanged > 0) notes.push(`Unchanged: ${amountOf("unchanged")}.`);
    if (done > restorable) notes.push(`${summary.done} ${amountOf("done")}.`);
    if (counts.planned > 0) notes.push(`${summary.planned} ${amountOf("planned")}.`);
    if (notes.length + restorable === 0 && hasJsonMessages(options.format)) {
      notes.push(failed > 0 ? `${amountOf("failed")} failed.` : "Nothing changed.");
    }
  }
  for (const [index, note] of notes.entries()) {
    const isLast = index === notes.length - 1 && summary !== undefined;
    await messages.info(note, isLast ? { counts } : {});
  }
  if (restorable > 0) await report(`${summary?.done} ${amountOf("done")}.`);
}

export interface ReportOptions {
  /** The operation, for the progress line: `Creating`. */
  readonly doing: string;
  /** How many results to expect. */
  readonly total: number;
  /** Whether a result counts toward the total; all do by default. */
  readonly isCounted?: (result: Result) => boolean;
  /** What to print of a result when no format was given. */
  readonly plain?: (result: Result) => string;
}

/** Prints each result, reports failures and shows progress. */
export async function reportResults(
  results: AsyncIterable<Result>,
  { doing, total, isCounted = () => true, plain }: ReportOptions,
  context: Context,
): Promise<Results> {
  const report = new Results(context, plain);
  const prints = context.options.format !== undefined;
  let done = 0;
  const addAll = async (progress: Tracker): Promise<void> => {
    for await (const result of results) {
      await report.add(result);
      if (isCounted(result)) progress.update({ done: ++done, failed: report.counts.failed });
    }
  };
  await showWork(doing, context, addAll, { of: total, prints });
  await report.end();
  return report;
}
