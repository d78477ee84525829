/**
 * Applies the steps of a run, for every command that changes the catalog: names the target, refuses, asks, records,
 * sends, counts and prints.
 */
import { mapInOrder } from "../base/async.ts";
import { abortsRun, asCatalogError, CatalogError, isServerFailure } from "../base/errors.ts";
import { describeTarget } from "../output/diagnostics.ts";
import { planSummary } from "../output/plan.ts";
import { describeCourse, isWrite, type Step, type WriteStep } from "../sync/step.ts";
import { checkSteps, type PreconditionOptions, refreshStep } from "./check-steps.ts";
import { confirmSteps, type Questions } from "./confirm-steps.ts";
import type { Context } from "./context.ts";
import { locateRefusal } from "./located.ts";
import { createRecorder, type RecordFlags, undoAdvice } from "./record-flag.ts";
import { type Counts, countResults, type Result, Results } from "./results.ts";
import { type Sent, sendStep } from "./send-step.ts";
import { countSteps, findTarget, type ShownAs, showSteps } from "./show-steps.ts";
import { concurrencyOf, showWork, withDeferredShutdown } from "./work.ts";

/** The steps of a run, and the parts that differ between commands. */
export interface StepRun extends PreconditionOptions {
  readonly steps: readonly Step[];
  /** The name of the work in the progress line: `Pushing`. */
  readonly doing: string;
  /** How the steps are shown before they are applied, and whether only a dry run shows them. By default, no run does. */
  readonly shown?: { readonly as: ShownAs; readonly always: boolean };
  readonly notices?: readonly string[];
  readonly refusal?: CatalogError | undefined;
  /** The questions that a run without `--yes` asks. */
  readonly questions: Questions;
  /** The text of a result on standard output without `--output`. */
  readonly plain?: (result: Result) => string;
  /** The sentences about what the run has done, or what a dry run would do: see `describeOutcomes`. */
  readonly summarize: (counts: Counts) => readonly string[];
  /** For `undo`: the run that is undone, and how many of its changes remain. @param done the ids of the steps */
  readonly undoes?: { readonly run: string; readonly left: (done: ReadonlySet<string>) => number };
}

/** The flags of commands that change courses. */
export interface RunFlags extends RecordFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** The result of a run. */
export interface RunOutcome {
  readonly results: readonly Result[];
  /** The steps that succeeded, as they were applied. */
  readonly done: readonly Step[];
  readonly counts: Counts;
}

/**
 * Applies the steps, or shows them in a dry run. Failures of single steps are reported and counted.
 *
 * @throws CatalogError if the run is refused or not confirmed
 */
export async function runSteps(
  run: StepRun,
  flags: RunFlags,
  context: Context,
): Promise<RunOutcome> {
  const { messages } = context;
  const isDryRun = flags.dryRun === true;
  const { shown, steps } = run;
  let areShown = false;
  if (shown !== undefined && (shown.always || isDryRun)) {
    areShown = await showSteps(steps, { as: shown.as, isComplete: isDryRun }, context);
    const counts = countSteps(steps);
    if (shown.always) await messages.info(planSummary(counts), { counts });
  }
  for (const notice of run.notices ?? []) await messages.info(notice);
  if (run.refusal !== undefined) throw run.refusal;
  await reportRefused(steps, context);
  const isWriting = steps.some(isWrite);
  const target = isWriting ? await nameTarget(context) : undefined;
  if (isDryRun) return await planOnly(run, context);
  const isAsked = isWriting && flags.yes !== true;
  if (!isAsked || !(await confirmSteps(steps, { ...run.questions, areShown }, context))) {
    return await applySteps(run, flags, target, context);
  }
  // Courses may have changed while catalog waited for the answer.
  const checked = await checkSteps(steps, run, context);
  const others = checked.filter((step, index) => step.action !== steps[index]?.action);
  await reportRefused(others, context);
  return await applySteps({ ...run, steps: checked }, flags, target, context);
}

/** Prints the errors of refused steps. */
async function reportRefused(
  steps: readonly Step[],
  { messages }: Pick<Context, "messages">,
): Promise<void> {
  for (const step of steps) {
    if (step.action === "refused" && step.error !== undefined) await messages.fail(step.error);
  }
}

/** Prints the service and the account that the run changes. @returns the same text for the undo record */
async function nameTarget(context: Context): Promise<string | undefined> {
  // Finding the target may take a request.
  if (context.options.quiet) return undefined;
  const target = await findTarget(context);
  const name = describeTarget(target);
  await context.messages.info(`Target: ${name}`, { target });
  return name;
}

/** The results of steps that are not applied. @param status of steps that would change a course */
export function listResults(steps: readonly Step[], status: "planned" | "skipped"): Result[] {
  return steps.map((step) => resultOf(step, { status: isWrite(step) ? status : "unchanged" }));
}

