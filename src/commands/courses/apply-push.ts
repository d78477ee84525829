/** Takes the steps of a push, shows how far it is, and tells what came of it (cli.md section 8). */
import type { CatalogClient } from "../../api/client.ts";
import { asCatalogError, type CatalogError } from "../../base/errors.ts";
import { formatNumber, joinList } from "../../base/text.ts";
import type { Context } from "../../command-support/context.ts";
import { concurrencyOf } from "../../command-support/limits.ts";
import { type Result, Results } from "../../command-support/results.ts";
import { progressOf } from "../../command-support/work.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import { applyPlan, type Taken, type Writes } from "../../sync/apply.ts";
import type { DesiredCourse } from "./load-desired.ts";
import { placeRefusal, refusalDiagnostic } from "./locate-refusal.ts";
import type { WantedStep } from "./plan-push.ts";
import { pace } from "./progress-text.ts";

/** What applying needs. */
export type ApplyNeeds = Pick<
  Context,
  | "io"
  | "folder"
  | "options"
  | "messages"
  | "styles"
  | "environment"
  | "client"
  | "settings"
  | "clock"
  | "signal"
>;

/** What a push came to. */
export interface Applied {
  /** The steps that were taken, as they were taken. */
  readonly done: readonly WantedStep[];
  /** What was refused, with the places in the files. */
  readonly refusals: readonly Diagnostic[];
  /** All of it in one sentence; none where there was nothing to do. */
  readonly summary?: string;
}

/** Takes the steps and tells each failure with its file and line, then the whole. */
export async function applySteps(
  steps: readonly WantedStep[],
  { failFast, backup }: { readonly failFast: boolean; readonly backup?: string | undefined },
  context: ApplyNeeds,
): Promise<Applied> {
  const { messages, signal, options, clock } = context;
  const results = new Results(context);
  const tally = new Tally();
  const done: WantedStep[] = [];
  const refusals: Diagnostic[] = [];
  const progress = await progressOf("pushing", context, options.format !== undefined);
  const began = clock.now();
  let counted = 0;
  try {
    const writes = writesOf(await context.client());
    const taking = applyPlan(steps, writes, {
      concurrency: await concurrencyOf(context),
      stopped: () => signal.aborted,
      failFast,
    });
    const total = steps.filter(({ action }) => action !== "unchanged").length;
    for await (const taken of taking) {
      tally.add(taken);
      if (taken.status === "done") done.push(taken.step);
      const error = taken.error === undefined ? undefined : placed(taken.error, taken);
      const refusal = error === undefined ? undefined : refusalDiagnostic(error);
      if (refusal !== undefined) refusals.push(refusal);
      // A line of its own must not meet the progress line.
      if (error !== undefined) progress.pause();
      await results.add(resultOf(taken, error, backup));
      // Of what is as it should be there may be thousands, and none of it counts.
      if (taken.step.action === "unchanged") continue;
      counted++;
      const elapsed = clock.now() - began;
      progress.update(
        `pushing: ${pace({ done: counted, of: total, elapsed, failed: tally.failed })}`,
      );
    }
  } finally {
    progress.stop();
  }
  await results.end();
  if (steps.every(({ action }) => action === "unchanged")) return { done, refusals };
  const summary = tally.summary();
  await messages.info(summary);
  return { done, refusals, summary };
}

/** Shows what would be done, as results, without doing it. */
export async function showSteps(steps: readonly WantedStep[], context: ApplyNeeds): Promise<void> {
  const results = new Results(context);
  for (const step of steps) {
    const status = step.action === "unchanged" ? "done" : "planned";
    await results.add({ ...describe(step), status });
  }
  await results.end();
}

function writesOf(client: CatalogClient): Writes {
  return {
    create: async (course) => {
      // The id is the same in every run, so another one may have used it.
      const creation = await client.create(course, false);
      return creation.outcome === "created" ? {} : { exists: creation.course };
    },
    update: (id, changes) => client.update(id, changes),
    prepare: (body, id) => client.prepare(body, id),
    delete: async (id) => {
      try {
        await client.delete(id);
      } catch (thrown) {
        // What somebody else deleted meanwhile is gone all the same.
        const error = asCatalogError(thrown);
        if (error.kind !== "missing") throw error;
      }
    },
  };
}

function placed(error: CatalogError, { step }: Taken<DesiredCourse>): CatalogError {
  return step.action === "delete" ? error : placeRefusal(error, step.item.source);
}

function describe(step: WantedStep): Pick<Result, "id" | "file" | "action"> {
  const { id, action } = step;
  return step.action === "delete"
    ? { id, action }
    : { id, file: step.item.source.file.name, action };
}

function resultOf(
  { step, status }: Taken<DesiredCourse>,
  error: CatalogError | undefined,
  backup: string | undefined,
): Result {
  const kept = step.action === "delete" && backup !== undefined ? { backup } : {};
  return { ...describe(step), status, ...kept, ...(error === undefined ? {} : { error }) };
}

const DONE = { create: "created", update: "updated", unchanged: "unchanged", delete: "deleted" };

/** Counts what came of the steps. */
class Tally {
  readonly #done = { create: 0, update: 0, unchanged: 0, delete: 0 };
  #failed = 0;
  #skipped = 0;

  get failed(): number {
    return this.#failed;
  }

  add({ step, status }: Taken<DesiredCourse>): void {
    if (status === "done") this.#done[step.action]++;
    else if (status === "failed") this.#failed++;
    else this.#skipped++;
  }

  /** One sentence: `3 created, 1 updated, 10 unchanged and 1 failed.` */
  summary(): string {
    const parts = (["create", "update", "unchanged", "delete"] as const)
      .filter((action) => this.#done[action] > 0)
      .map((action) => `${formatNumber(this.#done[action])} ${DONE[action]}`);
    if (this.#failed > 0) parts.push(`${formatNumber(this.#failed)} failed`);
    if (this.#skipped > 0) parts.push(`${formatNumber(this.#skipped)} not tried`);
    return `Courses: ${joinList(parts, "and")}.`;
  }
}
