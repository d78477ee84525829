/** Shows the steps of a run before they are applied: the risks first, then a line or the values of each course. */
import { formatNumber } from "../base/text.ts";
import type { Many } from "../core/risks.ts";
import { isWrite, listChanges, type Step } from "../core/step.ts";
import {
  differencesText,
  listRisks,
  type PlanCounts,
  type PlanEntry,
  planLines,
  riskLines,
} from "../output/plan.ts";
import type { Context } from "./context.ts";

/** Counts the steps by action. */
export function countSteps(steps: readonly Step[]): PlanCounts {
  const counts = { create: 0, update: 0, unchanged: 0, delete: 0, skipped: 0 };
  for (const { action } of steps) counts[action === "refused" ? "skipped" : action]++;
  return counts;
}

/** What the last notice of a plan or run says about its risks: their number, and the field that changes in many courses. */
export function countRisks(steps: readonly Step[], many: Many | undefined) {
  const risks = steps.reduce((sum, step) => sum + (step.risks?.length ?? 0), 0);
  return { risks, ...(many && { many }) };
}

/** The most courses of a plan that a run prints: on a terminal, and in a pipe. A dry run prints all. */
const [MOST, MOST_IN_PIPE] = [100, 1000];

/** How a step is shown: the names of its fields, or their values. */
export type ShownAs = "lines" | "values";

/** Prints the risks, and one line per course that changes or its values, on standard error. */
export async function showSteps(
  steps: readonly Step[],
  { as, isComplete, many }: { as: ShownAs; isComplete: boolean; many?: Many | undefined },
  context: Context,
): Promise<void> {
  const { messages, options, io } = context;
  if (options.json || options.format !== undefined || options.quiet) return;
  const entries = toPlanEntries(steps);
  const most = io.err.isTerminal ? MOST : MOST_IN_PIPE;
  const shown = isComplete ? entries : entries.slice(0, most);
  await messages.show((styles) => riskLines(listRisks(entries, many), styles));
  await messages.show(async (styles) => {
    if (as === "lines") return planLines(shown, styles);
    const text = await differencesText(shown, styles, io.err);
    return text.split("\n").slice(0, -1);
  });
  const rest = entries.length - shown.length;
  if (rest > 0) await messages.info(`… and ${formatNumber(rest)} more`);
}

/** The steps that change a course, as entries of a plan. */
export function toPlanEntries(steps: readonly Step[]): PlanEntry[] {
  const isShown = (step: Step): boolean => isWrite(step) || step.compared?.left !== undefined;
  return steps.filter(isShown).map((step): PlanEntry => {
    const { id, from, compared, risks } = step;
    // An update shows the name before the change.
    const before = step.action === "update" ? step.before.name : undefined;
    return {
      action: isWrite(step) ? step.action : "update",
      id,
      name: before ?? step.name,
      file: from?.file,
      changes: listChanges(step),
      isGrouped: compared !== undefined && step.action !== "create",
      note: compared?.event === undefined ? undefined : `${compared.event} in the catalog`,
      risks,
    };
  });
}
