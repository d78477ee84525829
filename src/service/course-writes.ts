/** Creates, updates and deletes a course. If no response says what happened, a look-up finds it out. */
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { isList, isObject, isUuid, type PlainObject } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import { contradicted, isSuccess, isUnconfirmed, parseSmallBody, toFailure } from "./response.ts";
import { isThrottled, type Outcome } from "./retry-policy.ts";
import type { FinalOutcome, RetryOptions, Sender } from "./sender.ts";
import type { BufferedResponse, Request } from "./transport.ts";

export interface Change {
  readonly sender: Sender;
  readonly request: Request;
  readonly id: string;
  /** Reads the course with the id; undefined if there is none. */
  readonly lookUp: (options: RetryOptions) => Promise<Course | undefined>;
}

/** The result of a creation. */
export type Creation =
  /** `id` is the course's id at the service, which may have chosen another id than the request contained. */
  | { readonly outcome: "created"; readonly id: string }
  /**
   * The id exists, for `course`. If the course `isSame`, this request may have created it: a proxy that repeats
   * a request returns the rejection of the second request.
   */
  | {
      readonly outcome: "exists";
      readonly course: Course;
      readonly isSame: boolean;
      readonly refusal: CatalogError;
    };

/**
 * Sends the POST, and repeats it only after a look-up that finds no course.
 *
 * @param namesakes reads page by page the courses whose names contain the name of the new course
 */
export async function createCourse(
  change: Change,
  course: PlainObject,
  namesakes: (options: RetryOptions) => AsyncIterable<readonly Course[]>,
): Promise<Creation> {
  const { sender, request, id, lookUp } = change;
  // A service that ignores the id has created the course under another id.
  const findNew: Change["lookUp"] = async (options) =>
    (await lookUp(options)) ?? (await findCopy(course, namesakes(options)));
  const final = await sender.send(request, {
    findEffect: async (lost, deadline) => {
      // The service sends a 503 instead of processing the request, so one look-up is enough; more look-ups
      // would slow down the next requests.
      const find = isThrottled(lost) ? lookUp : findNew;
      return await find({ deadline }).catch((error: unknown) => {
        const after = `the response to the request to create course ${id} was lost`;
        throw unknownEffect("create", id, asCatalogError(error), { after });
      });
    },
  });
  let { found } = final;
  if (found === undefined) {
    const confirmed = confirmationIn(final.outcome);
    if (confirmed !== undefined) return { outcome: "created", id: idIn(confirmed) ?? id };
    const isDoubtful = final.mayBeDone || successIn(final.outcome) !== undefined;
    if (!isDoubtful) return await explainRefusal(change, course, final.outcome);
    found = await settle("create", { ...change, lookUp: findNew }, final, async (seen) =>
      seen === undefined ? ABSENT : { result: seen },
    );
  }
  const isOther = found.id.toLowerCase() !== id.toLowerCase();
  if (isOther || (await hasValues(course, found))) return { outcome: "created", id: found.id };
  const refusal = new CatalogError("refused", `a course with the id ${id} already exists`);
  return { outcome: "exists", course: found, isSame: false, refusal };
}

/** Looks up whether a creation was rejected because the course exists. @throws the rejection if it does not */
async function explainRefusal(
  { request, id, lookUp }: Change,
  course: PlainObject,
  outcome: Outcome,
): Promise<Creation> {
  const refusal = toFailure(request, outcome, `create course ${id}`);
  const found = refusal.kind === "refused" ? await lookUp({}).catch(() => undefined) : undefined;
  if (found === undefined) throw refusal;
  return { outcome: "exists", course: found, isSame: await hasValues(course, found), refusal };
}

/** Changes the given fields. @throws CatalogError of kind `missing` if the course does not exist */
export async function updateCourse(change: Change, changes: PlainObject): Promise<void> {
  const final = await change.sender.send(change.request);
  if (confirmationIn(final.outcome) !== undefined) return;
  await settle("update", change, final, async (seen) => {
    if (seen === undefined) return ABSENT;
    // The service generates its own slugs, so another slug proves nothing.
    if (Object.keys(changes).every((name) => name === "slug")) return undefined;
    return (await hasValues(changes, seen)) ? { result: undefined } : UNCHANGED;
  });
}

/**
 * Deletes a course. Only 204, or a look-up that finds nothing, proves the deletion.
 *
 * @throws CatalogError of kind `missing` if the service says that the course does not exist, although it does
 */
export async function deleteCourse(change: Change): Promise<void> {
  const final = await change.sender.send(change.request);
  if (successIn(final.outcome)?.status === 204) return;
  await settle("delete", change, final, async (seen) =>
    seen === undefined ? { result: undefined } : STILL_THERE,
  );
}

type Verb = keyof typeof WORDS;

const WORDS = {
  create: { done: "created", repeating: " before retrying." },
  update: { done: "changed", repeating: ". Retrying is safe." },
  delete: { done: "deleted", repeating: ". Retrying is safe." },
} as const;

