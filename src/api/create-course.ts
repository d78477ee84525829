/** Creates a course exactly once, even if responses are lost. */
import { asCatalogError, CatalogError } from "../base/errors.ts";
import type { PlainObject } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import { toFailure } from "./failure.ts";
import { isSuccess } from "./response.ts";
import type { FinalOutcome } from "./retry.ts";
import type { Request } from "./transport.ts";

/** The result of a creation. */
export type Creation =
  | { readonly outcome: "created" }
  /** The id existed already; `course` is what the service has under it. */
  | { readonly outcome: "exists"; readonly course: Course; readonly refusal: CatalogError };

/** The requests that a creation consists of. */
export interface CreationRequests {
  readonly request: Request;
  readonly send: (tookEffect: (deadline: number) => Promise<boolean>) => Promise<FinalOutcome>;
  readonly lookUp: (deadline?: number) => Promise<Course | undefined>;
}

/**
 * Sends the POST. After a lost response, and after a rejection of an id that may exist, it looks up
 * the id before it continues.
 *
 * @param chosen whether the id was generated for this call, so that no other course can have it
 */
export async function createCourse(
  course: PlainObject & { readonly id: string },
  chosen: boolean,
  { request, send, lookUp }: CreationRequests,
): Promise<Creation> {
  const { id } = course;
  const isSame = async (found: Course): Promise<boolean> => {
    if (chosen) return true;
    // Loaded when needed, because it loads the schema, which listing courses does without.
    const { differingFields } = await import("../course/difference.ts");
    return differingFields(course, found).length === 0;
  };
  let other: Course | undefined;

  const { outcome, tookEffect, uncertainBefore } = await send(async (deadline) => {
    const found = await lookUpAfterLoss(id, () => lookUp(deadline));
    if (found !== undefined && !(await isSame(found))) other = found;
    return found !== undefined;
  });

  if (other !== undefined) {
    const refusal = new CatalogError("refused", `a course with the id ${id} already exists`);
    return { outcome: "exists", course: other, refusal };
  }
  const hasSucceeded = "response" in outcome && isSuccess(outcome.response);
  if (tookEffect || hasSucceeded) return { outcome: "created" };
  const refusal = toFailure(request, outcome, `create course ${id}`);
  if (refusal.kind !== "refused" || (chosen && !uncertainBefore)) throw refusal;
  const found = uncertainBefore
    ? await lookUpAfterLoss(id, lookUp)
    : await lookUp().catch(() => undefined);
  if (found === undefined) throw refusal;
  if (uncertainBefore && (await isSame(found))) return { outcome: "created" };
  return { outcome: "exists", course: found, refusal };
}

async function lookUpAfterLoss(
  id: string,
  lookUp: () => Promise<Course | undefined>,
): Promise<Course | undefined> {
  try {
    return await lookUp();
  } catch (thrown) {
    const { kind, message, facts } = asCatalogError(thrown);
    const text = `the response to creating course ${id} was lost, and looking it up failed: ${message}`;
    throw new CatalogError(kind, text, {
      ...facts,
      advice: `The course may have been created; check with "catalog courses get ${id}" before retrying.`,
    });
  }
}
