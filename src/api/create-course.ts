/** Creates a course exactly once, even if responses are lost. */
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { isUuid } from "../base/uuid.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import { contradicted, toFailure, unconfirmed } from "./failure.ts";
import { isSuccess, isUnconfirmed, parseSmallBody } from "./response.ts";
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
  /** The courses of the same provider whose names contain that of the new one, page by page. */
  readonly findByName: (deadline: number) => AsyncIterable<readonly Course[]>;
}

/**
 * Sends the POST. After a lost response, a rejection, and success without a clear status, it looks up
 * the id before it continues.
 */
export async function createCourse(
  course: PlainObject & { readonly id: string },
  { request, send, lookUp, findByName }: CreationRequests,
): Promise<Creation> {
  const { id } = course;
  // A service that ignores the id has created the course under another one.
  const findNew = async (deadline: number): Promise<Course | undefined> =>
    (await lookUp(deadline)) ?? (await findCopy(course, findByName(deadline)));
  let existing: Course | undefined;

  const { outcome, tookEffect, uncertainBefore, deadline } = await send(async (lost, until) => {
    // After a 503, which the service sends instead of processing the request, one look-up is enough:
    // more would slow down the next requests.
    const find = isThrottled(lost) ? lookUp : findNew;
    existing = await lookUpAfterLoss(id, () => find(until));
    return existing !== undefined;
  });

  const response =
    "response" in outcome && isSuccess(outcome.response) ? outcome.response : undefined;
  const isDoubtful = response !== undefined && !tookEffect && isUnconfirmed(response);
  if (isDoubtful) existing = await confirm(id, response, () => findNew(deadline));
  if (existing !== undefined && (tookEffect || isDoubtful)) {
    const isOther = existing.id.toLowerCase() !== id.toLowerCase();
    if (isOther || (await isCopy(course, existing))) return { outcome: "created", id: existing.id };
    const refusal = new CatalogError("refused", `a course with the id ${id} already exists`);
    return { outcome: "exists", course: existing, isSame: false, refusal };
  }
  if (response !== undefined) return { outcome: "created", id: idIn(response) ?? id };
  const refusal = toFailure(request, outcome, `create course ${id}`);
  const isUnknown = refusal.kind === "unreachable" && uncertainBefore;
  if (refusal.kind !== "refused" && !isUnknown) throw refusal;
  const found = uncertainBefore
    ? await lookUpAfterLoss(id, lookUp)
    : await lookUp().catch(() => undefined);
  if (found === undefined) throw refusal;
  const isSame = await isCopy(course, found);
  if (uncertainBefore && isSame) return { outcome: "created", id };
  return { outcome: "exists", course: found, isSame, refusal };
}

async function isCopy(course: PlainObject, found: Course): Promise<boolean> {
  // Loaded when needed, because it loads the schema, which listing courses does without.
  const { differingFields } = await import("../course/difference.ts");
  return differingFields(course, found).length === 0;
}

/** The course with the same url and content, under another id. */
async function findCopy(
  { id: _, ...course }: PlainObject,
  pages: AsyncIterable<readonly Course[]>,
): Promise<Course | undefined> {
  for await (const candidates of pages) {
    for (const candidate of candidates) {
      if (candidate.url === course.url && (await isCopy(course, candidate))) return candidate;
    }
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

/** Looks up a course after a success status that does not confirm it. @throws CatalogError without one */
async function confirm(
  id: string,
  response: BufferedResponse,
  find: () => Promise<Course | undefined>,
): Promise<Course> {
  const found = await find().catch((thrown: unknown) => {
    const error = unconfirmed(`creating course ${id}`, response, asCatalogError(thrown));
    throw error.with({ advice: checkFirst(id, "The course may have been created") });
  });
  if (found !== undefined) return found;
  const error = contradicted(response, `create course ${id}`, "the course does not exist");
  throw response.status === 202
    ? error.with({ advice: checkFirst(id, "The service may create the course later") })
    : error;
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
    const advice = checkFirst(id, "The course may have been created");
    throw new CatalogError(kind, text, { ...facts, advice });
  }
}

function checkFirst(id: string, state: string): string {
  return `${state}; check with "catalog courses get ${id}" before retrying.`;
}
