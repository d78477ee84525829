/** `push --plan`: sends exactly the requests of a saved plan whose courses have not changed since. */
import { usageError } from "../../../base/errors.ts";
import { pluralize } from "../../../base/text.ts";
import { requireConfirmable } from "../../../command-support/ask.ts";
import type { Context } from "../../../command-support/context.ts";
import type { Result } from "../../../command-support/results.ts";
import type { RunState } from "../../../command-support/run-report.ts";
import type { Course } from "../../../course/request-body.ts";
import { planSummary } from "../../../output/plan.ts";
import type { Step } from "../../../sync/plan.ts";
import type { SavedPlan } from "../../../sync/saved-plan.ts";
import { planResults, sendSteps, showResults } from "./apply-push.ts";
import { confirmDeletion } from "./deletion.ts";
import { loadPlan, requireSameService } from "./plan-file.ts";
import { type CheckedSteps, checkSteps, planExisting, refreshStep } from "./planned-steps.ts";
import { countSteps, type StepItem, showPlan } from "./push-step.ts";

interface ExecutionOptions {
  readonly plan: string;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly failFast: boolean;
  readonly verify: boolean;
  readonly record: string | undefined;
}

/** Executes the plan in a file. @param update receives what is known about the run */
export async function executePlan(
  options: ExecutionOptions,
  update: (state: RunState) => void,
  context: Context,
): Promise<void> {
  const plan = loadPlan(options.plan, context);
  await requireSameService(plan, context);
  const client = await context.client();
  let checked = await checkSteps(plan.steps, client, context);
  const ready = checked.steps.filter(({ id }) => !checked.stale.has(id));
  const stale = checked.stale.size;
  const counts = { ...countSteps(ready), ...(stale === 0 ? {} : { stale }) };
  const summary = planSummary(counts);
  update({ outcomes: planResults(checked.steps, "skipped") });
  await showPlan(ready, options.dryRun, context, counts);
  if (options.dryRun) {
    const outcomes = plannedResults(checked);
    update({ outcomes, outcome: [`${summary} Nothing was sent.`] });
    await showResults(outcomes, context);
    return;
  }
  // An answer takes time, in which courses may change.
  if (await confirmDeletions(plan, checked, options, context)) {
    checked = await checkSteps(plan.steps, client, context);
  }
  const { steps, stale: refused } = checked;
  const courses = steps.map((step) => (step.action === "create" ? step.body : step.remote));
  const saved = new Map(plan.steps.map((step) => [step.id, step]));
  const refresh = async (step: Step<StepItem>): Promise<Step<StepItem>> => {
    const error = refused.get(step.id);
    if (error !== undefined) throw error;
    const planned = saved.get(step.id);
    return planned === undefined ? step : await refreshStep(step, planned, client);
  };
  const how = { courses, stale: refused, refresh, whenExists: planExisting, sentence: summary };
  await sendSteps(steps, { ...options, ...how, writeIds: false }, update, context);
}

/** The results of a dry run; stale steps have failed. */
function plannedResults({ steps, stale }: CheckedSteps): readonly Result[] {
  return planResults(steps, "planned").map((result) => {
    const error = stale.get(result.id ?? "");
    return error === undefined ? result : { ...result, status: "failed", error };
  });
}

/** Asks before deletions. @returns whether it asked */
async function confirmDeletions(
  { baseUrl }: SavedPlan,
  checked: CheckedSteps,
  { yes }: ExecutionOptions,
  context: Context,
): Promise<boolean> {
  const courses = findDeletions(checked);
  if (yes || courses.length === 0) return false;
  const what = `deleting ${pluralize(courses.length, "course")} of ${baseUrl}`;
  requireConfirmable(what, context);
  if (await confirmDeletion(courses, undefined, context)) return true;
  throw usageError("nothing was sent: cancelled");
}

function findDeletions({ steps, stale }: CheckedSteps): readonly Course[] {
  return steps.flatMap((step) => {
    return step.action === "delete" && !stale.has(step.id) ? [step.remote] : [];
  });
}
