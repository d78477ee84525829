/** Asks before a run deletes courses or undoes another, and limits how many courses a run deletes. */
import { CatalogError, usageError } from "../base/errors.ts";
import { escapeName, formatNumber, joinList, pluralize } from "../base/text.ts";
import type { Step } from "../core/step.ts";
import { courseLabel } from "../course/course-label.ts";
import type { Flag } from "./arguments.ts";
import { askText, confirm, requireConfirmable } from "./ask.ts";
import type { Context } from "./context.ts";

/** How many courses or providers are named; others are only counted. */
const NAMED = 5;

/** The most deletions that the user confirms with a yes; for more, the user types the number. */
const CONFIRMED_BY_YES = 5;

interface Questions {
  readonly steps: readonly Step[];
  /** The question about all steps; by default, only deletions need an answer. */
  readonly question?: string;
  /** What deletions are chosen from: `the 300 courses of Example Academy`. */
  readonly scope?: string | undefined;
  /** Whether the steps were shown, so that the question need not name the courses. */
  readonly shown?: unknown;
}

/**
 * Asks the question that the steps need, if they need one.
 *
 * @throws CatalogError of kind `cancelled` if the answer is no, `usage` if there is no terminal for a question
 */
export async function confirmRun(questions: Questions, context: Context): Promise<void> {
  const { steps, scope, shown } = questions;
  const deletions = steps.filter(({ action }) => action === "delete");
  const count = pluralize(deletions.length, "course");
  if (deletions.length === 0 && questions.question === undefined) return;
  const what = questions.question === undefined ? `deleting ${count}` : "changing courses";
  requireConfirmable(what, context);
  const { json, format, quiet } = context.options;
  const isShown = shown !== undefined && !json && format === undefined && !quiet;
  if (!isShown && questions.question === undefined) {
    for (const line of nameCourses(deletions)) await context.messages.important(line);
  }
  const of = scope === undefined ? count : `${formatNumber(deletions.length)} of ${scope}`;
  const question = questions.question ?? `Delete ${of}?`;
  requireYes(await confirmDeletions(question, deletions.length, context));
}

function nameCourses(steps: readonly Step[]): string[] {
  const lines = steps.slice(0, NAMED).map((step) => `- ${courseLabel(step)}`);
  const rest = steps.length - NAMED;
  return rest > 0 ? [...lines, `and ${formatNumber(rest)} more`] : lines;
}

/** Ends the run after a no. @throws CatalogError of kind `cancelled` */
export function requireYes(answer: boolean): void {
  if (!answer) throw new CatalogError("cancelled", "Cancelled: nothing was changed.");
}

/** Asks before deletions: for a yes or, if there are many, for their number. @param question `Delete 6 courses?` */
export async function confirmDeletions(
  question: string,
  amount: number,
  context: Context,
): Promise<boolean> {
  if (amount <= CONFIRMED_BY_YES) return await confirm(question, context);
  const message = escapeName(context.io.err.mask(`${question} Type ${amount} to confirm:`));
  // Any other answer is a no.
  return (await askText({ message }, () => true, context)).trim() === String(amount);
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
  readonly providers: string[];
}

/** `the 300 courses of Example Academy`, or `the 300 courses of 6 providers` */
export function describeScope({ courses, providers }: DeletionScope): string {
  const names =
    providers.length > NAMED
      ? pluralize(providers.length, "provider")
      : joinList(providers.map(escapeName), "and");
  return `the ${pluralize(courses, "course")}${names === "" ? "" : ` of ${names}`}`;
}
