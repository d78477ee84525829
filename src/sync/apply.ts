/** Takes the steps of a plan, several at once, and tells what came of each (cli.md section 8, "push"). */
import { inOrder } from "../base/concurrent.ts";
import { abortsRun, asCatalogError, type CatalogError } from "../base/errors.ts";
import { yieldToEventLoop } from "../base/turn.ts";
import type { PlainObject } from "../base/values.ts";
import type { Course } from "../course/wire.ts";
import { changeStep, type Desired, type Step } from "./plan.ts";

/** The few calls that change what the service holds. Each throws a `CatalogError` when it fails. */
export interface Writes {
  /** Creates a course once; says when its id turns out to be there already. */
  create(course: Course): Promise<{ readonly exists?: Course }>;
  update(id: string, changes: PlainObject): Promise<void>;
  delete(id: string): Promise<void>;
  /** Does what can be done for a later call: for `update` where there is an id, else for `create`. */
  prepare?(body: PlainObject, id?: string): void;
}

/** What came of one step. */
export interface Taken<Item extends Desired> {
  /** The step as it was taken: a course that was there already is not created but changed. */
  readonly step: Step<Item>;
  readonly status: "done" | "failed" | "skipped";
  readonly error?: CatalogError;
}

/** How steps are taken. */
export interface ApplyOptions {
  /** How many are under way at once. */
  readonly concurrency: number;
  /** Asked before each step: whether no more are to be begun. */
  readonly stopped: () => boolean;
  /** Whether the first failure stops the rest. */
  readonly failFast: boolean;
}

/**
 * Takes every step and yields what came of each, in the order of the plan. One failure does not stop
 * the rest, unless `failFast` says so or all others would meet it, too; what is under way is always
 * finished. Courses are deleted when everything else is done.
 */
export async function* applyPlan<Item extends Desired>(
  steps: readonly Step<Item>[],
  writes: Writes,
  { concurrency, stopped, failFast }: ApplyOptions,
): AsyncGenerator<Taken<Item>, void, void> {
  let given = false;
  const take = async (step: Step<Item>): Promise<Taken<Item>> => {
    if (step.action !== "unchanged" && (given || stopped())) return { step, status: "skipped" };
    try {
      return { step: await taken(step, writes), status: "done" };
    } catch (thrown) {
      const error = asCatalogError(thrown);
      given ||= failFast || abortsRun(error);
      return { step, status: "failed", error };
    }
  };
  const isDeletion = ({ action }: Step<Item>): boolean => action === "delete";
  const others = steps.filter((step) => !isDeletion(step));
  let begun = 0;
  yield* inOrder(others, concurrency, (step, index) => {
    begun = index + 1;
    const later = index + concurrency;
    prepareSoon(others[later], writes, () => later >= begun);
    return take(step);
  });
  yield* inOrder(steps.filter(isDeletion), concurrency, take);
}

/** Prepares a step while the service is busy with those before it, unless it is too late for that. */
function prepareSoon(
  step: Step<Desired> | undefined,
  writes: Writes,
  isLater: () => boolean,
): void {
  if (step?.action !== "create" && step?.action !== "update") return;
  const id = step.action === "update" ? step.id : undefined;
  yieldToEventLoop()
    .then(() => (isLater() ? writes.prepare?.(step.body, id) : undefined))
    // Whatever is wrong with it is told when it is its turn.
    .catch(() => undefined);
}

async function taken<Item extends Desired>(step: Step<Item>, writes: Writes): Promise<Step<Item>> {
  switch (step.action) {
    case "unchanged":
      return step;
    case "delete":
      await writes.delete(step.id);
      return step;
    case "update":
      await writes.update(step.id, step.body);
      return step;
    case "create": {
      const { exists } = await writes.create(step.body);
      // Somebody was quicker, or an earlier run got this far.
      return exists === undefined
        ? step
        : await taken(changeStep(step.id, step.item, exists), writes);
    }
  }
}
