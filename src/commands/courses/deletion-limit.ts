/** Refuses plans that delete more courses than expected, such as after a wrong path. */
import { type CatalogError, usageError } from "../../base/errors.ts";
import { formatNumber, joinList, pluralize } from "../../base/text.ts";
import type { Context } from "../../command-support/context.ts";
import type { DeletionLimit } from "./plan-flags.ts";
import type { PushStep } from "./push-step.ts";

/** The courses among which a push deletes: those of the providers of its files. */
export interface DeletionScope {
  readonly courses: number;
  /** The names of the providers. */
  readonly providers: readonly string[];
}

/** The default limit is the larger of both. */
const DEFAULT_COURSES = 5;
const DEFAULT_PERCENT = 10;

/** The error of a plan that deletes more courses than the limit allows; undefined within it. */
export function exceededLimit(
  steps: readonly PushStep[],
  scope: DeletionScope,
  limit: DeletionLimit | undefined,
): CatalogError | undefined {
  const deletions = steps.filter(({ action }) => action === "delete").length;
  const most = limitOf(scope, limit);
  if (deletions <= most) return undefined;
  return usageError(
    `the plan deletes ${formatNumber(deletions)} of ${describeScope(scope)}, and at most ${formatNumber(most)} are allowed`,
    `Check the paths; to delete that many, pass --max-deletes ${deletions}.`,
  );
}

function limitOf({ courses }: DeletionScope, limit: DeletionLimit | undefined): number {
  const part = (percent: number): number => Math.floor((courses * percent) / 100);
  if (limit === undefined) return Math.max(DEFAULT_COURSES, part(DEFAULT_PERCENT));
  return "courses" in limit ? limit.courses : part(limit.percent);
}

/** `the 300 courses of Example Academy` */
export function describeScope({ courses, providers }: DeletionScope): string {
  return `the ${pluralize(courses, "course")} of ${joinList(providers, "and")}`;
}

/** Warns that a push of this plan would be refused. */
export async function warnAboutLimit(
  { message, facts }: CatalogError,
  { messages }: Pick<Context, "messages">,
): Promise<void> {
  await messages.warn(`push would refuse this: ${message}. ${facts.advice ?? ""}`);
}
