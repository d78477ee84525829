/** Creates a course exactly once, even if responses are lost. */
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { isUuid } from "../base/uuid.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import { toFailure } from "./failure.ts";
import { isSuccess, parseSmallBody } from "./response.ts";
import type { FinalOutcome, TookEffect } from "./retry.ts";
import { isThrottled } from "./retry-policy.ts";
import type { BufferedResponse, Request } from "./transport.ts";

/** The result of a creation. */
export type Creation =
  /** `id` differs from the one that was sent if the service chose its own. */
  | { readonly outcome: "created"; readonly id: string }
  /**
   * The id exists; `course` is what the service has under it. If it `isSame`, the service may have
   * created it now: a proxy that repeats a request returns the rejection of the second one.
   */
  | {
      readonly outcome: "exists";
      readonly course: Course;
      readonly isSame: boolean;
      readonly refusal: CatalogError;
    };

/** The requests that a creation consists of. */
export interface CreationRequests {
  readonly request: Request;
  readonly send: (tookEffect: TookEffect) => Promise<FinalOutcome>;
  readonly lookUp: (deadline?: number) => Promise<Course | undefined>;
  /** The courses of the same provider whose names contain that of the new one. */
  readonly findByName: (deadline: number) => Promise<readonly Course[]>;
}

/**
 * Sends the POST. After a lost response, and after a rejection, it looks up the id before it continues.
 *
 * @param chosen whether the id was generated for this call, so that no other course can have it
 */
export async function createCourse(
  course: PlainObject & { readonly id: string },
  chosen: boolean,
  { request, send, lookUp, findByName }: CreationRequests,
): Promise<Creation> {
  const { id } = course;
  const isSame = async (found: Course): Promise<boolean> => chosen || (await isCopy(course, found));
  let existing: Course | undefined;

  const { outcome, tookEffect, uncertainBefore } = await send(async (lost, deadline) => {
    existing = await lookUpAfterLoss(id, async () => {
      const found = await lookUp(deadline);
      // A service that ignores the id has created the course under another one. A 503 is different:
      // the service did not process the request, and another request would slow down the next ones.
      if (found !== undefined || isThrottled(lost)) return found;
      return await findCopy(course, await findByName(deadline));
    });
    return existing !== undefined;
  });

  if (tookEffect && existing !== undefined) {
    const isOther = existing.id.toLowerCase() !== id.toLowerCase();
    if (isOther || (await isSame(existing))) return { outcome: "created", id: existing.id };
    const refusal = new CatalogError("refused", `a course with the id ${id} already exists`);
    return { outcome: "exists", course: existing, isSame: false, refusal };
  }
  if ("response" in outcome && isSuccess(outcome.response)) {
    return { outcome: "created", id: idIn(outcome.response) ?? id };
  }
  const refusal = toFailure(request, outcome, `create course ${id}`);
  const isUnknown = refusal.kind === "unreachable" && uncertainBefore;
  if (refusal.kind !== "refused" && !isUnknown) throw refusal;
  const found = uncertainBefore
    ? await lookUpAfterLoss(id, lookUp)
    : await lookUp().catch(() => undefined);
  if (found === undefined) throw refusal;
  const same = await isSame(found);
  if (chosen || (uncertainBefore && same)) return { outcome: "created", id };
  return { outcome: "exists", course: found, isSame: same, refusal };
}

async function isCopy(course: PlainObject, found: Course): Promise<boolean> {
  // Loaded when needed, because it loads the schema, which listing courses does without.
  const { differingFields } = await import("../course/difference.ts");
  return differingFields(course, found).length === 0;
}

/** The course with the same url and content, under another id. */
async function findCopy(
  { id: _, ...course }: PlainObject,
  candidates: readonly Course[],
): Promise<Course | undefined> {
  for (const candidate of candidates) {
    if (candidate.url === course.url && (await isCopy(course, candidate))) return candidate;
  }
  return undefined;
}

/** The id in the body of a successful response: a course, or a list of one. */
function idIn(response: BufferedResponse): string | undefined {
  const body = parseSmallBody(response);
  const course = isList(body) && body.length === 1 ? body[0] : body;
  return isObject(course) && typeof course.id === "string" && isUuid(course.id)
    ? course.id.toLowerCase()
    : undefined;
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
