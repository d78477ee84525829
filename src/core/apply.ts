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
  const run = new Run(client, record, mustExist);
  // The client limits the requests in flight. While some wait to be repeated, others are sent.
  const atOnce = 2 * client.concurrency;
  const isDeletion = ({ action }: Step): boolean => action === "delete";
  const changes = steps.filter((step) => !isDeletion(step));
  let hasFailed = false;
  for await (const outcome of mapInOrder(changes, atOnce, run.send)) {
    if (outcome.status === "failed" || outcome.status === "unknown") hasFailed = true;
    yield outcome;
  }
  const deletions = steps.filter(isDeletion);
  if (hasFailed) for (const step of deletions) yield { step, status: "skipped" };
  else yield* mapInOrder(deletions, atOnce, run.send);
  return run.ending;
}

/** The state that the parallel requests of a run share. */
class Run {
  readonly #client: CatalogClient;
  readonly #record: RecordWriter | undefined;
  readonly #mustExist: boolean;
  /** How many requests in a row failed because of the service. */
  #failures = 0;
  /** Why nothing more is sent, unless the error of a step or a signal says so. */
  ending: CatalogError | undefined;

  constructor(client: CatalogClient, record: RecordWriter | undefined, mustExist: boolean) {
    this.#client = client;
    this.#record = record;
    this.#mustExist = mustExist;
  }

  readonly send = async (planned: Step): Promise<Outcome> => {
    if (this.#client.isStopped && isWrite(planned)) return { step: planned, status: "skipped" };
    const step = planned.action === "delete" ? await this.#readAgain(planned) : planned;
    if (step instanceof CatalogError) {
      this.#count({ status: "failed", error: step });
      if (step.kind === "interrupted") return { step: planned, status: "skipped" };
      return { step: planned, status: "failed", error: step };
    }
    if (step.action === "refused") {
      return { step: planned, status: step.status, error: step.error };
    }
    if (!isWrite(step)) return { step, status: "unchanged" };
    const record = this.#record;
    let effect: Effect | undefined;
    try {
      const number = await record?.before(step);
      effect = await this.#request(step);
      this.#count(effect);
      if (number !== undefined) record?.after(number, isUnsent(effect) ? "skipped" : effect.status);
    } catch (thrown) {
      // What cannot be recorded is not sent, and without its result a step counts as unknown.
      this.#end(asCatalogError(thrown));
      if (effect === undefined) return { step, status: "skipped" };
    }
    if (isUnsent(effect)) return { step, status: "skipped" };
    return { step, ...effect };
  };

  /** The deletion of a course as it is now, so that nothing is deleted that was not shown, and the record is complete. */
  async #readAgain(step: StepTo<"delete">): Promise<Step | CatalogError> {
    try {
      const now = await this.#client.course(step.id);
      if (now !== undefined) return checkDeletion(step, now);
      const { id, name, url } = step;
      if (!this.#mustExist) return { action: "unchanged", id, name, url };
      return new CatalogError("missing", `could not delete course ${id}: it no longer exists`);
    } catch (thrown) {
      return asCatalogError(thrown);
    }
  }

  async #request(step: Write): Promise<Effect> {
    switch (step.action) {
      case "create":
        return await this.#client.create(step.body);
      case "update":
        return await this.#client.update(step.id, step.body);
      case "delete":
        return await this.#client.delete(step.id);
    }
  }

  /** Ends the run if the other requests would probably fail as well. */
  #count(effect: Effect): void {
    if (!("error" in effect)) {
      this.#failures = 0;
      return;
    }
    const { error, status } = effect;
    this.#failures = status === "unknown" || error.kind === "unreachable" ? this.#failures + 1 : 0;
    if (this.#failures >= MAX_FAILURES) this.#end(serviceFailed());
    else if (error.kind === "auth") this.#end(undefined);
  }

  /** From now on, nothing more is sent: neither other steps nor requests that pause before a repetition. */
  #end(reason: CatalogError | undefined): void {
    this.#client.stop();
    this.ending ??= reason;
  }
}

/** Whether a request was not sent, because it waited for its turn when the run was stopped. */
function isUnsent(effect: Effect): boolean {
  return effect.status === "failed" && effect.error.kind === "interrupted";
}

function serviceFailed(): CatalogError {
  const message = `the service failed ${MAX_FAILURES} times in a row; nothing more was sent`;
  return new CatalogError("unreachable", message, { advice: "Repeat the command later." });
}
