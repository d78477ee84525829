/** Creates, updates and deletes a course; where no response says what happened, a look-up does. */
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { isList, isObject, isUuid, type PlainObject } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import { contradicted, isSuccess, isUnconfirmed, parseSmallBody, toFailure } from "./response.ts";
import { isThrottled, type Outcome } from "./retry-policy.ts";
import type { FinalOutcome, RetryOptions, Sender } from "./sender.ts";
import type { BufferedResponse, Request } from "./transport.ts";

/** A request that changes one course. */
export interface Change {
  readonly sender: Sender;
  readonly request: Request;
  readonly id: string;
  /** Looks the course up. */
  readonly lookUp: (options: RetryOptions) => Promise<Course | undefined>;
}

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

/**
 * Sends the POST, and repeats it only after a look-up that finds no course.
 *
 * @param namesakes reads the courses whose names contain that of the new one, page by page
 */
export async function createCourse(
  change: Change,
  course: PlainObject,
  namesakes: (options: RetryOptions) => AsyncIterable<readonly Course[]>,
): Promise<Creation> {
  const { sender, request, id, lookUp } = change;
  // A service that ignores the id has created the course under another one.
  const findNew: Change["lookUp"] = async (options) =>
    (await lookUp(options)) ?? (await findCopy(course, namesakes(options)));
  const final = await sender.send(request, {
    findEffect: async (lost, deadline) => {
      // After a 503, which the service sends instead of processing the request, one look-up is enough:
      // more would slow down the next requests.
      const find = isThrottled(lost) ? lookUp : findNew;
      return await find({ deadline }).catch((error: unknown) => {
        const after = `the response to creating course ${id} was lost`;
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

/** Finds out whether a creation was rejected because there is such a course. @throws CatalogError if not */
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

/** Changes the given attributes. @throws CatalogError of kind `missing` without such a course */
export async function updateCourse(change: Change, changes: PlainObject): Promise<void> {
  const final = await change.sender.send(change.request);
  if (confirmationIn(final.outcome) !== undefined) return;
  await settle("update", change, final, async (seen) => {
    if (seen === undefined) return ABSENT;
    // The service generates its own slugs, so that one says nothing.
    if (Object.keys(changes).every((name) => name === "slug")) return undefined;
    return (await hasValues(changes, seen)) ? { result: undefined } : UNCHANGED;
  });
}

/**
 * Deletes a course. Only 204, or a look-up that finds nothing, is a deletion.
 *
 * @throws CatalogError of kind `missing` if the service says that there is none, although there is
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
  create: { doing: "creating", done: "created", repeating: " before retrying." },
  update: { doing: "updating", done: "changed", repeating: ". Retrying is safe." },
  delete: { doing: "deleting", done: "deleted", repeating: ". Retrying is safe." },
} as const;

/** What shows that a change did not take effect, in the present and in the past. */
type NotDone = typeof ABSENT;

const ABSENT = { is: "the course does not exist", was: "The course did not exist" };
const UNCHANGED = {
  is: "the course does not have the new values",
  was: "The course was unchanged",
};
const STILL_THERE = { is: "the course still exists", was: "The course still existed" };

/**
 * Decides about a change without a clear success. If an attempt may have taken effect, or the course
 * to be deleted is missing, it is looked up, whatever the last response says.
 *
 * @param judge what the course shows: the result of the change, that it was not done, or nothing
 * @throws CatalogError with the effect `unknown` if the look-up does not show it, otherwise a certain one
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
  // A proxy that repeats a DELETE returns what the second one got.
  const isMissing = isFailure && verb === "delete" && reply.kind === "missing";
  if (isFailure && !mayBeDone && !isMissing) throw reply;
  if (isFailure && reply.kind === "interrupted") throw reply.with({ effect: "unknown" });

  // Where all attempts at the change have failed before, one look-up is enough.
  const hasFailed = isFailure && reply.kind === "unreachable";
  const seen = await lookUp({ deadline, ...(hasFailed && { retries: 0 }) }).catch(asCatalogError);
  const verdict = seen instanceof CatalogError ? undefined : await judge(seen);
  if (verdict !== undefined && "result" in verdict) return verdict.result;
  if (isFailure) {
    if (verdict === undefined) throw unknownEffect(verb, id, reply);
    const advice = `${verdict.was} when it was looked up. Retrying is safe.`;
    // The advice for another kind, such as a rejected key, matters more.
    throw reply.kind === "unreachable" ? reply.with({ advice }) : reply;
  }
  if (seen instanceof CatalogError) {
    const after = `the service responded to ${WORDS[verb].doing} course ${id} with HTTP ${reply.status}`;
    throw unknownEffect(verb, id, seen, { after });
  }
  const observed = verdict?.is ?? "the course does not show whether that was done";
  const error = contradicted(reply, action, observed);
  if (verdict === undefined) throw unknownEffect(verb, id, error);
  if (reply.status !== 202) throw error;
  throw unknownEffect(verb, id, error, { state: `The service may ${verb} the course later` });
}

/** The error of a change that may have taken effect. @param after what happened before a look-up failed */
function unknownEffect(
  verb: Verb,
  id: string,
  { kind, message, facts }: CatalogError,
  { after = "", state = `The course may have been ${WORDS[verb].done}` } = {},
): CatalogError {
  const text = after === "" ? message : `${after}, and looking it up failed: ${message}`;
  const advice = `${state}; check with "catalog courses get ${id}"${WORDS[verb].repeating}`;
  const unknown = { ...facts, advice, effect: "unknown" } as const;
  return new CatalogError(kind === "interrupted" ? kind : "unreachable", text, unknown);
}

/** Whether the values are those of a course. */
async function hasValues(values: PlainObject, course: Course): Promise<boolean> {
  // Loaded when needed, because it loads the schema, which listing courses does without.
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

/** A response that says that the change is done. */
function confirmationIn(outcome: Outcome): BufferedResponse | undefined {
  const response = successIn(outcome);
  return response === undefined || isUnconfirmed(response) ? undefined : response;
}

/** The id in the body of a successful response: a course, or a list of one. */
function idIn(response: BufferedResponse): string | undefined {
  const body = parseSmallBody(response);
  const course = isList(body) && body.length === 1 ? body[0] : body;
  return isObject(course) && typeof course.id === "string" && isUuid(course.id)
    ? course.id.toLowerCase()
    : undefined;
}
