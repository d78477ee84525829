/** Asks before courses are deleted, and limits how many a push deletes. */
import type { CatalogError } from "../../../base/errors.ts";
import { escapeName, formatNumber, joinList, pluralize, truncate } from "../../../base/text.ts";
import { confirm } from "../../../command-support/ask.ts";
import type { Context } from "../../../command-support/context.ts";
import {
  checkLimit,
  confirmDeletions,
  type DeletionLimit,
} from "../../../command-support/deletion-limit.ts";
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

/** The courses among which a push deletes: those of the providers of its files. */
export interface DeletionScope {
  readonly courses: number;
  readonly providers: readonly string[];
}

/** The error of a plan that deletes more courses than the limit allows; undefined within it. */
export function checkPlanLimit(
  steps: readonly PushStep[],
  scope: DeletionScope,
  limit: DeletionLimit | undefined,
): CatalogError | undefined {
  const deletions = steps.filter(({ action }) => action === "delete").length;
  return checkLimit({ deletions, of: scope.courses, what: describeScope(scope), limit });
}

/** `the 300 courses of Example Academy` */
function describeScope({ courses, providers }: DeletionScope): string {
  return `the ${pluralize(courses, "course")} of ${joinList(providers.map(escapeName), "and")}`;
}
