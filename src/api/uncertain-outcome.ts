/** Decides whether a failed write may have taken effect, and says so in its error. */
import type { CatalogError } from "../base/errors.ts";
import { isRetryable, type Outcome } from "./retry-policy.ts";
import { CODES } from "./transport.ts";
import { mayHaveArrived } from "./transport-error.ts";

/** Whether the outcome leaves open what the service did, so that a creation must be looked up. */
export function isUncertain(outcome: Outcome): boolean {
  if ("error" in outcome) return outcome.error.code !== CODES.aborted;
  return isRetryable(outcome) && outcome.response.status !== 429;
}

/** Whether the request may have taken effect: it may have arrived, and no response denies it. */
export function mayHaveTakenEffect(outcome: Outcome): boolean {
  if ("error" in outcome && !mayHaveArrived(outcome.error)) return false;
  return isUncertain(outcome);
}

/**
 * The error of a write, with advice on how to find out whether it took effect.
 *
 * @param effect such as `have been changed`
 */
export function withUncertainty(error: CatalogError, effect: string, id: string): CatalogError {
  // The advice for other kinds, such as a rejected key, matters more.
  if (error.kind !== "unreachable") return error;
  return error.with({
    advice: `The course may ${effect}; check with "catalog courses get ${id}". Retrying is safe.`,
  });
}
