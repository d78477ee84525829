/** Sends the steps of a push, recorded, and reports progress, results and a summary. */
import { asCatalogError } from "../../../base/errors.ts";
import { joinList } from "../../../base/text.ts";
import type { Context } from "../../../command-support/context.ts";
import { type Recording, restoreText, withRecording } from "../../../command-support/recording.ts";
import type { Result } from "../../../command-support/results.ts";
import type { RunState } from "../../../command-support/run-report.ts";
import { concurrencyOf, withDeferredShutdown } from "../../../command-support/work.ts";
import type { Course } from "../../../course/request-body.ts";
import { hasJsonMessages } from "../../../output/formats.ts";
import { listCounts, PAST } from "../../../output/plan.ts";
import {
  type ApplyOptions,
  applyPlan,
  type CourseWriter,
  type StepResult,
} from "../../../sync/apply.ts";
import { reportResults } from "../batch.ts";
import { locateRefusal } from "../locate-refusal.ts";
import { verifySteps, writeMissingIds } from "./after-push.ts";
import { fileOf, type PushStep, type StepItem } from "./push-step.ts";
import { describeStep, type StaleSteps } from "./show-plan.ts";

/** Steps, and how each is adapted to the course that exists when its turn has come. */
export interface SendableSteps extends Pick<ApplyOptions<StepItem>, "refresh" | "whenExists"> {
  readonly steps: readonly PushStep[];
  /** Steps that `refresh` refuses. */
  readonly stale?: StaleSteps;
}

/** How the steps are sent, and what follows. */
export interface SendOptions {
  readonly failFast: boolean;
  /** The value of `--record`. */
  readonly record: string | undefined;
  readonly writeIds: boolean;
  readonly verify: boolean;
  /** The sentence about the plan, for a report of a push with nothing to do. */
  readonly sentence: string;
}

/** Sends the steps, recorded, and then does what `--write-ids` and `--verify` ask for. */
export async function sendSteps(
  sent: SendableSteps,
  options: SendOptions,
  update: (state: RunState) => void,
  context: Context,
): Promise<void> {
  const { steps } = sent;
  const courses = steps.flatMap((step) => [
    ...("item" in step ? [step.item.course] : []),
    ...("remote" in step ? [step.remote] : []),
  ]);
  const run = { file: options.record, courses };
  await withRecording(run, context, async (recording) => {
    if (listDeletions(sent).length > 0) recording.prepareDeletions();
    await withDeferredShutdown(context, async () => {
      const { done, results, counts } = await applySteps(sent, options, recording, context);
      // Text already said so in the plan; programs always get the counts.
      const isReported = steps.some(isCounted) || hasJsonMessages(context.options.format);
      const summary = isReported ? summarize(counts) : options.sentence;
      if (isReported) await context.messages.info(summary, { counts });
      if (counts.deleted > 0) {
        await context.messages.important(restoreText(counts.deleted, recording.run), { counts });
      }
      update({ outcomes: results, outcome: [summary] });
      if (options.writeIds) await writeMissingIds(done, context);
      if (options.verify && context.stop.reason === undefined) await verifySteps(done, context);
    });
  });
}

/** The courses that the steps delete, without those that cannot be deleted. */
export function listDeletions({ steps, stale }: SendableSteps): readonly Course[] {
  return steps.flatMap((step) =>
    step.action === "delete" && stale?.has(step.id) !== true ? [step.remote] : [],
  );
}

function isCounted({ action }: Pick<Result, "action">): boolean {
  return action !== "unchanged";
}

interface Applied {
  /** The steps that succeeded, as they were applied. */
  readonly done: readonly PushStep[];
  /** The result of each step. */
  readonly results: readonly Result[];
  readonly counts: Counts;
}

/** Applies the steps; each failure is reported with its file and line. */
async function applySteps(
  { steps, refresh, whenExists }: SendableSteps,
  { failFast }: SendOptions,
  recording: Recording,
  context: Context,
): Promise<Applied> {
  const done: PushStep[] = [];
  const all: Result[] = [];
  const durations = new Map<string, number>();
  const counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0, skipped: 0 };
  const applied = applyPlan(steps, recordedWriter(recording, durations, context), {
    concurrency: await concurrencyOf(context),
    isStopped: () => context.stop.reason !== undefined,
    ...{ failFast, refresh, whenExists },
  });
  async function* results(): AsyncGenerator<Result, void, void> {
    for await (const stepResult of applied) {
      const { step, status } = stepResult;
      counts[status === "done" ? PAST[step.action] : status]++;
      if (status === "done") done.push(step);
      const described = await toResult(stepResult, recording);
      const result = { ...described, duration: durations.get(step.id) };
      all.push(result);
      yield result;
    }
  }
  const total = steps.filter(isCounted).length;
  await reportResults(results(), { doing: "Pushing", total, isCounted }, context);
  return { done, results: all, counts };
}

/** Writes through the recording. @param durations receives the milliseconds by the id of the course */
function recordedWriter(
  recording: Recording,
  durations: Map<string, number>,
  { clock }: Pick<Context, "clock">,
): CourseWriter<StepItem> {
  const measure = async <Value>(id: string, call: Promise<Value>): Promise<Value> => {
    const start = clock.monotonic();
    try {
      return await call;
    } finally {
      durations.set(id, (durations.get(id) ?? 0) + clock.monotonic() - start);
    }
  };
  return {
    create: async (step) => {
      // Every run computes the same id, so another run may have created the course.
      const creation = await measure(step.id, recording.create(step.body, fileOf(step)));
      return creation.outcome === "created" ? { id: creation.id } : { exists: creation.course };
    },
    update: async (step) => {
      const { id, body } = step;
      const target = { remote: { ...step.remote, id }, file: fileOf(step) };
      await measure(id, recording.update(body, target));
    },
    delete: async ({ id, remote }) => {
      try {
        await measure(id, recording.delete({ remote: { ...remote, id } }));
      } catch (thrown) {
        const error = asCatalogError(thrown);
        // Someone else has deleted it since the plan was made.
        if (error.kind !== "missing") throw error;
      }
    },
  };
}

async function toResult(
  { step, status, error }: StepResult<StepItem>,
  { run }: Recording,
): Promise<Result> {
  return {
    ...describeStep(step),
    status,
    run: step.action === "delete" ? run : undefined,
    error: error && (await locateRefusal(error, "item" in step ? step.item : {})),
  };
}

type Counts = Readonly<Record<(typeof PAST)[PushStep["action"]] | "failed" | "skipped", number>>;

/** `Courses: 3 created, 1 updated, 10 unchanged and 1 failed.` */
function summarize(counts: Counts): string {
  const parts = listCounts(counts);
  return parts.length === 0 ? "No courses." : `Courses: ${joinList(parts, "and")}.`;
}
