/** What is said of a listing that shows a course twice each time it is read, so that it may lack another. */
import { type CatalogError, usageError } from "../base/errors.ts";
import type { Step } from "../core/step.ts";

export const UNRELIABLE =
  "the service's list of courses is unreliable: some appear twice, so others may be missing";

/** The refusal of steps that create or delete courses after an unreliable listing; undefined for others. */
export function refuseReading(
  steps: readonly Step[],
  isUnreliable: boolean,
): CatalogError | undefined {
  const isAtRisk = steps.some(({ action }) => action === "create" || action === "delete");
  if (!isUnreliable || !isAtRisk) return undefined;
  return usageError(
    UNRELIABLE,
    "Nothing was sent, because catalog could delete or recreate a course that the list omits.",
  );
}
