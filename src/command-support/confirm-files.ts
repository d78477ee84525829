/** Asks before course files are edited or removed, and shows what changes in them. */
import { listSome, pluralize } from "../base/text.ts";
import { differencesText, maskEntries, type PlanEntry, planLines } from "../output/plan.ts";
import { canConfirm, confirm, requireConfirmable } from "./ask.ts";
import { requireYes } from "./confirm-steps.ts";
import type { Context } from "./context.ts";
import { checkLimit, confirmDeletions } from "./deletion-limit.ts";
import type { FileStep } from "./write-files.ts";

/**
 * Asks before files are removed, or names them, and before they are edited, showing the values that
 * would be overwritten. @throws CatalogError of kind `usage` if that is refused or not confirmed
 */
export async function confirmFiles(
  steps: readonly FileStep[],
  removal: { readonly most: number; readonly what: string },
  { yes, dryRun }: { readonly yes: boolean; readonly dryRun: boolean },
  context: Context,
): Promise<void> {
  const removed = steps.filter(({ action }) => action === "remove");
  const exceeded = checkLimit(removed.length, removal.most, removal.what);
  if (exceeded !== undefined) throw exceeded;
  const isAsked = !yes && !dryRun;
  if (removed.length > 0 && (!isAsked || !canConfirm(context))) await showRemoved(removed, context);
  if (!isAsked) return;
  const edited = steps.filter(({ action }) => action === "edit");
  if (edited.length > 0 && canConfirm(context)) {
    await context.io.err.write(await changesText(edited, context));
    requireYes(
      await confirm(`Overwrite these values in ${pluralize(edited.length, "file")}?`, context),
    );
  }
  if (removed.length === 0) return;
  const amount = pluralize(removed.length, "file");
  requireConfirmable(`removing ${amount}`, context);
  const whose =
    removed.length === 1 ? "a course that no longer exists" : "courses that no longer exist";
  const question = `Remove ${amount} of ${whose}: ${listSome(removed.map(({ name }) => name))}?`;
  requireYes(await confirmDeletions(question, removed.length, context));
}

async function showRemoved(steps: readonly FileStep[], context: Context): Promise<void> {
  if (context.options.format !== undefined) return;
  const entries = maskEntries(steps.flatMap(toEntries), context.io.err.mask);
  await context.messages.show((styles) => planLines(entries, styles));
}

/** The values that differ, as `diff` shows them: that of the file, then the new one. */
export async function changesText(
  steps: readonly FileStep[],
  { io, styles, clock }: Pick<Context, "io" | "styles" | "clock">,
): Promise<string> {
  const entries = maskEntries(steps.flatMap(toEntries), io.out.mask);
  return await differencesText(entries, styles, clock.monotonic);
}

/** The courses of a step that change. */
export function toEntries({ name: file, courses }: FileStep): PlanEntry[] {
  return courses.flatMap(({ id, name, action, changes = [] }) => {
    if (action === "unchanged" || (action === "update" && changes.length === 0)) return [];
    return [{ action, id: id ?? "", name, file, changes }];
  });
}
