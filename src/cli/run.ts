/** Runs steps, for every command that changes the catalog: shows them, asks, applies, records and prints them. */
import { formatNumber, pluralize } from "../base/text.ts";
import { apply, countOutcomes, type Outcome, planOutcomes } from "../core/apply.ts";
import { locateError, locateRefusal } from "../core/located.ts";
import { countDeletions, describeConflict, describeScope, type Plan } from "../core/plan.ts";
import type { RecordWriter } from "../core/record.ts";
import { countRisks } from "../core/risks.ts";
import { isConflict, isShown, isWrite, listChanges, type Step } from "../core/step.ts";
import { courseLabel } from "../course/problem.ts";
import { describeTarget } from "../output/diagnostics.ts";
import {
  describeLeft,
  describeOutcomes,
  differencesText,
  listRisks,
  type PlanEntry,
  planLines,
  riskLines,
} from "../output/plan-text.ts";
import type { Styles } from "../output/text-measure.ts";
import { canAsk, requireYes } from "./ask.ts";
import type { Context } from "./context.ts";
import { openRecord, type RecordOptions, undoAdvice } from "./record.ts";
import { openResults } from "./results.ts";
import { type Advance, drain, showWork, withDeferredShutdown } from "./work.ts";

/** The flags of commands that change courses, and what differs between these commands. */
export interface Options extends RecordOptions {
  readonly yes?: boolean;
  /** The name of the work in the progress line: `Pushing`. */
  readonly doing: string;
  /** How the steps are shown before they are applied: their fields or values; a dry run always shows them. */
  readonly shown?: "lines" | "values" | undefined;
  /** The question that a run without `--yes` asks; by default, it only asks before deletions. */
  readonly question?: string;
  /** Whether a course to delete that is gone by then is an error. */
  readonly mustExist?: boolean;
  /** The text of an outcome on standard output without `--output`. */
  readonly plain?: (outcome: Outcome) => string;
}

/**
 * Applies the steps of a plan, or shows them in a dry run. Failures of single steps are reported and counted.
 *
 * @returns the result of each step, in the order of the steps
 * @throws CatalogError if the run is refused or not confirmed
 */
export async function runSteps(
  plan: Plan,
  options: Options,
  context: Context,
): Promise<readonly Outcome[]> {
  const question = options.dryRun || options.yes ? undefined : findQuestion(plan, options);
  await showPlan(plan, options, question, context);
  await refusePlan(plan, context);
  await reportRefused(plan.steps, context);
  await nameTarget(plan.steps, context);
  if (question !== undefined) await requireYes(question, context, countDeletions(plan.steps));
  const results = await openResults(context);
  const carryOut = async (): Promise<readonly Outcome[]> => {
    const record = await openRecord(plan, options, context);
    const outcomes = await sendSteps(plan.steps, options, results, record, context);
    await printCounts(plan, outcomes, options, record, context);
    return outcomes;
  };
  // A stop signal waits for the counts and for how to undo.
  return await (options.dryRun ? carryOut() : withDeferredShutdown(context, carryOut));
}

/** Ends a run whose plan must not be applied. @throws CatalogError after each conflict was reported at its place */
export async function refusePlan({ steps, refusal }: Plan, { messages }: Context): Promise<void> {
  for (const step of refusal?.kind === "drift" ? steps.filter(isConflict) : []) {
    await messages.fail(await locateError(describeConflict(step), step.from, []));
  }
  if (refusal !== undefined) throw refusal;
}

/** The question before the steps are applied; undefined if none is needed. */
function findQuestion({ steps, scope }: Plan, { question }: Options): string | undefined {
  const deletions = countDeletions(steps);
  if (!steps.some(isWrite)) return undefined;
  if (deletions === 0 || question !== undefined) return question;
  const what =
    scope === undefined
      ? pluralize(deletions, "course")
      : `${formatNumber(deletions)} of the ${describeScope(scope)}`;
  return `Delete ${what}?`;
}

/** The most courses of a plan that a run prints: on a terminal, and in a pipe. A dry run prints all. */
const [MOST, MOST_IN_PIPE] = [100, 1000];

