/** Finds what a run created without learning under which id. */
import { isUuid } from "../../base/uuid.ts";
import type { Context } from "../../command-support/context.ts";
import { findCourses } from "../../command-support/read-courses.ts";
import { recheckStep } from "../../sync/preconditions.ts";
import type { Reversed } from "../../sync/reverse.ts";

/**
 * The same steps; deletions of courses whose creation has an unknown result are of the course with
 * the same url and content, if none has their id: some services choose their own ids.
 */
export async function findCreated(
  reversed: readonly Reversed[],
  context: Context,
): Promise<readonly Reversed[]> {
  const lost = reversed.flatMap(({ step, write }) =>
    step.action === "delete" && write.status === "unknown" && isUuid(step.before.provider_id)
      ? [step.before]
      : [],
  );
  if (lost.length === 0) return reversed;
  const present = await findCourses(lost, context);
  return reversed.map((each) => {
    const { step } = each;
    if (step.action !== "delete" || !lost.includes(step.before)) return each;
    if (present.find(step.id) !== undefined) return each;
    const copy = present
      .findByUrl(String(step.before.url))
      .map(({ id }) => ({ ...step, id, before: { ...step.before, id } }))
      .find((other) => "action" in recheckStep(other, present));
    return copy === undefined ? each : { ...each, step: copy };
  });
}
