/** Writes, edits and removes course files, for every command except `init`. */
import { rmSync } from "node:fs";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { requireWritable, writeError, writeFileAtomically } from "../base/atomic-write.ts";
import { CatalogError } from "../base/errors.ts";
import { joinList, pluralize } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import { countOutcomes, type Outcome } from "../core/apply.ts";
import type { Change } from "../course/difference.ts";
import type { FoundFile } from "../files/decode.ts";
import { type EditText, editCourses, type Replacement, rewriteFile } from "../files/edit.ts";
import type { Result } from "../output/diagnostics.ts";
import { differencesText, listCounts, type PlanEntry } from "../output/plan-text.ts";
import { canAsk, requireYes } from "./ask.ts";
import type { Context } from "./context.ts";
import { printResults } from "./results.ts";
import { type Advance, showWork, withDeferredShutdown } from "./work.ts";

/** A course of a file that is written or compared, with the parts of its result that are known before. */
export type ComparedCourse = Result["step"] & {
  readonly action: "create" | "update" | "unchanged" | "delete";
  /** The status, if it does not depend on the result of the file. */
  readonly status?: Result["status"];
  readonly error?: CatalogError | undefined;
  /** The values of the file that differ, and the new ones. */
  readonly changes?: readonly Change[];
};

/** A file, and what is done with it: its removal, if a course of it is deleted; nothing without a new text or an edit. */
export interface FileStep extends FoundFile {
  readonly courses: readonly ComparedCourse[];
  /** The content of a new file or, with `isReplaced`, of one that may have changed since it was read. */
  readonly text?: () => string | Uint8Array | Promise<string | Uint8Array>;
  readonly isReplaced?: boolean;
  readonly edit?: EditText;
}

/** The step for a file in which courses are replaced and added in place. */
export function editStep(
  file: FileStep,
  replacements: readonly Replacement[],
  added: readonly PlainObject[] = [],
): FileStep {
  if (replacements.length === 0 && added.length === 0) return file;
  return { ...file, edit: (text, format) => editCourses(text, format, replacements, added) };
}

/** The result of a step. */
export interface FileOutcome extends Pick<Outcome, "status" | "error"> {
  readonly step: FileStep;
  /** The fields that could not be edited in place, and were written again completely. */
  readonly rewritten?: readonly string[] | undefined;
}

/**
 * Writes, edits and removes files, and reports failures. A stop signal skips the remaining files, and so does a failure
 * that the others would have too.
 *
 * @param doing the name of the work in the progress line: `Writing`
 * @param root the folder from which no link may lead out
 */
export async function writeFiles(
  steps: readonly FileStep[],
  doing: string,
  dryRun: boolean,
  context: Context,
  root = context.folder,
): Promise<readonly FileOutcome[]> {
  const { messages, stop } = context;
  // The ids of a push that was stopped are written.
  const before = stop.reason;
  const outcomes: FileOutcome[] = [];
  let isFull = false;
  const writeAll = async (advance: Advance): Promise<void> => {
    for (const step of steps) {
      // Writing is synchronous, so signals and the progress line need a turn of the event loop.
      await yieldToEventLoop();
      const isSkipped = isFull || stop.reason !== before;
      const skipped: FileOutcome = { step, status: "skipped" };
      const outcome = isSkipped ? skipped : await write(step, root, dryRun);
      outcomes.push(outcome);
      for (const field of outcome.rewritten ?? []) {
        const text = `${step.name}: ${field} cannot be edited in place, so catalog writes the complete field again, without its comments.`;
        await messages.notice(text, step.name);
      }
      isFull ||= NO_SPACE.has(outcome.error?.facts.code ?? "");
      advance({ done: outcomes.length });
      // A file of many courses is one failure.
      const errors = new Set([outcome, ...resultsOf(outcome)].map(({ error }) => error));
      for (const error of errors) if (error !== undefined) await messages.fail(error);
    }
  };
  await withDeferredShutdown(context, () => showWork(doing, context, writeAll, steps.length));
  return outcomes;
}

/** Codes of a file system on which nothing can be written. */
const NO_SPACE: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EROFS"]);

/** The results of the courses of a file. */
function resultsOf({ step: { courses }, status: written, error }: FileOutcome): Result[] {
  return courses.map((step): Result => {
    const status = step.status ?? (step.action === "unchanged" ? "unchanged" : written);
    return { step, status, error: step.error ?? (status === "failed" ? error : undefined) };
  });
}

async function write(step: FileStep, root: string, dryRun: boolean): Promise<FileOutcome> {
  const { name, path, courses, text, isReplaced, edit } = step;
  const to = { name, path, root };
  const isRemoved = courses.some(({ action }) => action === "delete");
  try {
    const exists = (isRemoved || text || edit) && requireWritable(to) !== undefined;
    if (text && exists && !isReplaced) {
      const message = `cannot write ${name}: it was created after catalog read the folder`;
      throw new CatalogError("output", message, { file: name, advice: "Run the command again." });
    }
    const rewritten = edit && (await rewriteFile(to, edit, dryRun));
    if (text && !dryRun) await writeFileAtomically(to, await text());
    if (isRemoved && !dryRun) rmSync(path);
    return { step, status: dryRun ? "planned" : "done", rewritten };
  } catch (thrown) {
    return { step, status: "failed", error: writeError(name, thrown) };
  }
}

/** Prints the results of the courses, and counts them: in a sentence and, as `kept`, those whose files differ and stay. */
export async function reportFiles(
  outcomes: readonly FileOutcome[],
  dryRun: boolean,
  context: Context,
) {
  const results = outcomes.flatMap(resultsOf);
  await printResults(results, context);
  const counts = countOutcomes(results);
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
  const select = (wanted: ComparedCourse["action"]): readonly FileStep[] =>
    steps.filter(({ courses }) =>
      courses.some(({ action, status }) => action === wanted && status !== "failed"),
    );
  const replaced = steps.filter(({ isReplaced }) => isReplaced);
  for (const { name } of replaced) {
    const text = `--force writes ${name} anew, without its other sheets, formats, formulas and columns that are not fields.`;
    await context.messages.notice(text, name);
  }
  const [edited, removed] = [[...new Set([...select("update"), ...replaced])], select("delete")];
  const isAsked = !yes && !dryRun && (removed.length > 0 || (edited.length > 0 && canAsk(context)));
  if (isAsked || (removed.length > 0 && context.options.format === undefined)) {
    await context.io.err.write(await changesText([...edited, ...removed], context, context.io.err));
  }
  if (!isAsked) return;
  const [edits, removals] = [edited, removed].map(({ length }) => pluralize(length, "file"));
  const parts = [
    edited.length > 0 ? `overwrite these values in ${edits}` : "",
    removed.length > 0 ? `remove ${removals} of courses that no longer exist` : "",
  ];
  const question = `Do you want to ${joinList(parts.filter(Boolean), "and")}?`;
  await requireYes(question, context, removed.length);
}

/** The values that differ, as `diff` shows them: the value of the file, then the new value. */
export async function changesText(
  steps: readonly FileStep[],
  { io, styles }: Context,
  out = io.out,
): Promise<string> {
  return await differencesText(steps.flatMap(toEntries), styles, out);
}

/** The courses of a step that change. */
function toEntries({ name: file, courses }: FileStep): PlanEntry[] {
  return courses.flatMap(({ id, name, action, status, changes = [] }) => {
    if (status === "failed") return [];
    if (action === "unchanged" || (action === "update" && changes.length === 0)) return [];
    return [{ action, id: id ?? "", name, file, changes }];
  });
}
