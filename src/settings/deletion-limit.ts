/** Limits for how many courses or files a run may delete. */
import { usageError } from "../base/errors.ts";

export interface DeletionLimit {
  /** As status shows it: `20`, `50%`. */
  readonly text: string;
  /** The most deletions. @param all how many courses or files there are */
  readonly of: (all: number) => number;
}

export const DEFAULT_LIMIT: DeletionLimit = {
  text: "5 or 10%",
  of: (all) => Math.max(5, percentage(10, all)),
};

/** Parses `20` or `50%`. @param origin the source of the text, for the message @throws CatalogError of kind `usage` */
export function parseLimit(text: string, origin: string): DeletionLimit {
  const [, digits = "", sign] = /^(\d{1,9})(%?)$/.exec(text.trim()) ?? [];
  const amount = Number(digits);
  if (digits === "" || (sign === "%" && amount > 100)) {
    const problem = `${origin} must be a number or a percentage, not ${JSON.stringify(text)}`;
    throw usageError(problem, "For example: 20, or 50%");
  }
  return {
    text: `${amount}${sign}`,
    of: (all) => (sign === "%" ? percentage(amount, all) : amount),
  };
}

/** A limit that counts only where it is below another one. */
export function lowerLimit(limit: DeletionLimit, most: DeletionLimit): DeletionLimit {
  return {
    text: `${limit.text}, at most ${most.text}`,
    of: (all) => Math.min(limit.of(all), most.of(all)),
  };
}

function percentage(percent: number, all: number): number {
  return Math.floor((all * percent) / 100);
}
