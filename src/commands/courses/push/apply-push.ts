/** Applies the steps of a push, and reports progress, results and a summary. */
import { asCatalogError, type CatalogError } from "../../../base/errors.ts";
import { formatNumber, joinList } from "../../../base/text.ts";
import type { PlainObject } from "../../../base/values.ts";
import type { Context } from "../../../command-support/context.ts";
import { type Recording, restoreText, withRecording } from "../../../command-support/recording.ts";
import { type Result, Results } from "../../../command-support/results.ts";
import type { RunState } from "../../../command-support/run-report.ts";
import { concurrencyOf, withDeferredShutdown } from "../../../command-support/work.ts";
import type { Course } from "../../../course/request-body.ts";
import { hasJsonMessages } from "../../../output/formats.ts";
import {
  type ApplyOptions,
  applyPlan,
  type CourseWriter,
  type StepResult,
} from "../../../sync/apply.ts";
import type { Step } from "../../../sync/plan.ts";
import { reportResults } from "../batch.ts";
import { locateItemRefusal } from "../locate-refusal.ts";
import { verifySteps, writeMissingIds } from "./after-push.ts";
import { unmanagedOf } from "./plan-findings.ts";
import { fileOf, type StepItem } from "./push-step.ts";

interface Applied {
  /** The steps that succeeded, as they were applied. */
  readonly done: readonly Step<StepItem>[];
  /** The result of each step. */
  readonly results: readonly Result[];
  /** One sentence about all steps; none if there was nothing to do. */
  readonly summary?: string;
}

interface PushOptions {
  readonly failFast: boolean;
  readonly recording: Recording;
  /** As in `applyPlan`. */
  readonly whenExists: Required<ApplyOptions<StepItem>>["whenExists"];
  /** As in `applyPlan`. */
  readonly refresh?: ApplyOptions<StepItem>["refresh"];
}

/** How the steps of a push are sent, and what follows. */
interface SendOptions extends Omit<PushOptions, "recording"> {
  /** The value of `--record`. */
  readonly record: string | undefined;
  /** Courses with the providers that the push concerns. */
  readonly courses: readonly PlainObject[];
  /** Steps that `refresh` refuses, by the id of their course. */
  readonly stale?: ReadonlyMap<string, CatalogError>;
  readonly writeIds: boolean;
  readonly verify: boolean;
  /** The sentence about the plan, for a report of a push with nothing to do. */
  readonly sentence: string;
}

/** Sends the steps, recorded, and then does what `--write-ids` and `--verify` ask for. */
export async function sendSteps(
  steps: readonly Step<StepItem>[],
  options: SendOptions,
  update: (state: RunState) => void,
  context: Context,
): Promise<void> {
  const { courses, record: file, stale, sentence } = options;
  await withRecording({ command: "courses push", file, courses }, context, async (recording) => {
    const isSent = ({ action, id }: Step<StepItem>): boolean =>
      action === "delete" && stale?.has(id) !== true;
    if (steps.some(isSent)) recording.prepareDeletions();
    await withDeferredShutdown(context, async () => {
      const applied = await applySteps(steps, { ...options, recording }, context);
      const { done, results, summary = sentence } = applied;
      update({ outcomes: results, outcome: [summary] });
      if (options.writeIds) await writeMissingIds(done, context);
      if (options.verify && !context.signal.aborted) await verifySteps(done, context);
    });
  });
}

/** Applies the steps; each failure is reported with its file and line. */
async function applySteps(
  steps: readonly Step<StepItem>[],
  { failFast, recording, whenExists, refresh }: PushOptions,
  context: Context,
): Promise<Applied> {
  const done: Step<StepItem>[] = [];
  const all: Result[] = [];
  const durations = new Map<string, number>();
  const counts: Counts = { create: 0, update: 0, unchanged: 0, delete: 0, failed: 0, skipped: 0 };
  const writes = timed(recordedWrites(steps, recording), durations, context);
  const applied = applyPlan(steps, writes, {
    concurrency: await concurrencyOf(context),
    isStopped: () => context.signal.aborted,
    failFast,
    refresh,
    whenExists,
  });
  async function* results(): AsyncGenerator<Result, void, void> {
    for await (const stepResult of applied) {
      const { step, status } = stepResult;
      counts[status === "done" ? step.action : status]++;
      if (status === "done") done.push(step);
      const described = await toResult(stepResult, recording);
      const result = { ...described, duration: durations.get(step.id) };
      all.push(result);
      yield result;
    }
  }
  const isCounted = ({ action }: Pick<Result, "action">): boolean => action !== "unchanged";
  const total = steps.filter(isCounted).length;
  await reportResults(results(), { doing: "Pushing", total, isCounted }, context);
  // Text already said so in the plan; programs always get the counts.
  if (total === 0 && !hasJsonMessages(context.options.format)) return { done, results: all };
  const summary = summarize(counts);
  const facts = { counts: countsByOutcome(counts) };
  await context.messages.info(summary, facts);
  if (counts.delete > 0) {
    await context.messages.important(restoreText(counts.delete, recording.run), facts);
  }
  return { done, results: all, summary };
}