/** Prints the risks, one line per course that changes or its values, and the counts, on standard error. */
async function showPlan(
  { steps, many, notices }: Plan,
  options: Options,
  question: string | undefined,
  context: Context,
): Promise<void> {
  const { messages, io } = context;
  const wanted = options.shown ?? (options.dryRun ? "lines" : undefined);
  const shown = wanted ?? (question === undefined ? undefined : "lines");
  const isAsked = question !== undefined && canAsk(context);
  const entries = toPlanEntries(steps);
  const limit = io.err.isTerminal ? MOST : MOST_IN_PIPE;
  const most = options.dryRun ? Number.POSITIVE_INFINITY : limit;
  const first = entries.slice(0, most);
  const linesOf = async (styles: Styles): Promise<readonly string[]> => {
    const lines =
      shown === "lines"
        ? planLines(first, styles)
        : (await differencesText(first, styles, io.err)).split("\n").slice(0, -1);
    const rest = entries.length - first.length;
    const more = rest > 0 ? [`… and ${formatNumber(rest)} more`] : [];
    return [...riskLines(listRisks(entries, many), styles, most), ...lines, ...more];
  };
  // A question follows what it asks about, in every format.
  if (isAsked || (shown !== undefined && context.options.format === undefined)) {
    await messages.show(linesOf, isAsked);
  }
  // JSON has the counts once, at the end, as a run that sends nothing.
  if (!context.options.json && !options.dryRun && wanted && steps.some(isWrite)) {
    await messages.info(describeOutcomes(planOutcomes(steps, "planned")));
  }
  await sayNotices({ steps, notices }, context);
}

/** Says what a plan leaves alone. Reports list what others changed, so they need no notice about it. */
export async function sayNotices(
  { steps, notices }: Pick<Plan, "steps" | "notices">,
  { messages }: Context,
): Promise<void> {
  for (const text of notices) await messages.notice(text);
  for (const step of steps) {
    if (step.action !== "refused" || step.reason === undefined) continue;
    const { from, reason } = step;
    await messages.notice(`${courseLabel(step)}: ${reason}`, from?.file, from?.line);
  }
  const left = describeLeft(steps);
  if (left !== undefined) await messages.info(left);
}

async function reportRefused(steps: readonly Step[], { messages }: Context): Promise<void> {
  for (const step of steps) {
    if (step.action !== "refused" || step.error === undefined) continue;
    await messages.fail(await locateRefusal(step.error, step.from));
  }
}

async function nameTarget(steps: readonly Step[], context: Context): Promise<void> {
  if (!steps.some(isWrite)) return;
  const target = await context.target();
  await context.messages.info(`Target: ${describeTarget(target)}`, { target });
}

/** The steps that change a course, as entries of a plan. */
export function toPlanEntries(steps: readonly Step[]): PlanEntry[] {
  return steps.filter(isShown).map((step): PlanEntry => {
    const { id, name, from, compared, risks } = step;
    const { event } = compared ?? {};
    // An update has these words at its fields.
    const changes = listChanges(step);
    const isSaid = event === "changed" && step.action !== "delete" && changes.length > 0;
    return {
      action: isWrite(step) ? step.action : "unchanged",
      id,
      name,
      file: from?.file,
      changes,
      note: event === undefined || isSaid ? undefined : `${event} in the catalog`,
      risks,
    };
  });
}

/**
 * Sends the steps, unless this is a dry run, and prints each result.
 *
 * @returns the results, each failure with its place
 */
async function sendSteps(
  steps: readonly Step[],
  { doing, dryRun, plain, mustExist }: Options,
  results: Awaited<ReturnType<typeof openResults>>,
  record: RecordWriter | undefined,
  context: Context,
): Promise<readonly Outcome[]> {
  const { messages } = context;
  const outcomes: Outcome[] = [];
  const finish = async ({ step, status, error: found }: Outcome): Promise<void> => {
    const error = found && (await locateRefusal(found, step.from));
    const outcome = { step, status, error };
    outcomes.push(outcome);
    if (error !== undefined && step.action !== "refused") await messages.fail(error);
    await results.add(outcome, plain?.(outcome));
  };
  const send = async (advance: Advance): Promise<void> => {
    let sent = 0;
    const applied = apply(steps, await context.client(), record, mustExist);
    const ending = await drain(applied, async (outcome) => {
      await finish(outcome);
      if (isWrite(outcome.step) && outcome.status !== "skipped") advance({ done: ++sent });
    });
    if (ending !== undefined) await messages.fail(ending);
  };
  const of = steps.filter(isWrite).length;
  try {
    if (dryRun) for (const outcome of planOutcomes(steps, "planned")) await finish(outcome);
    else await showWork(doing, context, send, of);
    await results.end();
  } finally {
    record?.close();
  }
  return outcomes;
}

/** Prints the counts, and how to undo the run. A run that was stopped prints both even with `--quiet`. */
async function printCounts(
  { steps, many }: Plan,
  outcomes: readonly Outcome[],
  options: Options,
  record: RecordWriter | undefined,
  context: Context,
): Promise<void> {
  const { messages, stop } = context;
  const { json } = context.options;
  const counts = countOutcomes(outcomes);
  const text = describeOutcomes(outcomes, options.dryRun);
  const next = record && undoAdvice(record, counts, context);
  const print = (sentence: string, facts = {}): Promise<void> =>
    messages[stop.reason === undefined ? "info" : "important"](sentence, facts);
  const facts = { counts, target: json ? await context.target() : undefined };
  await print(text, { ...facts, ...countRisks(steps, many), next });
  if (!json && next !== undefined) await print(next);
}
