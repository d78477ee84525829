/** Runs steps, for every command that changes the catalog: shows them, asks, applies, records and prints them. */
import type { CatalogError } from "../base/errors.ts";
import { apply, type Outcome } from "../core/apply.ts";
import type { Many } from "../core/risks.ts";
import { isWrite, type Step } from "../core/step.ts";
import { describeTarget, type Target } from "../output/diagnostics.ts";
import { planSummary } from "../output/plan.ts";
import { confirmRun } from "./confirm.ts";
import type { Context } from "./context.ts";
import { locateRefusal } from "./located.ts";
import { openRecord, type RecordFlags, undoAdvice } from "./record.ts";
import {
  type Counts,
  countOutcomes,
  type OutcomeWords,
  Results,
  resultOf,
  summarize,
} from "./results.ts";
import type { RunReport } from "./run-report.ts";
import { countRisks, countSteps, type ShownAs, showSteps } from "./show-steps.ts";
import { concurrencyOf, showWork, withDeferredShutdown } from "./work.ts";

/** The steps of a run, and what differs between commands. */
export interface StepRun {
  readonly steps: readonly Step[];
  /** The name of the work in the progress line: `Pushing`. */
  readonly doing: string;
  /** How the steps are shown before they are applied; a dry run always shows them. */
  readonly shown?: ShownAs;
  readonly notices?: readonly string[];
  /** The field that changes in many courses. */
  readonly many?: Many | undefined;
  /** Why the steps must not be applied. They are shown before. */
  readonly refusal?: CatalogError | undefined;
  /** The question that a run without `--yes` asks; by default, it only asks before deletions. */
  readonly question?: string;
  /** What deletions are chosen from: `the 300 courses of Example Academy`. */
  readonly scope?: string | undefined;
  /** The text of an outcome on standard output without `--output`. */
  readonly plain?: (outcome: Outcome) => string;
  /** The words of the summary that are not the usual ones. */
  readonly words?: OutcomeWords;
  /** Makes the summary from the counts; `usual` is the usual one, with other words. */
  readonly summary?: (counts: Counts, usual: (words: OutcomeWords) => string) => string;
  /** For `undo`: the name of the run that is undone. */
  readonly undoes?: string;
}

/** What a run adds to its report. */
type Reported = Partial<
  Pick<RunReport, "steps" | "many" | "outcomes" | "target" | "sentences" | "notices">
>;

/** The flags of commands that change courses. */
export interface RunFlags extends RecordFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/**
 * Applies the steps, or shows them in a dry run. Failures of single steps are reported and counted.
 *
 * @param report receives the steps and their outcomes
 * @returns what became of each step, in the order of the steps
 * @throws CatalogError if the run is refused or not confirmed
 */
export async function runSteps(
  { steps: planned, ...others }: StepRun,
  flags: RunFlags,
  context: Context,
  report: Reported = {},
): Promise<readonly Outcome[]> {
  const { messages } = context;
  const steps = await Promise.all(planned.map(locateRefused));
  const run = { ...others, steps };
  const isDryRun = flags.dryRun === true;
  report.steps = steps;
  report.many = run.many;
  report.notices = run.notices ?? [];
  report.outcomes = planOutcomes(steps, "skipped");
  const as = run.shown ?? (isDryRun ? "lines" : undefined);
  if (as !== undefined)
    await showSteps(steps, { as, isComplete: isDryRun, many: run.many }, context);
  const sentence = planSummary(countSteps(steps));
  report.sentences = [sentence];
  if (run.shown !== undefined) await messages.info(sentence, { counts: countSteps(steps) });
  for (const notice of run.notices ?? []) await messages.info(notice);
  if (run.refusal !== undefined) throw run.refusal;
  for (const step of steps) {
    if (step.action !== "refused" || step.error === undefined) continue;
    await messages.fail(await locateRefusal(step.error, step.from));
  }
  const isWriting = steps.some(isWrite);
  if (isWriting) {
    const target = await context.target();
    report.target = target;
    await messages.info(`Target: ${describeTarget(target)}`, { target });
  }
  if (!isDryRun && isWriting && flags.yes !== true) await confirmRun(run, context);
  const outcomes = isDryRun
    ? await showPlanned(run, report, context)
    : await applySteps(run, flags, report, context);
  report.outcomes = outcomes;
  return outcomes;
}

