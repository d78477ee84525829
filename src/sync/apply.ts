/** Applies the steps of a plan, several at a time, and yields their results. */
import { mapInOrder } from "../base/async.ts";
import { abortsRun, asCatalogError, type CatalogError } from "../base/errors.ts";
import type { Course } from "../course/request-body.ts";
import type { Desired, Step, StepTo } from "./plan.ts";

/** The calls that write to the service. Each throws a `CatalogError` when it fails. */
export interface CourseWriter<Item extends Desired> {
  /** Creates a course exactly once. @returns the course that has the id already, or the new id */
  create(step: StepTo<"create", Item>): Promise<{ readonly exists?: Course; readonly id?: string }>;
  update(step: StepTo<"update", Item>): Promise<void>;
  delete(step: StepTo<"delete", Item>): Promise<void>;
}

export interface StepResult<Item extends Desired> {
  /** The step that was applied: a planned creation is an update if the course already exists. */
  readonly step: Step<Item>;
  readonly status: "done" | "failed" | "skipped";
  readonly error?: CatalogError;
}

export interface ApplyOptions<Item extends Desired> {
  /** The maximum number of steps in progress. */
  readonly concurrency: number;
  /** Whether to skip the remaining steps; called before each one. */
  readonly isStopped: () => boolean;
  /** Whether the first failure stops the run. */
  readonly failFast: boolean;
  /** The step to apply when its turn has come. @throws CatalogError if it does not apply anymore */
  readonly refresh?: ((step: Step<Item>) => Promise<Step<Item>>) | undefined;
  /** The step to apply instead of a creation whose course exists already; usually an update. */
  readonly whenExists: (step: StepTo<"create", Item>, exists: Course) => Step<Item>;
}

/**
 * Applies the steps and yields their results in the order of the plan, deletions last. A failure
 * stops the run only with `failFast`, or if every other step would fail in the same way. Steps in
 * progress are always finished.
 */
export async function* applyPlan<Item extends Desired>(
  steps: readonly Step<Item>[],
  writer: CourseWriter<Item>,
  { concurrency, isStopped, failFast, refresh, whenExists }: ApplyOptions<Item>,
): AsyncGenerator<StepResult<Item>, void, void> {
  let hasAborted = false;
  const apply = async (step: Step<Item>): Promise<StepResult<Item>> => {
    if (step.action === "unchanged") return { step, status: "done" };
    if (hasAborted || isStopped()) return { step, status: "skipped" };
    try {
      const present = refresh === undefined ? step : await refresh(step);
      return { step: await applyStep(present, writer, whenExists), status: "done" };
    } catch (thrown) {
      const error = asCatalogError(thrown);
      hasAborted ||= failFast || abortsRun(error);
      return { step, status: "failed", error };
    }
  };
  const isDeletion = ({ action }: Step<Item>): boolean => action === "delete";
  yield* mapInOrder(
    steps.filter((step) => !isDeletion(step)),
    concurrency,
    apply,
  );
  yield* mapInOrder(steps.filter(isDeletion), concurrency, apply);
}

async function applyStep<Item extends Desired>(
  step: Step<Item>,
  writer: CourseWriter<Item>,
  whenExists: ApplyOptions<Item>["whenExists"],
): Promise<Step<Item>> {
  switch (step.action) {
    case "unchanged":
      return step;
    case "delete":
      await writer.delete(step);
      return step;
    case "update":
      await writer.update(step);
      return step;
    case "create": {
      const { exists, id = step.id } = await writer.create(step);
      // Another run, or an earlier one that was interrupted, created it first.
      return exists === undefined
        ? { ...step, id }
        : await applyStep(whenExists(step, exists), writer, whenExists);
    }
  }
}
