/** Runs one operation for each of many courses, and reports the results as they come. */
import { mapInOrder } from "../../base/async.ts";
import { abortsRun, asCatalogError, type CatalogError } from "../../base/errors.ts";
import { formatNumber, pluralize } from "../../base/text.ts";
import type { Context } from "../../command-support/context.ts";
import { type Result, Results } from "../../command-support/results.ts";
import {
  concurrencyOf,
  showWork,
  type Tracker,
  withDeferredShutdown,
} from "../../command-support/work.ts";
import { hasJsonMessages } from "../../output/formats.ts";
import { maskEntries, type PlanEntry, planLines } from "../../output/plan.ts";

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
    if (hasAborted || context.stop.reason !== undefined) return { ...known, status: "skipped" };
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
  await summarize(results, job.summary, hasAborted, context);
  return results;
}

async function summarize(
  { counts }: Results,
  summary: Summary | undefined,
  hasAborted: boolean,
  { messages, stop, options }: Pick<Context, "messages" | "stop" | "options">,
): Promise<void> {
  const { done, unchanged, planned, failed, skipped } = counts;
  const notes: string[] = [];
  if (hasAborted && skipped > 0 && stop.reason === undefined) {
    notes.push(`Skipped: ${pluralize(skipped, "course")}.`);
  }
  if (summary === undefined) {
    for (const note of notes) await messages.info(note);
    return;
  }
  const did = `${summary.done} ${pluralize(done, "course")}`;
  if (stop.reason !== undefined) {
    const same = unchanged > 0 ? `, ${formatNumber(unchanged)} unchanged` : "";
    notes.push(`${did}${same}, ${formatNumber(failed)} failed, ${formatNumber(skipped)} skipped.`);
  } else {
    if (unchanged > 0) notes.push(`Unchanged: ${pluralize(unchanged, "course")}.`);
    if (planned > 0) notes.push(`${summary.planned} ${pluralize(planned, "course")}.`);
    if (done > 0) notes.push(`${did}.`);
    if (notes.length === 0 && hasJsonMessages(options.format)) {
      notes.push(failed > 0 ? `${pluralize(failed, "course")} failed.` : "Nothing changed.");
    }
  }
  const last = notes.pop();
  for (const note of notes) await messages.info(note);
  if (last === undefined) return;
  const restore = done > 0 ? summary.restore?.(done) : undefined;
  if (restore === undefined) await messages.info(last, { counts });
  else await messages.important(`${last} ${restore}`, { counts });
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

/** Prints one line per course. */
export async function showEntries(
  entries: readonly PlanEntry[],
  { io, messages }: Pick<Context, "io" | "messages">,
): Promise<void> {
  await messages.show((styles) => planLines(maskEntries(entries, io.err.mask), styles));
}
