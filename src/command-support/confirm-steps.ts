/** Asks before steps are applied that lose or overwrite much, and limits how much one run deletes. */
import { CatalogError, usageError } from "../base/errors.ts";
import { escapeName, formatNumber, joinList, pluralize, truncate } from "../base/text.ts";
import type { Course } from "../course/request-body.ts";
import type { Step } from "../sync/step.ts";
import type { Flag } from "./arguments.ts";
import { askText, canConfirm, confirm, requireConfirmable } from "./ask.ts";
import type { Context } from "./context.ts";

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

/** The most that may be deleted: a number, or a percentage of all. */
export type DeletionLimit = { readonly amount: number } | { readonly percent: number };

export const MAX_DELETES_FLAG = {
  name: "max-deletes",
  value: "<n or p%>",
  needs: ["prune"],
  parse: parseLimit,
  description: "with --prune, delete at most this many (default 5 or 10%, the larger)",
} as const satisfies Flag;

/** The default limit is the larger of both. */
const DEFAULT_AMOUNT = 5;
const DEFAULT_PERCENT = 10;

/** Parses the value of `--max-deletes`. */
function parseLimit(text: string): DeletionLimit {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(text.trim()) ?? [];
  const amount = Number(digits);
  if (digits !== undefined && percent === "") return { amount };
  if (digits !== undefined && amount <= 100) return { percent: amount };
  throw usageError(
    `--max-deletes must be a number or a percentage: ${text}`,
    "For example, --max-deletes 20 or --max-deletes 50%.",
  );
}

/** The most deletions that are allowed among so many. */
export function resolveLimit(of: number, limit: DeletionLimit | undefined): number {
  const part = (percent: number): number => Math.floor((of * percent) / 100);
  if (limit === undefined) return Math.max(DEFAULT_AMOUNT, part(DEFAULT_PERCENT));
  return "amount" in limit ? limit.amount : part(limit.percent);
}

/**
 * The error of deletions that exceed the limit, of kind `usage`; undefined within it.
 *
 * @param what all of which they are a part: `the 300 courses of Example Academy`
 */
export function checkLimit(
  deletions: number,
  most: number,
  what: string,
): CatalogError | undefined {
  if (deletions <= most) return undefined;
  return usageError(
    `the plan deletes ${formatNumber(deletions)} of ${what}, but at most ${formatNumber(most)} ${most === 1 ? "is" : "are"} allowed`,
    `Check the paths; to delete that many, pass --max-deletes ${deletions}.`,
  );
}

/** The courses among which a run deletes: those of the providers of its files. */
export interface DeletionScope {
  readonly courses: number;
  readonly providers: readonly string[];
}

/** `the 300 courses of Example Academy` */
export function describeScope({ courses, providers }: DeletionScope): string {
  const whose = providers.length === 0 ? "" : ` of ${joinList(providers.map(escapeName), "and")}`;
  return `the ${pluralize(courses, "course")}${whose}`;
}

/** More deletions than these are confirmed by their number. */
const MOST_BY_YES = 5;

/** Asks before deletions: yes or no, or for their number. @param question such as `Delete 6 courses?` */
export async function confirmDeletions(
  question: string,
  amount: number,
  context: Context,
): Promise<boolean> {
  if (amount <= MOST_BY_YES) return await confirm(question, context);
  // The prompt does not mask what the service has said.
  const message = escapeName(context.io.err.mask(`${question} Type ${amount} to confirm:`));
  // Any other answer is a no.
  return (await askText({ message }, () => true, context)).trim() === String(amount);
}
