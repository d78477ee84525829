/** Prints the plan of a push before it is applied. */
import { formatNumber } from "../../base/text.ts";
import type { Context } from "../../command-support/context.ts";
import { hasJsonMessages } from "../../output/formats.ts";
import { type PlanCounts, planLines, planSummary } from "../../output/plan.ts";
import type { Step } from "../../sync/plan.ts";
import { isChanging, toPlanEntries } from "./plan-entries.ts";
import { countSteps } from "./plan-push.ts";
import type { StepItem } from "./push-step.ts";

/** Lines of the plan; only a dry run and `--verbose` show a longer one in full. */
const MAX_LINES = 100;

/** Prints one line per course that changes, and the counts. */
export async function showPlan(
  steps: readonly Step<StepItem>[],
  dryRun: boolean,
  { messages, options }: Context,
  counts: PlanCounts = countSteps(steps),
): Promise<void> {
  if (options.format !== undefined) {
    if (dryRun && hasJsonMessages(options.format)) {
      await messages.info(planSummary(counts), { counts });
    }
    return;
  }
  const changing = steps.filter(isChanging);
  const shown = dryRun || options.verbose ? changing : changing.slice(0, MAX_LINES);
  const entries = await toPlanEntries(shown);
  await messages.show((styles) => planLines(entries, styles));
  const rest = changing.length - shown.length;
  if (rest > 0) await messages.info(`… and ${formatNumber(rest)} more`);
  await messages.info(planSummary(counts));
}
