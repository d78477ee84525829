/** How many courses or files one run deletes at most, and how many deletions are confirmed. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { escapeName, formatNumber, joinList, pluralize } from "../base/text.ts";
import type { Flag } from "./arguments.ts";
import { askText, confirm } from "./ask.ts";
import type { Context } from "./context.ts";

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
