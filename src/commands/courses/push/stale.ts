/** The error of a planned step whose course has changed since the plan was made. */
import { CatalogError } from "../../../base/errors.ts";
import { truncateJson } from "../../../base/text.ts";
import { courseLabel } from "../../../output/plan.ts";
import type { Conflict } from "../../../sync/preconditions.ts";
import { describeCourse, type StepTo, type WriteStep } from "../../../sync/step.ts";

/** The refused step instead of one of a plan that no longer applies. */
export function refuseStale(step: WriteStep, conflict: Conflict): StepTo<"refused"> {
  const { id, from, remote, action } = step;
  const { name, url } = describeCourse(step);
  const label = courseLabel({ id, name: typeof name === "string" ? name : null });
  const message = `cannot ${action} ${label}${reasonOf(conflict, url)}`;
  const advice = "Make a new plan with catalog courses diff --out.";
  const error = new CatalogError("refused", message, { rule: "stale", advice });
  return { action: "refused", wanted: action, status: "failed", id, from, remote, error };
}

function reasonOf(conflict: Conflict, url: unknown): string {
  if (conflict.reason === "gone") return ": it no longer exists";
  if (conflict.reason === "taken") {
    return `: a course with the url ${url} exists now: ${conflict.other.id}`;
  }
  const changed = conflict.fields.map(
    ({ name, expected, now }) =>
      `${name} was ${truncateJson(expected)} in the plan and is now ${truncateJson(now)}`,
  );
  return conflict.reason === "exists"
    ? `: a course with this id exists now: ${changed.join("; ")}`
    : `, which has changed since the plan was made: ${changed.join("; ")}`;
}
