/** Updates and deletes a course; if no response says what happened, looks the course up. */
import { asCatalogError, CatalogError } from "../base/errors.ts";
import type { PlainObject } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import { toFailure } from "./failure.ts";
import { isSuccess, parseErrorFields } from "./response.ts";
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

/** Changes the given attributes. @throws CatalogError of kind `missing` without such a course */
export async function updateCourse(
  id: string,
  changes: PlainObject,
  { request, send, lookUp }: ChangeRequests,
): Promise<void> {
  const final = await send();
  if ("response" in final.outcome && isSuccess(final.outcome.response)) return;
  const error = toFailure(request, final.outcome, `update course ${id}`);
  if (!mayBeDone(final, error)) throw error;
  const found = await lookUp(final.deadline).catch(asCatalogError);
  if (found instanceof CatalogError || found === undefined) throw unsure(error, id, "changed");
  const { differingFields } = await import("../course/difference.ts");
  // The service generates its own slugs, so that one says nothing.
  const isComparable = Object.keys(changes).some((name) => name !== "slug");
  if (isComparable && differingFields(changes, found).length === 0) return;
  throw error.with({ advice: `The course was unchanged when it was looked up. ${SAFE}` });
}

/**
 * Deletes a course. Only 204, or a lookup that finds nothing, is a deletion.
 *
 * @throws CatalogError of kind `missing` if there was none
 */
export async function deleteCourse(
  id: string,
  { request, send, lookUp }: ChangeRequests,
): Promise<void> {
  const final = await send();
  const response = "response" in final.outcome ? final.outcome.response : undefined;
  if (response?.status === 204) return;
  // After a lost response, 406 means that an earlier attempt deleted the course.
  if (response?.status === 406 && final.uncertainBefore) return;
  const isUnconfirmed = response !== undefined && isSuccess(response);
  const error = isUnconfirmed
    ? stillExists(id, response)
    : toFailure(request, final.outcome, `delete course ${id}`);
  if (!isUnconfirmed && !mayBeDone(final, error)) throw error;
  const found = await lookUp(final.deadline).catch(asCatalogError);
  if (found === undefined) return;
  if (!(found instanceof CatalogError)) {
    throw error.with({ advice: `The course still existed when it was looked up. ${SAFE}` });
  }
  throw unsure(isUnconfirmed ? unconfirmed(id, response, found) : error, id, "gone");
}

const SAFE = "Retrying is safe.";

/** Whether the write may have taken effect. The advice for other kinds, such as a rejected key, matters more. */
function mayBeDone({ outcome, uncertainBefore }: FinalOutcome, { kind }: CatalogError): boolean {
  return kind === "unreachable" && (uncertainBefore || mayHaveTakenEffect(outcome));
}

function stillExists(id: string, response: BufferedResponse): CatalogError {
  const { status } = response;
  const { hint, details } = parseErrorFields(response);
  const message = `could not delete course ${id}: the service responded with HTTP ${status}, but the course still exists`;
  return new CatalogError("refused", message, { status, hint, details });
}

function unconfirmed(
  id: string,
  { status }: BufferedResponse,
  { kind, message, facts }: CatalogError,
): CatalogError {
  const text = `the service responded to deleting course ${id} with HTTP ${status}, and looking it up failed: ${message}`;
  return new CatalogError(kind, text, facts);
}

function unsure(error: CatalogError, id: string, effect: "changed" | "gone"): CatalogError {
  const may = effect === "gone" ? "may be gone" : "may have been changed";
  return error.with({
    advice: `The course ${may}; check with "catalog courses get ${id}". ${SAFE}`,
  });
}