/** The results of steps that were not applied. */
export function planResults(
  steps: readonly Step<StepItem>[],
  status: "planned" | "skipped",
): readonly Result[] {
  return steps.map((step) => {
    return { ...describeStep(step), status: step.action === "unchanged" ? step.action : status };
  });
}

/** Prints results that are known already. */
export async function showResults(results: readonly Result[], context: Context): Promise<void> {
  const printed = new Results(context);
  for (const result of results) await printed.add(result);
  await printed.end();
}

/** The same calls, whose durations are added up by the id of the course. */
function timed(
  writes: CourseWriter,
  durations: Map<string, number>,
  { clock }: Pick<Context, "clock">,
): CourseWriter {
  const measure = async <Value>(id: string, call: Promise<Value>): Promise<Value> => {
    const start = clock.now();
    try {
      return await call;
    } finally {
      durations.set(id, (durations.get(id) ?? 0) + clock.now() - start);
    }
  };
  return {
    create: (course) => measure(course.id, writes.create(course)),
    update: (id, changes) => measure(id, writes.update(id, changes)),
    delete: (id) => measure(id, writes.delete(id)),
  };
}

/** Writes through the recording, which needs each course as it is now. */
function recordedWrites(steps: readonly Step<StepItem>[], recording: Recording): CourseWriter {
  const known = new Map(steps.map((step) => [step.id, step]));
  const existing = new Map<string, Course>();
  const remoteOf = (id: string): Course => {
    const step = known.get(id);
    const planned = step !== undefined && "remote" in step ? step.remote : undefined;
    return { ...(existing.get(id) ?? planned), id };
  };
  const fileNameOf = (id: string): string | undefined => {
    const step = known.get(id);
    return step === undefined || step.action === "delete" ? undefined : fileOf(step.item);
  };
  return {
    create: async (course) => {
      // Every run computes the same id, so another run may have created the course.
      const creation = await recording.create(course, false, fileNameOf(course.id));
      if (creation.outcome === "created") return { id: creation.id };
      existing.set(course.id, creation.course);
      return { exists: creation.course };
    },
    update: (id, changes) =>
      recording.update(changes, { remote: remoteOf(id), file: fileNameOf(id) }),
    delete: async (id) => {
      try {
        await recording.delete({ remote: remoteOf(id) });
      } catch (thrown) {
        const error = asCatalogError(thrown);
        // Someone else has deleted it since the plan was made.
        if (error.kind !== "missing") throw error;
      }
    },
  };
}

/** The part of a step's result that is known beforehand. */
export function describeStep(step: Step<StepItem>): Omit<Result, "status" | "error"> {
  const { id, action } = step;
  if (step.action === "delete") return { id, action, course: step.remote };
  const unmanaged = unmanagedOf(step);
  const place = step.item.source === undefined ? step.item.place : { source: step.item.source };
  return {
    ...{ id, action, course: courseOf(step), ...place },
    unmanaged: unmanaged.length === 0 ? undefined : unmanaged,
  };
}

/** The course as it is to be; a file may leave out what the catalog has. */
function courseOf(step: Exclude<Step<StepItem>, { action: "delete" }>): PlainObject {
  return step.action === "create" ? step.body : { ...step.remote, ...step.item.course };
}

async function toResult(
  { step, status, error }: StepResult<StepItem>,
  { run }: Recording,
): Promise<Result> {
  return {
    ...describeStep(step),
    status,
    run: step.action === "delete" ? run : undefined,
    error: error && (await locateItemRefusal(error, "item" in step ? step.item : {})),
  };
}

const COUNTED = {
  create: "created",
  update: "updated",
  unchanged: "unchanged",
  delete: "deleted",
  failed: "failed",
  skipped: "skipped",
} as const;

type Counts = Record<keyof typeof COUNTED, number>;

/** The counts by the same words as in the sentence. */
function countsByOutcome(counts: Counts): Readonly<Record<string, number>> {
  const { create: created, update: updated, unchanged, delete: deleted, failed, skipped } = counts;
  return { created, updated, unchanged, deleted, failed, skipped };
}

/** `Courses: 3 created, 1 updated, 10 unchanged and 1 failed.` */
function summarize(counts: Counts): string {
  const parts = (Object.keys(COUNTED) as (keyof typeof COUNTED)[])
    .filter((key) => counts[key] > 0)
    .map((key) => `${formatNumber(counts[key])} ${COUNTED[key]}`);
  return parts.length === 0 ? "No courses." : `Courses: ${joinList(parts, "and")}.`;
}
