/** Asks before steps are applied that lose or overwrite much. */
import { CatalogError } from "../base/errors.ts";
import { escapeName, formatNumber, pluralize, truncate } from "../base/text.ts";
import type { Course } from "../course/request-body.ts";
import type { Step } from "../sync/step.ts";
import { canConfirm, confirm, requireConfirmable } from "./ask.ts";
import type { Context } from "./context.ts";
import { confirmDeletions, type DeletionScope, describeScope } from "./deletion-limit.ts";

/** What is asked before the steps of a run are applied. */
export interface Questions {
  /** The question about all steps, which replaces the others. */
  readonly all?: string | undefined;
  /** The courses among which the run deletes. */
  readonly scope?: DeletionScope | undefined;
  /** Whether many updates are asked about, which needs a terminal. */
  readonly updates?: boolean;
  /** How many courses there are in question; by default, those of the steps. */
  readonly of?: number;
  /** Whether the command reads standard input itself. */
  readonly isInputData?: boolean;
}

/** More courses are not named. */
const MAX_NAMED = 5;
/** Fewer updates, and a smaller share of the courses in question, are not asked about. */
const MANY_UPDATES = 20;
const MANY_PERCENT = 10;

/**
 * Asks what the steps need. @returns whether it asked
 *
 * @throws CatalogError of kind `cancelled` without a yes, `usage` if nobody can give one
 */
export async function confirmSteps(
  steps: readonly Step[],
  { all, scope, updates = false, of = steps.length, isInputData = false }: Questions,
  context: Context,
): Promise<boolean> {
  if (all !== undefined) {
    requireConfirmable("changing courses", context, isInputData);
    requireYes(await confirm(all, context));
    return true;
  }
  const deleted = steps.flatMap((step) => (step.action === "delete" ? [step.before] : []));
  if (deleted.length > 0) {
    requireConfirmable(`deleting ${pluralize(deleted.length, "course")}`, context, isInputData);
    requireYes(await confirmDeletion(deleted, scope, context));
  }
  const updated = steps.filter(({ action }) => action === "update").length;
  const isMany = updated > MANY_UPDATES && updated * 100 > of * MANY_PERCENT;
  if (!updates || !isMany || !canConfirm(context, isInputData)) return deleted.length > 0;
  const question = `Update ${formatNumber(updated)} of ${pluralize(of, "course")}?`;
  requireYes(await confirm(question, context));
  return true;
}

/** @throws CatalogError of kind `cancelled` */
export function requireYes(answer: boolean): void {
  if (!answer) throw new CatalogError("cancelled", "Cancelled: nothing was changed.");
}

/** Names the courses, and asks; many are confirmed by typing their number. */
async function confirmDeletion(
  courses: readonly Course[],
  scope: DeletionScope | undefined,
  context: Context,
): Promise<boolean> {
  for (const line of nameCourses(courses)) await context.messages.important(line);
  const question =
    scope === undefined
      ? `Delete ${pluralize(courses.length, "course")}?`
      : `Delete ${formatNumber(courses.length)} of ${describeScope(scope)}?`;
  return await confirmDeletions(question, courses.length, context);
}

function nameCourses(courses: readonly Course[]): string[] {
  const lines = courses.slice(0, MAX_NAMED).map(({ name, id }) => {
    const text = typeof name === "string" ? name : JSON.stringify(name ?? null);
    return escapeName(`- ${truncate(text)} (${truncate(id)})`);
  });
  const rest = courses.length - MAX_NAMED;
  return rest > 0 ? [...lines, `and ${formatNumber(rest)} more`] : lines;
}
