/** Writes, edits and removes course files, for every command except `init`. */
import { rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { yieldToEventLoop } from "../base/async.ts";
import { requireRegular, writeError, writeFileAtomically } from "../base/atomic-write.ts";
import { asCatalogError, type CatalogError } from "../base/errors.ts";
import { joinList, pluralize } from "../base/text.ts";
import type { Change } from "../course/difference.ts";
import { type EditOptions, type EditText, rewriteFile } from "../files/edit.ts";
import { requireFreePath } from "../files/file-names.ts";
import {
  amountsOf,
  differencesText,
  maskEntries,
  type PlanEntry,
  toSentences,
  WERE,
} from "../output/plan.ts";
import { canAsk, requireYes } from "./ask.ts";
import type { Context } from "./context.ts";
import { openResults, type Result, type ResultStep } from "./results.ts";
import { showWork, type Tracker, withDeferredShutdown } from "./work.ts";

/** A course of a file that is written or compared, with the parts of its result that are known before. */
export interface ComparedCourse extends ResultStep {
  readonly action: "create" | "update" | "unchanged" | "delete";
  /** The status, if it does not depend on the result of the file. */
  readonly status?: Result["status"];
  readonly error?: CatalogError | undefined;
  /** The values of the file that differ, and the new ones. */
  readonly changes?: readonly Change[];
}

/** What to do with one file. `keep` does nothing. */
export type FileStep = {
  readonly name: string;
  readonly path: string;
  readonly courses: readonly ComparedCourse[];
} & (
  | { readonly action: "new"; readonly text: () => string | Promise<string | Uint8Array> }
  /** Replaces the file even if it has changed since it was read. */
  | { readonly action: "replace"; readonly text: () => Promise<Uint8Array> }
  | { readonly action: "edit"; readonly edit: EditText }
  | { readonly action: "remove" | "keep" }
);

/** The result of a step. */
export interface FileOutcome {
  readonly step: FileStep;
  readonly status: "done" | "planned" | "failed" | "skipped";
}

/** How files are written. */
export interface WriteOptions extends EditOptions {
  /** The name of the work in the progress line: `Writing`. */
  readonly doing: string;
  /** Whether to print the results of courses. Ctrl-C then skips the remaining files. */
  readonly prints?: boolean;
}

/** The system's code of a full disk. */
const FULL_DISK = "ENOSPC";

/** Writes, edits and removes files, and reports failures. Prints results if `options.prints` is set. */
export async function writeFiles(
  steps: readonly FileStep[],
  options: WriteOptions,
  context: Context,
): Promise<readonly FileOutcome[]> {
  const { messages, stop } = context;
  const results = options.prints ? await openResults(context) : undefined;
  const outcomes: FileOutcome[] = [];
  // A file of many courses is one failure, and so is a full disk.
  const reported = new Set<string>();
  const writeAll = async (progress: Tracker): Promise<void> => {
    for (const step of steps) {
      // Writing is synchronous, so signals and the progress line need a turn of the event loop.
      await yieldToEventLoop();
      let status: FileOutcome["status"] = options.dryRun ? "planned" : "done";
      let error: CatalogError | undefined;
      if (results !== undefined && stop.reason !== undefined) status = "skipped";
      else error = await writeStep(step, options).catch(asCatalogError);
      if (error !== undefined) {
        status = "failed";
        const key = error.facts.code === FULL_DISK ? FULL_DISK : error.message;
        if (!reported.has(key)) await messages.fail(error);
        reported.add(key);
      }
      outcomes.push({ step, status });
      for (const course of results === undefined ? [] : step.courses) {
        if (course.error !== undefined) await messages.fail(course.error);
        await results?.add(resultOf(course, status, error));
      }
      progress.update({ done: outcomes.length });
    }
  };
  const work = () => showWork(options.doing, context, writeAll, steps.length);
  if (results === undefined) await work();
  else {
    await withDeferredShutdown(context, work);
    await results.end();
  }
  return outcomes;
}

function resultOf(
  course: ComparedCourse,
  outcome: FileOutcome["status"],
  error: CatalogError | undefined,
): Result {
  const status = course.status ?? (course.action === "unchanged" ? "unchanged" : outcome);
  return { step: course, status, error: course.error ?? (status === "failed" ? error : undefined) };
}

async function writeStep(step: FileStep, options: EditOptions): Promise<undefined> {
  const { name, path } = step;
  if (step.action === "keep") return;
  if (step.action === "new") {
    requireFreePath(name, dirname(path), basename(path), options.adviceIfChanged);
  } else requireRegular(name, path);
  if (step.action === "edit") await rewriteFile(step, step.edit, options);
  else if (options.dryRun) return;
  else if ("text" in step) await writeFileAtomically(path, await step.text(), { name });
  else {
    try {
      rmSync(path);
    } catch (cause) {
      throw writeError(name, cause);
    }
  }
}

export function summarizeFiles(outcomes: readonly FileOutcome[], dryRun: boolean) {
  const counts = { ...NONE };
  let files = 0;
  for (const { step, status } of outcomes) {
    const isDone = status === "done" || status === "planned";
    if (isDone && step.action !== "keep" && step.action !== "remove") files++;
    for (const course of step.courses) {
      if (isKept(course)) counts.kept++;
      else if (!isDone) counts[status]++;
      else if (course.status === "failed") counts.failed++;
      else counts[WORDS[course.action]]++;
    }
  }
  return { counts, sentence: describeFiles(files, counts, dryRun) };
}

/** The number of courses by what was done with their files. */
const NONE = { written: 0, updated: 0, removed: 0, unchanged: 0, kept: 0, failed: 0, skipped: 0 };

function describeFiles(files: number, counts: typeof NONE, dryRun: boolean): string {
  const { removed, unchanged, kept, failed, skipped } = counts;
  const [write, remove, were] = dryRun
    ? (["would write", "would remove", WERE.planned] as const)
    : (["wrote", "removed", WERE.done] as const);
  const changes = amountsOf("file", [
    [files, (amount) => `${write} ${amount}`],
    [removed, (amount) => `${remove} ${amount}`],
  ]);
  if (changes.length + kept + failed + skipped === 0 && unchanged > 0) {
    return `Already up to date: ${pluralize(unchanged, "course")}.`;
  }
  const others = amountsOf("course", [
    [unchanged, (amount) => `${amount} ${were(unchanged)} up to date`],
    [kept, (amount) => `${amount} ${were(kept)} left alone`],
    [failed, (amount) => `${amount} ${dryRun ? "would fail" : "failed"}`],
    [skipped, (amount) => `${amount} ${were(skipped)} not written`],
  ]);
  return toSentences([
    joinList(changes, "and") || (dryRun ? "nothing would be written" : "nothing was written"),
    ...others,
  ]);
}

const WORDS = {
  create: "written",
  update: "updated",
  delete: "removed",
  unchanged: "unchanged",
} as const;

/** Whether the file of a course differs from the catalog and is left alone. */
function isKept({ status, changes }: ComparedCourse): boolean {
  return status === "failed" && changes !== undefined;
}

/**
 * Asks once before files are removed, and before values in them are overwritten, and shows both. `--force` alone is
 * the consent without a terminal.
 *
 * @throws CatalogError of kind `usage` without a terminal, `cancelled` if the answer is no
 */
export async function confirmFiles(
  steps: readonly FileStep[],
  { yes, dryRun }: { readonly yes: boolean; readonly dryRun: boolean },
  context: Context,
): Promise<void> {
  const removed = steps.filter(({ action }) => action === "remove").length;
  const edited = steps.filter(({ action }) => action === "edit" || action === "replace").length;
  const isAsked = !yes && !dryRun && (removed > 0 || (edited > 0 && canAsk(context)));
  if (isAsked || (removed > 0 && context.options.format === undefined)) {
    const shown = steps.filter(
      ({ action }) => action === "remove" || (isAsked && action !== "new"),
    );
    await context.io.err.write(await changesText(shown, context, context.io.err));
  }
  if (!isAsked) return;
  const parts = amountsOf("file", [
    [edited, (amount) => `overwrite these values in ${amount}`],
    [removed, (amount) => `remove ${amount} of courses that no longer exist`],
  ]);
  const [sentence] = toSentences([joinList(parts, "and")]).split(".");
  await requireYes(`${sentence}?`, context, removed);
}

/** The values that differ, as `diff` shows them: the value of the file, then the new value. */
export async function changesText(
  steps: readonly FileStep[],
  { io, styles }: Pick<Context, "io" | "styles">,
  out = io.out,
): Promise<string> {
  const entries = maskEntries(steps.flatMap(toEntries), out.mask);
  return await differencesText(entries, styles, out);
}

/** The courses of a step that change. */
function toEntries({ name: file, courses }: FileStep): PlanEntry[] {
  return courses.flatMap(({ id, name, action, changes = [] }) => {
    if (action === "unchanged" || (action === "update" && changes.length === 0)) return [];
    return [{ action, id: id ?? "", name, file, changes }];
  });
}
