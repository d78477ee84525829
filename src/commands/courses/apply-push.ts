/** Applies the steps of a push, and reports progress, results and a summary. */
import type { CatalogClient } from "../../api/client.ts";
import { asCatalogError } from "../../base/errors.ts";
import { formatNumber, joinList } from "../../base/text.ts";
import type { Context } from "../../command-support/context.ts";
import { type Result, Results } from "../../command-support/results.ts";
import { concurrencyOf } from "../../command-support/work.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import { applyPlan, type CourseWriter, type StepResult } from "../../sync/apply.ts";
import { planChange } from "../../sync/plan.ts";
import { reportResults } from "./batch.ts";
import { locateRefusal, refusalDiagnostic } from "./locate-refusal.ts";
import { unmanagedOf } from "./plan-findings.ts";
import type { DesiredCourse, PushStep } from "./push-step.ts";

/** What a push did. */
export interface Applied {
  /** The steps that succeeded, as they were applied. */
  readonly done: readonly PushStep[];
  /** What the service rejected, located in the files. */
  readonly refusals: readonly Diagnostic[];
  /** One sentence about all steps; none if there was nothing to do. */
  readonly summary?: string;
}

/** How the steps of a push are applied. */
interface PushOptions {
  readonly failFast: boolean;
  /** The file with the courses that are deleted. */
  readonly backup: string | undefined;
  /** As in `planSync`. */
  readonly complete: boolean;
}

/** Applies the steps; each failure is reported with its file and line. */
export async function applySteps(
  steps: readonly PushStep[],
  { failFast, backup, complete }: PushOptions,
  context: Context,
): Promise<Applied> {
  const done: PushStep[] = [];
  const refusals: Diagnostic[] = [];
  const counts: Counts = { create: 0, update: 0, unchanged: 0, delete: 0, failed: 0, skipped: 0 };
  const applied = applyPlan(steps, writesOf(await context.client()), {
    concurrency: await concurrencyOf(context),
    isStopped: () => context.signal.aborted,
    failFast,
    whenExists: ({ id, item }, exists) => planChange(id, item, exists, complete),
  });
  async function* results(): AsyncGenerator<Result, void, void> {
    for await (const stepResult of applied) {
      const { step, status } = stepResult;
      counts[status === "done" ? step.action : status]++;
      if (status === "done") done.push(step);
      const result = await toResult(stepResult, backup);
      const refusal = result.error === undefined ? undefined : refusalDiagnostic(result.error);
      if (refusal !== undefined) refusals.push(refusal);
      yield result;
    }
  }
  const isCounted = ({ action }: Pick<Result, "action">): boolean => action !== "unchanged";
  const total = steps.filter(isCounted).length;
  await reportResults(results(), { doing: "Pushing", total, isCounted }, context);
  if (total === 0) return { done, refusals };
  const summary = summarize(counts);
  await context.messages.info(summary);
  return { done, refusals, summary };
}

/** Prints the steps as results without applying them. */
export async function showSteps(steps: readonly PushStep[], context: Context): Promise<void> {
  const results = new Results(context);
  for (const step of steps) {
    const status = step.action === "unchanged" ? "done" : "planned";
    await results.add({ ...describeStep(step), status });
  }
  await results.end();
}

function writesOf(client: CatalogClient): CourseWriter {
  return {
    create: async (course) => {
      // Every run computes the same id, so another run may have created the course.
      const creation = await client.create(course, false);
      return creation.outcome === "created" ? {} : { exists: creation.course };
    },
    update: (id, changes) => client.update(id, changes),
    delete: async (id) => {
      try {
        await client.delete(id);
      } catch (thrown) {
        const error = asCatalogError(thrown);
        // Someone else has deleted it since the plan was made.
        if (error.kind !== "missing") throw error;
      }
    },
  };
}

function describeStep(step: PushStep): Pick<Result, "id" | "file" | "action" | "unmanaged"> {
  const { id, action } = step;
  if (step.action === "delete") return { id, action };
  const unmanaged = unmanagedOf(step);
  const file = step.item.source.file.name;
  return { id, file, action, ...(unmanaged.length === 0 ? {} : { unmanaged }) };
}

async function toResult(
  { step, status, error }: StepResult<DesiredCourse>,
  backup: string | undefined,
): Promise<Result> {
  const source = step.action === "delete" ? undefined : step.item.source;
  return {
    ...describeStep(step),
    status,
    ...(step.action === "delete" && backup !== undefined ? { backup } : {}),
    ...(error === undefined ? {} : { error: await locateRefusal(error, source) }),
  };
}

const COUNTED = {
  create: "created",
  update: "updated",
  unchanged: "unchanged",
  delete: "deleted",
  failed: "failed",
  skipped: "not tried",
} as const;

type Counts = Record<keyof typeof COUNTED, number>;

/** `Courses: 3 created, 1 updated, 10 unchanged and 1 failed.` */
function summarize(counts: Counts): string {
  const parts = (Object.keys(COUNTED) as (keyof typeof COUNTED)[])
    .filter((key) => counts[key] > 0)
    .map((key) => `${formatNumber(counts[key])} ${COUNTED[key]}`);
  return `Courses: ${joinList(parts, "and")}.`;
}
