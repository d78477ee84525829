/** Does one thing to each of many courses, and tells what came of it. */
import { inOrder } from "../../base/concurrent.ts";
import { abortsRun, asCatalogError, type CatalogError } from "../../base/errors.ts";
import { pluralize } from "../../base/text.ts";
import type { Context } from "../../command-support/context.ts";
import { concurrencyOf } from "../../command-support/limits.ts";
import { type Result, Results } from "../../command-support/results.ts";
import { progressOf } from "../../command-support/work.ts";

/** What writing to many courses needs. */
export type EachNeeds = Pick<
  Context,
  "io" | "options" | "styles" | "messages" | "settings" | "environment" | "signal"
>;

/** What is done, and how its result looks. */
export interface Each<Item> {
  readonly items: readonly Item[];
  /** What goes on, for the progress line: `Creating`. */
  readonly doing: string;
  /** What is known of an item before and after. */
  readonly describe: (item: Item) => Pick<Result, "id" | "file" | "action" | "backup">;
  /** Does it; resolves with what the result says beside `done`, if anything. */
  readonly work: (item: Item) => Promise<Partial<Result> | undefined>;
  /** Makes a failure say more: the file, the line. */
  readonly explain?: (error: CatalogError, item: Item) => CatalogError;
  /** What is printed of a result when no format was asked for. */
  readonly plain?: (result: Result) => string;
}

/**
 * Works through the items, several at once; results come in the order of the items. A failure does
 * not stop the others, unless it is one that they would all meet.
 */
export async function each<Item>(job: Each<Item>, context: EachNeeds): Promise<Results> {
  const results = new Results(context, job.plain);
  const prints = job.plain !== undefined || context.options.format !== undefined;
  const progress = await progressOf(job.doing, context, prints);
  let stopped = false;

  const attempt = async (item: Item): Promise<Result> => {
    const known = job.describe(item);
    if (stopped) return { ...known, status: "skipped" };
    try {
      return { ...known, status: "done", ...(await job.work(item)) };
    } catch (thrown) {
      const error = asCatalogError(thrown);
      stopped ||= abortsRun(error);
      return { ...known, status: "failed", error: job.explain?.(error, item) ?? error };
    }
  };

  let finished = 0;
  try {
    for await (const result of inOrder(job.items, await concurrencyOf(context), attempt)) {
      finished++;
      // A line of its own must not meet the progress line.
      if (result.status === "failed") progress.stop();
      await results.add(result);
      progress.update(`${job.doing}: ${finished} of ${job.items.length}`);
    }
  } finally {
    progress.stop();
  }
  await results.end();
  const skipped = stopped ? results.count("skipped") : 0;
  if (skipped > 0) await context.messages.info(`Not tried: ${pluralize(skipped, "course")}.`);
  return results;
}
