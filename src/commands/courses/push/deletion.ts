/** Asks before courses are deleted, and limits how many a push deletes. */
import { type CatalogError, usageError } from "../../../base/errors.ts";
import { escapeName, formatNumber, joinList, pluralize, truncate } from "../../../base/text.ts";
import { askText, confirm } from "../../../command-support/ask.ts";
import type { Context } from "../../../command-support/context.ts";
import type { Course } from "../../../course/request-body.ts";
import type { PushStep } from "./push-step.ts";

const MAX_NAMED = 5;

/** Names the courses, and asks; many of those that a push deletes are confirmed by their number. */
export async function confirmDeletion(
  courses: readonly Course[],
  scope: DeletionScope | undefined,
  context: Context,
): Promise<boolean> {
  for (const line of nameCourses(courses)) await context.messages.important(line);
  if (scope === undefined) {
    return await confirm(`Delete ${pluralize(courses.length, "course")}?`, context);
  }
  const question = `Delete ${formatNumber(courses.length)} of ${describeScope(scope)}?`;
  if (courses.length <= MAX_NAMED) return await confirm(question, context);
  const number = String(courses.length);
  // The prompt does not mask what the service has said.
  const message = escapeName(context.io.err.mask(`${question} Type ${number} to confirm:`));
  // Any other answer is a no.
  return (await askText({ message }, () => true, context)).trim() === number;
}

function nameCourses(courses: readonly Course[]): string[] {
  const lines = courses.slice(0, MAX_NAMED).map(({ name, id }) => {
    const text = typeof name === "string" ? name : JSON.stringify(name ?? null);
    return escapeName(`- ${truncate(text)} (${truncate(id)})`);
  });
  const rest = courses.length - MAX_NAMED;
  return rest > 0 ? [...lines, `and ${formatNumber(rest)} more`] : lines;
}

/** The courses among which a push deletes: those of the providers of its files. */
export interface DeletionScope {
  readonly courses: number;
  readonly providers: readonly string[];
}

/** The default limit is the larger of both. */
const DEFAULT_COURSES = 5;
const DEFAULT_PERCENT = 10;

/** The error of a plan that deletes more courses than the limit allows; undefined within it. */
export function checkLimit(
  steps: readonly PushStep[],
  scope: DeletionScope,
  limit: DeletionLimit | undefined,
): CatalogError | undefined {
  const deletions = steps.filter(({ action }) => action === "delete").length;
  const most = resolveLimit(scope, limit);
  if (deletions <= most) return undefined;
  return usageError(
    `the plan deletes ${formatNumber(deletions)} of ${describeScope(scope)}, but at most ${formatNumber(most)} ${most === 1 ? "is" : "are"} allowed`,
    `Check the paths; to delete that many, pass --max-deletes ${deletions}.`,
  );
}

function resolveLimit({ courses }: DeletionScope, limit: DeletionLimit | undefined): number {
  const part = (percent: number): number => Math.floor((courses * percent) / 100);
  if (limit === undefined) return Math.max(DEFAULT_COURSES, part(DEFAULT_PERCENT));
  return "courses" in limit ? limit.courses : part(limit.percent);
}

/** `the 300 courses of Example Academy` */
function describeScope({ courses, providers }: DeletionScope): string {
  return `the ${pluralize(courses, "course")} of ${joinList(providers.map(escapeName), "and")}`;
}

/** The most courses that a push may delete: a number, or a percentage of its providers' courses. */
export type DeletionLimit = { readonly courses: number } | { readonly percent: number };

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