/** Adds the place of its course to the error of a refused step. */
async function locateRefused(step: Step): Promise<Step> {
  if (step.action !== "refused" || step.error === undefined) return step;
  return { ...step, error: await locateRefusal(step.error, step.from) };
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

async function showPlanned(
  run: StepRun,
  { target }: Reported,
  context: Context,
): Promise<readonly Outcome[]> {
  const outcomes = planOutcomes(run.steps, "planned");
  const printed = new Results(context);
  for (const outcome of outcomes) await printed.add(resultOf(outcome), { isReported: true });
  await printed.end();
  await endRun(countOutcomes(outcomes), run, { target }, context);
  return outcomes;
}

async function applySteps(
  run: StepRun,
  flags: RunFlags,
  report: Reported,
  context: Context,
): Promise<readonly Outcome[]> {
  const { steps, undoes } = run;
  const { messages, clock, stop } = context;
  const record = await openRecord(steps, { ...flags, undoes }, context);
  const outcomes: Outcome[] = [];
  const results = new Results(context);
  let sent = 0;
  const send = async (): Promise<void> => {
    const options = {
      client: await context.client(),
      clock,
      concurrency: await concurrencyOf(context),
      stop,
      record,
    };
    const prints = context.options.format !== undefined;
    const of = steps.filter(isWrite).length;
    await showWork(
      run.doing,
      context,
      async (progress) => {
        const applied = apply(steps, options);
        for (let next = await applied.next(); ; next = await applied.next()) {
          if (next.done) {
            if (next.value !== undefined) await messages.fail(next.value);
            break;
          }
          const { step, error, ...rest } = next.value;
          const located = error && (await locateRefusal(error, step.from));
          const outcome: Outcome = { ...rest, step, error: located };
          outcomes.push(outcome);
          const plain = run.plain?.(outcome);
          await results.add(resultOf(outcome), { isReported: step.action === "refused", plain });
          if (isWrite(step) && outcome.status !== "skipped") progress.update({ done: ++sent });
        }
      },
      { of, prints },
    );
  };
  try {
    await withDeferredShutdown(context, send);
    await results.end();
    if (stop.reason === undefined && keptDeletions(outcomes)) {
      await messages.info("No course was deleted, because not every other change was made.");
    }
    const { target } = report;
    const advice = record && undoAdvice(record, flags, context);
    const text = await endRun(countOutcomes(outcomes), run, { target, advice }, context);
    report.sentences = [text];
    return outcomes;
  } finally {
    record?.close();
  }
}

/** Whether no deletion was sent, because another change failed. */
function keptDeletions(outcomes: readonly Outcome[]): boolean {
  const deletions = outcomes.filter(({ step }) => step.action === "delete");
  return deletions.length > 0 && deletions.every(({ status }) => status === "skipped");
}

/**
 * Prints the counts, and how to undo the run; in JSON, both in one notice. A run that was stopped prints them even with
 * `--quiet`. @returns the sentence with the counts
 */
async function endRun(
  counts: Counts,
  { steps, many, words, summary, shown, undoes }: StepRun,
  { target, advice }: Ending,
  { messages, stop, options }: Context,
): Promise<string> {
  const print = stop.reason === undefined ? messages.info : messages.important;
  const next = advice?.(counts, undoes !== undefined);
  // The plan already says what would change, or that nothing changes. Programs always get the counts.
  const isPlan = counts.planned > 0 || steps.every(({ action }) => action === "unchanged");
  const isKnown = shown !== undefined && isPlan;
  const usual = (own: OutcomeWords): string => summarize(counts, own);
  const text = summary?.(counts, usual) ?? usual(words ?? {});
  const facts = { counts, ...(target && { target }), ...countRisks(steps, many) };
  if (options.json) await print.call(messages, text, { ...facts, ...(next && { next }) });
  else {
    if (!isKnown) await print.call(messages, text);
    if (next !== undefined) await print.call(messages, next);
  }
  return text;
}

interface Ending {
  readonly target?: Target | undefined;
  readonly advice?: ((counts: Counts, undoes: boolean) => string | undefined) | undefined;
}