function resultOf(step: Step, outcome: Omit<Sent, "step">): Result {
  const { id, from, action } = step;
  const common = { id, from, ...describeCourse(step) };
  if (action === "refused") {
    return { ...common, action: step.wanted, status: step.status, error: step.error };
  }
  const unmanaged = "unmanaged" in step ? { unmanaged: step.unmanaged } : {};
  return { ...common, action, ...unmanaged, ...outcome };
}

async function planOnly(run: StepRun, context: Context): Promise<RunOutcome> {
  const results = listResults(run.steps, "planned");
  const printed = new Results(context);
  for (const result of results) await printed.add(result, { isReported: true });
  await printed.end();
  const counts = countResults(results);
  if (run.shown?.always !== true) await summarize(run, counts, context);
  return { results, done: [], counts };
}

async function summarize(run: StepRun, counts: Counts, { messages }: Context): Promise<void> {
  const sentences = run.summarize(counts);
  for (const [index, text] of sentences.entries()) {
    await messages.info(text, index === sentences.length - 1 ? { counts } : {});
  }
}

/** After this many failures of the service in a row, the other requests would probably fail as well. */
const MAX_FAILURES = 10;

async function applySteps(
  run: StepRun,
  flags: RunFlags,
  target: string | undefined,
  context: Context,
): Promise<RunOutcome> {
  const { steps } = run;
  const { stop } = context;
  const client = await context.client();
  const concurrency = await concurrencyOf(context);
  const recorder = await createRecorder(run, flags, target, context);
  const done: Step[] = [];
  const ids = new Set<string>();
  const results: Result[] = [];
  let failures = 0;
  /** Why no further request is sent. */
  let ending: CatalogError | undefined;
  let isServiceDown = false;
  /** @param release lets another step begin while this one pauses before a repetition */
  const apply = async (step: Step, _: number, release: () => void): Promise<Sent> => {
    if (!isWrite(step)) return { step, status: "unchanged" };
    if (ending !== undefined || stop.reason !== undefined) return { step, status: "skipped" };
    const sent = await send(step, release).catch((thrown: unknown): Sent => {
      return { step, status: "failed", error: asCatalogError(thrown) };
    });
    const { status, error } = sent;
    const isUnknown = status === "unknown";
    failures = error !== undefined && (isUnknown || isServerFailure(error)) ? failures + 1 : 0;
    if (error === undefined) return sent;
    if (failures === MAX_FAILURES && ending === undefined) {
      ending = serviceFailed();
      isServiceDown = true;
    } else if (abortsRun(error)) ending ??= error;
    if (ending !== undefined) client.stop();
    // It was not sent, because catalog was asked to stop.
    if (error.kind === "interrupted" && !isUnknown) return { step, status: "skipped" };
    return { ...sent, error: await locateRefusal(error, step.from) };
  };
  const send = async (step: WriteStep, onPause: () => void): Promise<Sent> => {
    const present = await refreshStep(step, run, context);
    if (present.action === "refused" && present.error !== undefined) throw present.error;
    return await sendStep(present, recorder, context, onPause);
  };
  const applyAll = async (printed: Results): Promise<void> => {
    const total = steps.filter(isWrite).length;
    const isDeletion = ({ action }: Step): boolean => action === "delete";
    const groups = [steps.filter((step) => !isDeletion(step)), steps.filter(isDeletion)];
    let sent = 0;
    const prints = context.options.format !== undefined;
    await showWork(
      run.doing,
      context,
      async (progress) => {
        for (const group of groups) {
          for await (const applied of mapInOrder(group, concurrency, apply)) {
            const { step, ...outcome } = applied;
            const record = step.action === "delete" ? { run: recorder.name } : {};
            const result = resultOf(step, { ...outcome, ...record });
            if (result.status === "done" || result.status === "unchanged") {
              done.push(step);
              ids.add(step.id);
            }
            results.push(result);
            await printed.add(result, { isReported: step.action === "refused" });
            if (step.action !== "unchanged") progress.update({ done: ++sent });
          }
        }
      },
      { of: total, prints },
    );
    await printed.end();
  };
  try {
    await withDeferredShutdown(context, () => applyAll(new Results(context, run.plain)));
    if (isServiceDown && ending !== undefined) await context.messages.fail(ending);
    const counts = countResults(results);
    await summarize(run, counts, context);
    const { created, updated, deleted, failed, unknown } = counts;
    const left = run.undoes?.left(ids);
    const end = { created, updated, deleted, failed, unknown };
    await recorder.end(left === undefined ? end : { ...end, left });
    const advice = undoAdvice(counts, recorder.name, { ...flags, ...run }, context);
    if (advice !== undefined) await context.messages.info(advice, { counts });
    return { results, done, counts };
  } finally {
    recorder.close();
  }
}

function serviceFailed(): CatalogError {
  const message = `the service failed ${MAX_FAILURES} times in a row; nothing more was sent`;
  return new CatalogError("unreachable", message, { advice: "Repeat the command later." });
}
