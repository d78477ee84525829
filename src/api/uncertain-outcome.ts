/** Tells of a write that failed whether the service may have done it all the same. */
import type { CatalogError } from "../base/errors.ts";
import { isUncertain, type Outcome } from "./retry-policy.ts";
import { mayHaveArrived } from "./transport-error.ts";

/** Whether a request that came to this may have taken effect: it got there, and no answer says no. */
export function mayHaveTakenEffect(outcome: Outcome): boolean {
  if ("noAnswer" in outcome && !mayHaveArrived(outcome.noAnswer)) return false;
  return isUncertain(outcome);
}

/**
 * The failure of a write to that course, with what is not known of it as the next step.
 *
 * @param what became of the course if it was done: `have been changed`
 */
export function withUncertainty(error: CatalogError, what: string, id: string): CatalogError {
  // Of a key that was refused there is more to say than of a try before.
  if (error.kind !== "unreachable") return error;
  return error.with({
    advice: `It may ${what} all the same, as "catalog courses get ${id}" shows; trying again does no harm.`,
  });
}
