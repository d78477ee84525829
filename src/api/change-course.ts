/** Updates and deletes a course; if no response says what happened, looks the course up. */
import { asCatalogError, CatalogError } from "../base/errors.ts";
import type { PlainObject } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import { contradicted, toFailure, unconfirmed } from "./failure.ts";
import { isSuccess, isUnconfirmed } from "./response.ts";
import type { FinalOutcome } from "./retry.ts";
import { mayHaveTakenEffect } from "./retry-policy.ts";
import type { BufferedResponse, Request } from "./transport.ts";

/** The requests that a change consists of. */
export interface ChangeRequests {
  readonly request: Request;
  readonly send: () => Promise<FinalOutcome>;
  /** Looks the course up, once. */
  readonly lookUp: (deadline: number) => Promise<Course | undefined>;
}

/**
 * Changes the given attributes. Success without a clear status is looked up.
 *
 * @throws CatalogError of kind `missing` without such a course
 */
export async function updateCourse(
  id: string,
  changes: PlainObject,
  { request, send, lookUp }: ChangeRequests,
): Promise<void> {
  const final = await send();
  const action = `update course ${id}`;
  const response = successIn(final);
  const isDoubtful = response !== undefined && isUnconfirmed(response);
  if (response !== undefined && !isDoubtful) return;
  const error = isDoubtful
    ? contradicted(response, action, "the course does not have the new values")
    : toFailure(request, final.outcome, action);
  if (!isDoubtful && !mayBeDone(final, error)) throw error;
  const found = await lookUp(final.deadline).catch(asCatalogError);
  if (found instanceof CatalogError) {
    throw unsure(
      isDoubtful ? unconfirmed(`updating course ${id}`, response, found) : error,
      id,
      "changed",
    );
  }
  if (found === undefined) {
    throw isDoubtful
      ? contradicted(response, action, "the course does not exist")
      : unsure(error, id, "changed");
  }
  const { differingFields } = await import("../course/difference.ts");
  // The service generates its own slugs, so that one says nothing.
  const isComparable = Object.keys(changes).some((name) => name !== "slug");
  if (isComparable && differingFields(changes, found).length === 0) return;
  throw error.with({ advice: `The course was unchanged when it was looked up. ${SAFE}` });
}

/**
 * Deletes a course. Only 204, or a look-up that finds nothing, is a deletion.
 *
 * @throws CatalogError of kind `missing` if there was none
 */
export async function deleteCourse(
  id: string,
  { request, send, lookUp }: ChangeRequests,
): Promise<void> {
  const final = await send();
  const status = "response" in final.outcome ? final.outcome.response.status : undefined;
  if (status === 204) return;
  // After a lost response, 406 means that an earlier attempt deleted the course.
  if (status === 406 && final.uncertainBefore) return;
  const action = `delete course ${id}`;
  const response = successIn(final);
  const error =
    response === undefined
      ? toFailure(request, final.outcome, action)
      : contradicted(response, action, "the course still exists");
  if (response === undefined && !mayBeDone(final, error)) throw error;
  const found = await lookUp(final.deadline).catch(asCatalogError);
  if (found === undefined) return;
  if (!(found instanceof CatalogError)) {
    throw error.with({ advice: `The course still existed when it was looked up. ${SAFE}` });
  }
  throw unsure(
    response === undefined ? error : unconfirmed(`deleting course ${id}`, response, found),
    id,
    "deleted",
  );
}

const SAFE = "Retrying is safe.";

/** Whether the write may have taken effect. The advice for other kinds, such as a rejected key, matters more. */
function mayBeDone({ outcome, uncertainBefore }: FinalOutcome, { kind }: CatalogError): boolean {
  return kind === "unreachable" && (uncertainBefore || mayHaveTakenEffect(outcome));
}

function successIn({ outcome }: FinalOutcome): BufferedResponse | undefined {
  return "response" in outcome && isSuccess(outcome.response) ? outcome.response : undefined;
}

function unsure(error: CatalogError, id: string, effect: "changed" | "deleted"): CatalogError {
  return error.with({
    advice: `The course may have been ${effect}; check with "catalog courses get ${id}". ${SAFE}`,
  });
}
