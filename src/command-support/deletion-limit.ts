/** How many courses or files one run deletes at most, and how many deletions are confirmed. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { escapeName, formatNumber } from "../base/text.ts";
import { askText, confirm } from "./ask.ts";
import type { Context } from "./context.ts";

/** The most that may be deleted: a number, or a percentage of all. */
export type DeletionLimit = { readonly amount: number } | { readonly percent: number };

/** The default limit is the larger of both. */
const DEFAULT_AMOUNT = 5;
const DEFAULT_PERCENT = 10;

/** Parses the value of `--max-deletes`. */
export function parseLimit(text: string): DeletionLimit {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(text.trim()) ?? [];
  const amount = Number(digits);
  if (digits !== undefined && percent === "") return { amount };
  if (digits !== undefined && amount <= 100) return { percent: amount };
  throw usageError(
    `--max-deletes must be a number or a percentage: ${text}`,
    "For example, --max-deletes 20 or --max-deletes 50%.",
  );
}

/** What is about to be deleted. */
export interface Deletions {
  readonly deletions: number;
  /** How many there are of the same kind. */
  readonly of: number;
  /** All of them, in words: `the 300 courses of Example Academy`. */
  readonly what: string;
  readonly limit: DeletionLimit | undefined;
}

/** The error of deletions that exceed the limit, of kind `usage`; undefined within it. */
export function checkLimit({ deletions, of, what, limit }: Deletions): CatalogError | undefined {
  const part = (percent: number): number => Math.floor((of * percent) / 100);
  const usual = Math.max(DEFAULT_AMOUNT, part(DEFAULT_PERCENT));
  const most = limit === undefined ? usual : "amount" in limit ? limit.amount : part(limit.percent);
  if (deletions <= most) return undefined;
  return usageError(
    `the plan deletes ${formatNumber(deletions)} of ${what}, but at most ${formatNumber(most)} ${most === 1 ? "is" : "are"} allowed`,
    `Check the paths; to delete that many, pass --max-deletes ${deletions}.`,
  );
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
