/** Runs steps, for every command that changes the catalog: shows them, asks, applies, records and prints them. */
import type { CatalogError } from "../base/errors.ts";
import { formatNumber, pluralize } from "../base/text.ts";
import { apply, type Outcome } from "../core/apply.ts";
import { locateRefusal } from "../core/located.ts";
import type { RecordWriter } from "../core/record.ts";
import type { Many } from "../core/risks.ts";
import { isWrite, type Step } from "../core/step.ts";
import { describeTarget } from "../output/diagnostics.ts";
import { planSummary } from "../output/plan.ts";
import { requireYes } from "./ask.ts";
import type { Context } from "./context.ts";
import { checkRecordFlag, openRecord, type RecordFlags, undoAdvice } from "./record.ts";
import { countOutcomes, openResults, summarize } from "./results.ts";
import type { Report } from "./run-report.ts";
import { countRisks, countSteps, type ShownAs, showSteps } from "./show-steps.ts";
import { showWork, type Tracker, withDeferredShutdown } from "./work.ts";

/** The steps of a run, and what differs between commands. */
export interface StepRun {
  /** Deletions come last. */
  readonly steps: readonly Step[];
  /** The name of the work in the progress line: `Pushing`. */
  readonly doing: string;
  /** How the steps are shown before they are applied; a dry run always shows them. */
  readonly shown?: ShownAs | undefined;
  readonly notices?: readonly string[];
  /** The field that changes in many courses. */
  readonly many?: Many | undefined;
  /** Why the steps must not be applied. They are shown before. */
  readonly refusal?: CatalogError | undefined;
  /** The question that a run without `--yes` asks; by default, it only asks before deletions. */
  readonly question?: string;
  /** What deletions are chosen from: `the 300 courses of Example Academy`. */
  readonly scope?: string;
  /** The text of an outcome on standard output without `--output`. */
  readonly plain?: (outcome: Outcome) => string;
  /** For `undo`: the name of the run that is undone. */
  readonly undoes?: string;
}

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
  run: StepRun,
  flags: RunFlags,
  context: Context,
  report: Partial<Report> = {},
): Promise<readonly Outcome[]> {
  checkRecordFlag(flags, context);
  const { steps, many, notices = [], refusal } = run;
  const { messages, options, stop } = context;
  const isDryRun = flags.dryRun === true;
  const shown = run.shown ?? (isDryRun ? "lines" : undefined);
  const plan = planSummary(countSteps(steps));
  Object.assign(report, { many, notices, sentences: [plan] });
  report.outcomes = planOutcomes(steps, "skipped");
  if (shown !== undefined) {
    await showSteps(steps, { as: shown, isComplete: isDryRun, many }, context);
    await messages.info(plan, { counts: countSteps(steps) });
  }
  for (const notice of notices) await messages.info(notice);
  if (refusal !== undefined) throw refusal;
  for (const step of steps) {
    if (step.action !== "refused" || step.error === undefined) continue;
    await messages.fail(await locateRefusal(step.error, step.from));
  }
  const target = steps.some(isWrite) ? await context.target() : undefined;
  if (target !== undefined) {
    report.target = target;
    await messages.info(`Target: ${describeTarget(target)}`, { target });
  }
  if (!isDryRun && flags.yes !== true) await confirmRun(run, context);
  const results = await openResults(context);
  const outcomes: Outcome[] = [];
  const finish = async ({ error, ...rest }: Outcome): Promise<void> => {
    const { step } = rest;
    const outcome = { ...rest, error: error && (await locateRefusal(error, step.from)) };
    outcomes.push(outcome);
    const { error: located } = outcome;
    if (located !== undefined && step.action !== "refused") await messages.fail(located);
    await results.add(outcome, run.plain?.(outcome));
  };
  const record = isDryRun ? undefined : await openRecord(run, flags, context);
  try {
    if (isDryRun) for (const outcome of planOutcomes(steps, "planned")) await finish(outcome);
    else await applySteps(run, record, finish, context);
    await results.end();
  } finally {
    record?.close();
  }
  const isUnsentDeletion = ({ step, status }: Outcome): boolean =>
    step.action === "delete" && status === "skipped";
  if (stop.reason === undefined && outcomes.some(isUnsentDeletion)) {
    await messages.info("Because a change failed, the courses that were left to delete were kept.");
  }
  const counts = countOutcomes(outcomes);
  const text = isDryRun ? plan : summarize(counts);
  Object.assign(report, { outcomes, sentences: [text] });
  const next = record && undoAdvice(record, counts, flags, context);
  // A run that was stopped prints its end even with `--quiet`.
  const print = (sentence: string, facts = {}): Promise<void> =>
    messages[stop.reason === undefined ? "info" : "important"](sentence, facts);
  if (options.json) await print(text, { counts, target, ...countRisks(steps, many), next });
  else {
    if (shown === undefined || text !== plan) await print(text);
    if (next !== undefined) await print(next);
  }
  return outcomes;
}

/** Asks before the steps are applied, if a question is needed. @throws CatalogError if the answer is not yes */
async function confirmRun({ steps, question, scope }: StepRun, context: Context): Promise<void> {
  const deletions = steps.filter(({ action }) => action === "delete").length;
  if (!steps.some(isWrite) || (deletions === 0 && question === undefined)) return;
  const what =
    scope === undefined ? pluralize(deletions, "course") : `${formatNumber(deletions)} of ${scope}`;
  await requireYes(question ?? `Delete ${what}?`, context, deletions);
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

/** Sends the steps, and finishes each outcome. The first Ctrl-C lets requests in progress finish. */
async function applySteps(
  { steps, doing }: StepRun,
  record: RecordWriter | undefined,
  finish: (outcome: Outcome) => Promise<void>,
  context: Context,
): Promise<void> {
  const { messages, clock, stop } = context;
  const send = async (progress: Tracker): Promise<void> => {
    const { concurrency } = await context.settings();
    const client = await context.client();
    const sending = { client, clock, concurrency: concurrency.value, stop, record };
    const applied = apply(steps, sending);
    let sent = 0;
    for (let next = await applied.next(); ; next = await applied.next()) {
      if (next.done) {
        if (next.value !== undefined) await messages.fail(next.value);
        return;
      }
      const { step, status } = next.value;
      await finish(next.value);
      if (isWrite(step) && status !== "skipped") progress.update({ done: ++sent });
    }
  };
  const of = steps.filter(isWrite).length;
  await withDeferredShutdown(context, () => showWork(doing, context, send, of));
}