/** What shows that a change did not take effect, in the present tense and in the past tense. */
type NotDone = typeof ABSENT;

const ABSENT = { is: "the course does not exist", was: "The course did not exist" };
const UNCHANGED = {
  is: "the course does not have the new values",
  was: "The course was unchanged",
};
const STILL_THERE = { is: "the course still exists", was: "The course still existed" };

/**
 * Decides whether a change without a clear success took effect. If an attempt may have taken effect, or the
 * course to be deleted is missing, the course is looked up, even if the last response is a rejection.
 *
 * @param judge what the course shows: the result of the change, that it was not made, or nothing
 * @throws CatalogError if the change was not made; with the effect `unknown` if the look-up does not show that
 */
async function settle<Result>(
  verb: Verb,
  { request, id, lookUp }: Change,
  { outcome, mayBeDone, deadline }: FinalOutcome,
  judge: (found: Course | undefined) => Promise<{ readonly result: Result } | NotDone | undefined>,
): Promise<Result> {
  const action = `${verb} course ${id}`;
  const reply = successIn(outcome) ?? toFailure(request, outcome, action);
  const isFailure = reply instanceof CatalogError;
  // A proxy that repeats a DELETE returns the response to the second request.
  const isMissing = isFailure && verb === "delete" && reply.kind === "missing";
  if (isFailure && !mayBeDone && !isMissing) throw reply;
  if (isFailure && reply.kind === "interrupted") throw reply.with({ effect: "unknown" });

  // After all attempts at the change have failed, one attempt at the look-up is enough.
  const hasFailed = isFailure && reply.kind === "unreachable";
  const seen = await lookUp({ deadline, ...(hasFailed && { retries: 0 }) }).catch(asCatalogError);
  const verdict = seen instanceof CatalogError ? undefined : await judge(seen);
  if (verdict !== undefined && "result" in verdict) return verdict.result;
  if (isFailure) {
    if (verdict === undefined) throw unknownEffect(verb, id, reply);
    const advice = `${verdict.was} when catalog looked it up. Retrying is safe.`;
    // For another kind, such as a rejected key, its own advice matters more.
    throw reply.kind === "unreachable" ? reply.with({ advice }) : reply;
  }
  if (seen instanceof CatalogError) {
    const after = `the service responded with HTTP ${reply.status} to the request to ${action}`;
    throw unknownEffect(verb, id, seen, { after });
  }
  const observed = verdict?.is ?? "the course does not show whether the change was made";
  const error = contradicted(reply, action, observed);
  if (verdict === undefined) throw unknownEffect(verb, id, error);
  if (reply.status !== 202) throw error;
  throw unknownEffect(verb, id, error, { state: `The service may ${verb} the course later` });
}

/**
 * The error of a change that may have taken effect.
 *
 * @param after what happened before the look-up failed; empty without a look-up
 * @param state what may be true of the course
 */
function unknownEffect(
  verb: Verb,
  id: string,
  { kind, message, facts }: CatalogError,
  { after = "", state = `The course may have been ${WORDS[verb].done}` } = {},
): CatalogError {
  const text = after === "" ? message : `${after}, and looking the course up failed: ${message}`;
  const advice = `${state}; check with "catalog courses get ${id}"${WORDS[verb].repeating}`;
  const unknown = { ...facts, advice, effect: "unknown" } as const;
  return new CatalogError(kind === "interrupted" ? kind : "unreachable", text, unknown);
}

async function hasValues(values: PlainObject, course: Course): Promise<boolean> {
  // Imported here because it loads the schema, which listing courses does not need.
  const { differingFields } = await import("../course/difference.ts");
  return differingFields(values, course).length === 0;
}

/** The course with the same url and content, under another id. */
async function findCopy(
  { id: _, ...course }: PlainObject,
  pages: AsyncIterable<readonly Course[]>,
): Promise<Course | undefined> {
  for await (const candidates of pages) {
    for (const candidate of candidates) {
      if (candidate.url === course.url && (await hasValues(course, candidate))) return candidate;
    }
  }
  return undefined;
}

function successIn(outcome: Outcome): BufferedResponse | undefined {
  return "response" in outcome && isSuccess(outcome.response) ? outcome.response : undefined;
}

function confirmationIn(outcome: Outcome): BufferedResponse | undefined {
  const response = successIn(outcome);
  return response === undefined || isUnconfirmed(response) ? undefined : response;
}

/**
 * Reads the id from the body of a successful response, a course or a list of one: `{"id":"0B6E…"}` and
 * `[{"id":"0b6e…"}]` give `0b6e…`; undefined for another body.
 */
function idIn(response: BufferedResponse): string | undefined {
  const body = parseSmallBody(response);
  const course = isList(body) && body.length === 1 ? body[0] : body;
  return isObject(course) && typeof course.id === "string" && isUuid(course.id)
    ? course.id.toLowerCase()
    : undefined;
}
