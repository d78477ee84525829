/** Plans the steps of an undo, and describes what they do not restore. */
import { CatalogError } from "../base/errors.ts";
import { escapeName, joinList, truncate, truncateJson } from "../base/text.ts";
import { formatPath } from "../base/values.ts";
import { checkSteps, type PreconditionOptions } from "../command-support/check-steps.ts";
import type { Context } from "../command-support/context.ts";
import { checkCourse } from "../course/check.ts";
import { isRejected } from "../course/problem.ts";
import { courseLabel, PAST } from "../output/plan.ts";
import type { Obstacle } from "../sync/preconditions.ts";
import type { Reversed } from "../sync/reverse.ts";
import {
  describeCourse,
  refuseStep,
  type Step,
  type StepTo,
  type WriteStep,
} from "../sync/step.ts";

/** The reverse of what a run changed, and the steps that it needs for the courses as they are now. */
export interface UndoPlan {
  readonly reversed: readonly Reversed[];
  readonly steps: readonly Step[];
}

/** Reads the courses that a run changed, and plans the steps that undo it. @throws CatalogError if one cannot be read */
export async function planUndo(
  reversed: readonly Reversed[],
  options: PreconditionOptions,
  context: Context,
): Promise<UndoPlan> {
  const writes = reversed.map(({ step }) => step);
  return { reversed, steps: await checkSteps(writes, options, context) };
}

/** The refused step for a course that changed after the run. @param obstacle why the step does not apply */
export function refuseConflict(step: WriteStep, obstacle: Obstacle): StepTo<"refused"> {
  const label = courseLabel({ ...describeCourse(step), id: step.id });
  const isGone = obstacle.reason === "gone";
  const error = new CatalogError("refused", `${label} ${reasonOf(obstacle)}`, {
    rule: "conflict",
    ...(isGone ? {} : { advice: "To undo the change anyway, pass --force." }),
  });
  return refuseStep(step, step.action, error, "skipped");
}

function reasonOf(obstacle: Obstacle): string {
  if (obstacle.reason === "gone") return "no longer exists, so its values cannot be restored";
  if (obstacle.reason === "taken") {
    const { url, id } = obstacle.other;
    return `was deleted, and its url ${escapeName(truncate(String(url)))} now belongs to another course: ${id}`;
  }
  const isChanged = obstacle.reason === "changed";
  const fields = obstacle.fields.map(({ name, expected, now }) => {
    const before = isChanged ? `was ${truncateJson(expected)} after the run and ` : "";
    return `${name} ${before}is now ${truncateJson(now)}`;
  });
  const event = isChanged ? "changed again" : "exists again, with other values";
  return `${event}: ${fields.join("; ")}`;
}

/** Warns about changes for which the run received no response, and about values that the service may reject. */
export async function warnAbout(
  reversed: readonly Reversed[],
  steps: readonly Step[],
  { messages }: Context,
): Promise<void> {
  for (const [index, { write }] of reversed.entries()) {
    const step = steps[index];
    if (step?.action === "create" || step?.action === "update") {
      const mode = step.action === "create" ? "create" : "patch";
      for (const { path, message } of checkCourse(step.body, { mode }).filter(isRejected)) {
        await messages.warn(`${courseLabel(write)}: ${truncate(formatPath(path))}: ${message}`);
      }
    }
    if (write.status !== "unknown") continue;
    const action = step?.action;
    const effect =
      action === "unchanged" ? "was not" : action === "refused" ? "may have been" : "was";
    await messages.warn(
      `the run received no response for ${courseLabel(write)}, which ${effect} ${PAST[write.action]}`,
    );
  }
}

/** The notices about what an undo does not restore: some fields, and approvals. */
export function describeParts(reversed: readonly Reversed[], steps: readonly Step[]): string[] {
  const notices: string[] = [];
  for (const [index, { dropped, write }] of reversed.entries()) {
    const step = steps[index];
    if (step?.action !== "create" && step?.action !== "update") continue;
    const fields = Object.keys(step.body);
    const lost = dropped.filter(
      (path) => step.action === "create" || fields.some((name) => path.startsWith(name)),
    );
    if (lost.length > 0) {
      const paths = joinList(lost.map(truncate), "and");
      notices.push(
        `Cannot restore ${paths} of ${courseLabel(write)}: the service does not accept ${lost.length === 1 ? "this field" : "these fields"}.`,
      );
    }
  }
  if (steps.some(({ action }) => action === "create")) {
    notices.push("Recreated courses need a new approval.");
  }
  return notices;
}
