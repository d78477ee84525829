/** Asks before a run deletes courses or overwrites many, and limits how many courses one run deletes. */
import { CatalogError, usageError } from "../base/errors.ts";
import { escapeName, formatNumber, joinList, pluralize, truncate } from "../base/text.ts";
import type { Course } from "../course/request-body.ts";
import type { Step } from "../sync/step.ts";
import type { Flag } from "./arguments.ts";
import { askText, canConfirm, confirm, requireConfirmable } from "./ask.ts";
import type { Context } from "./context.ts";

/** The questions before the steps of a run are applied. */
export interface Questions {
  /** One question about all steps, instead of the others. */
  readonly all?: string | undefined;
  /** The courses among which the run deletes. */
  readonly scope?: DeletionScope | undefined;
  /** Whether to ask before many updates. Without a terminal, they need no answer. */
  readonly updates?: boolean;
  /** Of how many courses the run changes some; by default, the number of steps. */
  readonly of?: number;
  /** Whether the steps were printed, so the question need not name the courses. */
  readonly areShown?: boolean;
  readonly isInputData?: boolean;
}

const MAX_NAMED = 5;
/** Updates need an answer if they are more courses than this, and a larger share of the courses in question. */
const MANY_UPDATES = 20;
const MANY_PERCENT = 10;

/**
 * Asks the questions that the steps need. @returns whether it asked @throws CatalogError of kind `cancelled` if the
 * answer is no, `usage` if there is no terminal for a question
 */
export async function confirmSteps(
  steps: readonly Step[],
  questions: Questions,
  context: Context,
): Promise<boolean> {
  const { all, updates = false, of = steps.length, isInputData = false } = questions;
  if (all !== undefined) {
    requireConfirmable("changing courses", context, isInputData);
    requireYes(await confirm(all, context));
    return true;
  }
  const deleted = steps.flatMap((step) => (step.action === "delete" ? [step.before] : []));
  if (deleted.length > 0) {
    requireConfirmable(`deleting ${pluralize(deleted.length, "course")}`, context, isInputData);
    requireYes(await confirmDeletion(deleted, questions, context));
  }
  const updated = steps.filter(({ action }) => action === "update").length;
  const isMany = updated > MANY_UPDATES && updated * 100 > of * MANY_PERCENT;
  if (!updates || !isMany || !canConfirm(context, isInputData)) return deleted.length > 0;
  const question = `Update ${formatNumber(updated)} of ${pluralize(of, "course")}?`;
  requireYes(await confirm(question, context));
  return true;
}

/** Ends the run after a no. @throws CatalogError of kind `cancelled` */
export function requireYes(answer: boolean): void {
  if (!answer) throw new CatalogError("cancelled", "Cancelled: nothing was changed.");
}

/** Names the courses, unless they were printed, and asks. The user confirms many courses by typing their number. */
async function confirmDeletion(
  courses: readonly Course[],
  { scope, areShown = false }: Questions,
  context: Context,
): Promise<boolean> {
  const lines = areShown ? [] : nameCourses(courses);
  for (const line of lines) await context.messages.important(line);
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

/** The most courses that a run may delete: a number, or a percentage of all. */
export type DeletionLimit = { readonly amount: number } | { readonly percent: number };

export const MAX_DELETES_FLAG = {
  name: "max-deletes",
  value: "<n or p%>",
  parse: parseLimit,
  description:
    "with --prune: refuse to delete more than this (default: 5 or 10%, whichever is larger)",
} as const satisfies Flag;

/** The default limit is 5 or 10%, whichever is larger. */
const DEFAULT_AMOUNT = 5;
const DEFAULT_PERCENT = 10;

/** Parses the value of `--max-deletes`: `20` or `50%`. @throws CatalogError of kind `usage` */
function parseLimit(text: string): DeletionLimit {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(text.trim()) ?? [];
  const amount = Number(digits);
  if (digits !== undefined && percent === "") return { amount };
  if (digits !== undefined && amount <= 100) return { percent: amount };
  throw usageError(
    `--max-deletes must be a number or a percentage, not ${JSON.stringify(text)}`,
    "For example: --max-deletes 20, or --max-deletes 50%",
  );
}

/** How many of a number of courses may be deleted. @param of all courses @param limit undefined for the default */
export function resolveLimit(of: number, limit: DeletionLimit | undefined): number {
  const part = (percent: number): number => Math.floor((of * percent) / 100);
  if (limit === undefined) return Math.max(DEFAULT_AMOUNT, part(DEFAULT_PERCENT));
  return "amount" in limit ? limit.amount : part(limit.percent);
}

/**
 * The error of deletions above the limit.
 *
 * @param what all courses or files: `the 300 courses of Example Academy`
 * @param words the verb, and when the user should raise the limit: `delete`, `If the plan is right`
 */
export function checkLimit(
  deletions: number,
  most: number,
  what: string,
  { verb, condition }: { readonly verb: string; readonly condition: string },
): CatalogError | undefined {
  if (deletions <= most) return undefined;
  return usageError(
    `this would ${verb} ${formatNumber(deletions)} of ${what}; the limit is ${formatNumber(most)}`,
    `${condition}, pass --max-deletes ${deletions}.`,
  );
}

/** The courses of the providers that the files name, among which a run may delete. */
export interface DeletionScope {
  readonly courses: number;
  readonly providers: readonly string[];
}

/** `the 300 courses of Example Academy`, or `the 300 courses of 6 providers` */
export function describeScope({ courses, providers }: DeletionScope): string {
  const names =
    providers.length > MAX_NAMED
      ? pluralize(providers.length, "provider")
      : joinList(providers.map(escapeName), "and");
  return `the ${pluralize(courses, "course")}${names === "" ? "" : ` of ${names}`}`;
}

/** The most deletions that the user confirms with a yes; for more, the user types the number. */
const MAX_BY_YES = 5;

/** Asks before deletions: for a yes or, if there are many, for their number. @param question `Delete 6 courses?` */
export async function confirmDeletions(
  question: string,
  amount: number,
  context: Context,
): Promise<boolean> {
  if (amount <= MAX_BY_YES) return await confirm(question, context);
  // The prompt does not mask secrets in names from the service.
  const message = escapeName(context.io.err.mask(`${question} Type ${amount} to confirm:`));
  // Any other answer is a no.
  return (await askText({ message }, () => true, context)).trim() === String(amount);
}
