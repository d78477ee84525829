/** Writes, edits and removes course files, for every command except `init`. */
import { rmSync } from "node:fs";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { requireRegular, writeError, writeFileAtomically } from "../base/atomic-write.ts";
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { joinList, pluralize } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import { countOutcomes } from "../core/apply.ts";
import type { Change } from "../course/difference.ts";
import { type EditText, editCourses, type Replacement, rewriteFile } from "../files/edit.ts";
import { differencesText, listCounts, maskEntries, type PlanEntry } from "../output/plan.ts";
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

/** The step for a file in which courses are replaced and added in place. */
export function editStep(
  file: Pick<FileStep, "name" | "path" | "courses">,
  replacements: readonly Replacement[],
  added: readonly PlainObject[] = [],
): FileStep {
  if (replacements.length === 0 && added.length === 0) return { action: "keep", ...file };
  const edit: EditText = (text, format) => editCourses(text, format, replacements, added);
  return { action: "edit", ...file, edit };
}

/** The result of a step. */
export interface FileOutcome {
  readonly step: FileStep;
  readonly status: "done" | "planned" | "failed" | "skipped";
  readonly error?: CatalogError | undefined;
}

/** How files are written. */
export interface WriteOptions {
  /** The name of the work in the progress line: `Writing`. */
  readonly doing: string;
  /** Whether to print the results of courses. Ctrl-C then skips the remaining files. */
  readonly prints?: boolean;
  readonly dryRun: boolean;
}

/** Writes, edits and removes files, and reports failures. Prints results if `options.prints` is set. */
export async function writeFiles(
  steps: readonly FileStep[],
  { doing, prints, dryRun }: WriteOptions,
  context: Context,
): Promise<readonly FileOutcome[]> {
  const { messages, stop } = context;
  const results = prints ? await openResults(context) : undefined;
  const outcomes: FileOutcome[] = [];
  const writeAll = async (progress: Tracker): Promise<void> => {
    for (const step of steps) {
      // Writing is synchronous, so signals and the progress line need a turn of the event loop.
      await yieldToEventLoop();
      const isSkipped = results !== undefined && stop.reason !== undefined;
      const outcome = isSkipped
        ? ({ step, status: "skipped" } as const)
        : await write(step, dryRun);
      outcomes.push(outcome);
      progress.update({ done: outcomes.length });
      const courses = results === undefined ? [] : resultsOf(outcome);
      // A file of many courses is one failure.
      const errors = new Set([outcome.error, ...courses.map(({ error }) => error)]);
      for (const error of errors) if (error !== undefined) await messages.fail(error);
      for (const result of courses) await results?.add(result);
    }
  };
  const work = () => showWork(doing, context, writeAll, steps.length);
  await (results === undefined ? work() : withDeferredShutdown(context, work));
  await results?.end();
  return outcomes;
}

/** The results of the courses of a file. */
function resultsOf({ step: { courses }, status: written, error }: FileOutcome): Result[] {
  return courses.map((course): Result => {
    const status = course.status ?? (course.action === "unchanged" ? "unchanged" : written);
    return {
      step: course,
      status,
      error: course.error ?? (status === "failed" ? error : undefined),
    };
  });
}

async function write(step: FileStep, dryRun: boolean): Promise<FileOutcome> {
  try {
    await writeStep(step, dryRun);
    return { step, status: dryRun ? "planned" : "done" };
  } catch (thrown) {
    return { step, status: "failed", error: asCatalogError(thrown) };
  }
}

async function writeStep(step: FileStep, dryRun: boolean): Promise<void> {
  const { name, path } = step;
  if (step.action === "keep") return;
  if (requireRegular(name, path) !== undefined && step.action === "new") {
    const message = `cannot write ${name}: it was created after catalog read the folder`;
    throw new CatalogError("output", message, { file: name, advice: "Run the command again." });
  }
  if (step.action === "edit") await rewriteFile(step, step.edit, dryRun);
  else if (dryRun) return;
  else if ("text" in step) await writeFileAtomically(path, await step.text(), { name });
  else {
    try {
      rmSync(path);
    } catch (cause) {
      throw writeError(name, cause);
    }
  }
}

/** Counts the courses by outcome and, as `kept`, those whose files differ and are left alone; with a sentence. */
export function summarizeFiles(outcomes: readonly FileOutcome[], dryRun: boolean) {
  const counts = countOutcomes(outcomes.flatMap(resultsOf));
  const courses = outcomes.flatMap(({ step }) => step.courses);
  const kept = courses.filter(({ status, changes }) => status === "failed" && changes).length;
  const { created, updated, deleted, unchanged, failed, skipped } = counts;
  const list = listCounts({
    [dryRun ? "to write" : "written"]: created + updated,
    [dryRun ? "to remove" : "removed"]: deleted,
    "up to date": unchanged,
    "left alone": kept,
    failed: failed - kept,
    skipped,
  });
  return { counts, kept, sentence: `Courses in files: ${list.join(", ") || "none"}.` };
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
  const lost = steps.filter(
    ({ action, courses }) =>
      action === "remove" ||
      ((action === "edit" || action === "replace") &&
        courses.some((course) => course.action === "update" && course.status !== "failed")),
  );
  if (lost.length === 0) return;
  const removed = lost.filter(({ action }) => action === "remove").length;
  const isAsked = !yes && !dryRun && (removed > 0 || canAsk(context));
  if (isAsked || (removed > 0 && context.options.format === undefined)) {
    await context.io.err.write(await changesText(lost, context, context.io.err));
  }
  if (!isAsked) return;
  const edited = lost.length - removed;
  const parts = [
    edited > 0 ? [`overwrite these values in ${pluralize(edited, "file")}`] : [],
    removed > 0 ? [`remove ${pluralize(removed, "file")} of courses that no longer exist`] : [],
  ];
  await requireYes(`Do you want to ${joinList(parts.flat(), "and")}?`, context, removed);
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
  return courses.flatMap(({ id, name, action, status, changes = [] }) => {
    if (status === "failed") return [];
    if (action === "unchanged" || (action === "update" && changes.length === 0)) return [];
    return [{ action, id: id ?? "", name, file, changes }];
  });
}
