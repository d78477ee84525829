/** Applies steps: the only place that changes the catalog. Yields the result of each step, in the order of the steps. */
import { mapInOrder } from "../base/async.ts";
import { asCatalogError, CatalogError } from "../base/errors.ts";
import type { CatalogClient, Effect } from "../service/client.ts";
import type { RecordWriter } from "./record.ts";
import { isWrite, type Step, type StepTo, type Write } from "./step.ts";
import { checkDeletion } from "./undo.ts";

/** The result of a step. */
export interface Outcome {
  readonly step: Step;
  /** `unknown` if neither a response nor a look-up showed whether the change took effect. */
  readonly status: "done" | "unchanged" | "failed" | "skipped" | "planned" | "unknown";
  readonly error?: CatalogError | undefined;
}

/** The outcomes of steps that are not applied. @param status of steps that would change a course */
export function planOutcomes(
  steps: readonly Step[],
  status: "planned" | "skipped",
): readonly Outcome[] {
  return steps.map((step): Outcome => {
    if (step.action === "refused") return { step, status: step.status, error: step.error };
    return { step, status: isWrite(step) ? status : "unchanged" };
  });
}

/** The words for the actions of steps that were done. */
export const PAST = {
  create: "created",
  update: "updated",
  delete: "deleted",
  unchanged: "unchanged",
  refused: "skipped",
} as const;

const NONE = {
  created: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  failed: 0,
  skipped: 0,
  unknown: 0,
};

/** The number of courses by outcome. */
export type Summary = Readonly<typeof NONE>;

/** Counts courses by outcome; what is planned counts as done. */
export function countOutcomes(
  outcomes: Iterable<{
    readonly step: Pick<Step, "action">;
    readonly status: Outcome["status"];
  }>,
): Summary {
  const counts = { ...NONE };
  for (const { step, status } of outcomes) {
    const isDone = status === "done" || status === "planned";
    counts[isDone ? PAST[step.action] : status]++;
  }
  return counts;
}

/** After this many failures of the service in a row, the other requests would probably fail as well. */
const MAX_FAILURES = 10;

/**
 * Sends the steps; deletions, which must come last, only if nothing else of the run failed. When the client is stopped,
 * nothing more is sent.
 *
 * @param mustExist whether a course to delete that is gone by then is an error
 * @returns the error that ended the run early, unless it is the error of a step
 */
export async function* apply(
  steps: readonly Step[],
  client: CatalogClient,
  record: RecordWriter | undefined,
  mustExist = false,
): AsyncGenerator<Outcome, CatalogError | undefined, void> {
  /** How many requests in a row failed because of the service. */
  let failures = 0;
  /** Why nothing more is sent, unless the error of a step or a signal says so. */
  let ending: CatalogError | undefined;
  /** From now on, nothing more is sent: neither other steps nor requests that pause before a repetition. */
  const end = (reason: CatalogError | undefined): void => {
    client.stop();
    ending ??= reason;
  };
  /** Ends the run if the other requests would probably fail as well. */
  const count = (effect: Effect): void => {
    if (!("error" in effect)) {
      failures = 0;
      return;
    }
    const { error, status } = effect;
    failures = status === "unknown" || error.kind === "unreachable" ? failures + 1 : 0;
    if (failures >= MAX_FAILURES) end(serviceFailed());
    else if (error.kind === "auth") end(undefined);
  };
  const send = async (planned: Step): Promise<Outcome> => {
    if (client.isStopped && isWrite(planned)) return { step: planned, status: "skipped" };
    const step =
      planned.action === "delete" ? await readAgain(planned, client, mustExist) : planned;
    if (step instanceof CatalogError) {
      count({ status: "failed", error: step });
      if (step.kind === "interrupted") return { step: planned, status: "skipped" };
      return { step: planned, status: "failed", error: step };
    }
    if (step.action === "refused") {
      return { step: planned, status: step.status, error: step.error };
    }
    if (!isWrite(step)) return { step, status: "unchanged" };
    let effect: Effect | undefined;
    try {
      const number = record?.before(step);
      effect = await request(step, client);
      count(effect);
      if (number !== undefined) record?.after(number, isUnsent(effect) ? "skipped" : effect.status);
    } catch (thrown) {
      // What cannot be recorded is not sent, and without its result a step counts as unknown.
      end(asCatalogError(thrown));
      if (effect === undefined) return { step, status: "skipped" };
    }
    return isUnsent(effect) ? { step, status: "skipped" } : { step, ...effect };
  };
  // The client limits the requests in flight. While some wait to be repeated, others are sent.
  const atOnce = 2 * client.concurrency;
  const isDeletion = ({ action }: Step): boolean => action === "delete";
  const changes = steps.filter((step) => !isDeletion(step));
  let hasFailed = false;
  for await (const outcome of mapInOrder(changes, atOnce, send)) {
    if (outcome.status === "failed" || outcome.status === "unknown") hasFailed = true;
    yield outcome;
  }
  const deletions = steps.filter(isDeletion);
  if (hasFailed) for (const step of deletions) yield { step, status: "skipped" };
  else yield* mapInOrder(deletions, atOnce, send);
  return ending;
}

/** The deletion of a course as it is now, so that nothing is deleted that was not shown, and the record is complete. */
async function readAgain(
  step: StepTo<"delete">,
  client: CatalogClient,
  mustExist: boolean,
): Promise<Step | CatalogError> {
  try {
    const now = await client.course(step.id);
    if (now !== undefined) return checkDeletion(step, now);
    const { id, name, url } = step;
    if (!mustExist) return { action: "unchanged", id, name, url };
    return new CatalogError("missing", `could not delete course ${id}: it no longer exists`);
  } catch (thrown) {
    return asCatalogError(thrown);
  }
}

function request(step: Write, client: CatalogClient): Promise<Effect> {
  switch (step.action) {
    case "create":
      return client.create(step.body);
    case "update":
      return client.update(step.id, step.body);
    case "delete":
      return client.delete(step.id);
  }
}

/** Whether a request was not sent, because it waited for its turn when the run was stopped. */
function isUnsent(effect: Effect): boolean {
  return effect.status === "failed" && effect.error.kind === "interrupted";
}

function serviceFailed(): CatalogError {
  const message = `the service failed ${MAX_FAILURES} times in a row; nothing more was sent`;
  return new CatalogError("unreachable", message, { advice: "Run the command again later." });
}
