/** Executes a plan of files or of a plan file: shows it, asks before deletions, and sends it. */
import { usageError } from "../../../base/errors.ts";
import { STANDARD_INPUT } from "../../../base/io.ts";
import { pluralize } from "../../../base/text.ts";
import { requireConfirmable } from "../../../command-support/ask.ts";
import type { Context } from "../../../command-support/context.ts";
import type { RunState } from "../../../command-support/run-report.ts";
import { planSummary } from "../../../output/plan.ts";
import { listDeletions, type SendableSteps, type SendOptions, sendSteps } from "./apply-push.ts";
import { confirmDeletion, type DeletionScope } from "./deletion.ts";
import { savePlan } from "./plan-file.ts";
import { countSteps, planResults, showPlan, showResults } from "./show-plan.ts";

/** A plan, and what depends on where it comes from. */
export interface ExecutablePlan extends SendableSteps {
  /** The courses among which the files delete; a plan file was reviewed. */
  readonly scope?: DeletionScope;
  /** Reports what else was found out. @throws CatalogError if the plan must not be executed */
  readonly report?: () => Promise<void>;
  /** The same plan after a question: an answer takes time, in which courses may change. */
  readonly readAgain: () => Promise<SendableSteps>;
}

interface ExecutionOptions extends Omit<SendOptions, "sentence"> {
  /** The course files. */
  readonly paths: readonly string[];
  readonly dryRun: boolean;
  readonly yes: boolean;
  /** The file that a dry run writes the plan to. */
  readonly out: string | undefined;
}

/** Executes a plan. @param update receives what is known about the run */
export async function executePlan(
  plan: ExecutablePlan,
  options: ExecutionOptions,
  update: (state: RunState) => void,
  context: Context,
): Promise<void> {
  const { steps, stale } = plan;
  update({ outcomes: planResults(steps, "skipped") });
  await showPlan(steps, stale, options.dryRun, context);
  await plan.report?.();
  const sentence = planSummary(countSteps(steps, stale));
  if (options.dryRun) {
    const outcomes = planResults(steps, "planned", stale);
    if (options.out !== undefined) await savePlan(options.out, steps, context);
    update({ outcomes, outcome: [`${sentence} Nothing was sent.`] });
    return await showResults(outcomes, context);
  }
  const isAsked = await confirmDeletions(plan, options, context);
  const current = isAsked ? await plan.readAgain() : plan;
  await sendSteps(current, { ...options, sentence }, update, context);
}

/** Asks before deletions. @returns whether it asked */
async function confirmDeletions(
  plan: ExecutablePlan,
  { yes, paths }: ExecutionOptions,
  context: Context,
): Promise<boolean> {
  const courses = listDeletions(plan);
  if (yes || courses.length === 0) return false;
  const what = `deleting ${pluralize(courses.length, "course")}`;
  requireConfirmable(what, context, paths.includes(STANDARD_INPUT));
  if (await confirmDeletion(courses, plan.scope, context)) return true;
  throw usageError("nothing was sent: cancelled");
}
