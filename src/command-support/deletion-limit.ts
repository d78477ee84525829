/** How many courses or files a run may delete at most. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { escapeName, formatNumber, joinList, pluralize } from "../base/text.ts";
import type { Flag } from "./arguments.ts";

/** A number, or a percentage of those among which the run deletes. */
export type DeletionLimit = { readonly courses: number } | { readonly percent: number };

/** The courses among which a run deletes: those of the providers of its files. */
export interface DeletionScope {
  readonly courses: number;
  readonly providers: readonly string[];
}

export const MAX_DELETES_FLAG = {
  name: "max-deletes",
  value: "<n or p%>",
  parse: parseLimit,
  description: "delete at most this many courses (default 5 or 10%, the larger)",
} as const satisfies Flag;

/** The default limit is the larger of both. */
const DEFAULT_COURSES = 5;
const DEFAULT_PERCENT = 10;

/** The largest number of deletions among so many courses. */
export function resolveLimit(of: number, limit: DeletionLimit | undefined): number {
  const part = (percent: number): number => Math.floor((of * percent) / 100);
  if (limit === undefined) return Math.max(DEFAULT_COURSES, part(DEFAULT_PERCENT));
  return "courses" in limit ? limit.courses : part(limit.percent);
}

/** The error of a run that deletes more than allowed; undefined within the limit. */
export function checkLimit(
  deletions: number,
  most: number,
  what: { readonly run: string; readonly of: string; readonly advice: string },
): CatalogError | undefined {
  if (deletions <= most) return undefined;
  const allowed = `at most ${formatNumber(most)} ${most === 1 ? "is" : "are"} allowed`;
  return usageError(
    `${what.run} deletes ${formatNumber(deletions)} of ${what.of}, but ${allowed}`,
    what.advice,
  );
}

/** `the 300 courses of Example Academy` */
export function describeScope({ courses, providers }: DeletionScope): string {
  return `the ${pluralize(courses, "course")} of ${joinList(providers.map(escapeName), "and")}`;
}

/** Parses the value of `--max-deletes`. */
export function parseLimit(text: string): DeletionLimit {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(text.trim()) ?? [];
  const amount = Number(digits);
  if (digits !== undefined && percent === "") return { courses: amount };
  if (digits !== undefined && amount <= 100) return { percent: amount };
  throw usageError(
    `--max-deletes must be a number of courses or a percentage: ${text}`,
    "For example, --max-deletes 20 or --max-deletes 50%.",
  );
}
