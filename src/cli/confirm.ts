/** Asks before a run deletes courses or undoes another, and limits how many courses a run deletes. */
import { CatalogError, usageError } from "../base/errors.ts";
import { escapeName, formatNumber, joinList, pluralize } from "../base/text.ts";
import type { Step } from "../core/step.ts";
import { courseLabel } from "../course/course-label.ts";
import { type DeletionLimit, parseLimit } from "../settings/deletion-limit.ts";
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

export const MAX_DELETES_FLAG = {
  name: "max-deletes",
  value: "<n or p%>",
  parse: (text, flag) => parseLimit(text, `--${flag}`),
  description:
    "with --prune: refuse to delete more than this (default: 5 or 10%, whichever is larger)",
} as const satisfies Flag;

/** How many of a number of courses or files may be deleted. @param limit the value of the flag */
export async function resolveLimit(
  of: number,
  limit: DeletionLimit | undefined,
  context: Pick<Context, "settings">,
): Promise<number> {
  return (limit ?? (await context.settings()).maxDeletes.value).of(of);
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
