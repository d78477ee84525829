/** Runs steps, for every command that changes the catalog: shows them, asks, applies, records and prints them. */
import type { CatalogError } from "../base/errors.ts";
import { formatNumber, pluralize } from "../base/text.ts";
import { apply, countOutcomes, type Outcome, planOutcomes } from "../core/apply.ts";
import { locateRefusal } from "../core/located.ts";
import type { RecordWriter } from "../core/record.ts";
import { countRisks, type DeletionScope, describeScope, type Many } from "../core/risks.ts";
import { isShown, isWrite, listChanges, type Step } from "../core/step.ts";
import type { Provider } from "../course/provider.ts";
import type { SourceCourse } from "../files/course-file.ts";
import { type CheckReport, describeTarget } from "../output/diagnostics.ts";
import {
  differencesText,
  listRisks,
  type PlanEntry,
  planLines,
  riskLines,
  summarize,
} from "../output/plan.ts";
import { requireYes } from "./ask.ts";
import type { Context } from "./context.ts";
import { openRecord, type RecordOptions, undoAdvice } from "./record.ts";
import { openResults } from "./show.ts";
import { type Advance, showWork, withDeferredShutdown } from "./work.ts";

type Facts = Omit<CheckReport, "providers" | "cards" | "results" | "plan">;

/** What is known about a run, to which its entries add what they find out. Reports are written from it when it ends. */
export interface Report extends Partial<{ -readonly [Name in keyof Facts]: Facts[Name] }> {
  sources?: readonly SourceCourse[];
  providers?: readonly Provider[] | undefined;
  /** Deletions come last. */
  steps?: readonly Step[];
  /** The field that changes in many courses. */
  many?: Many | undefined;
  /** What the deletions are chosen from. */
  scope?: DeletionScope;
  /** Why the steps must not be applied. They are shown before. */
  refusal?: CatalogError | undefined;
  /** In the order of the steps. */
  outcomes?: readonly Outcome[];
}

/** The flags of commands that change courses, and what differs between these commands. */
export interface Options extends RecordOptions {
  readonly yes?: boolean;
  /** The name of the work in the progress line: `Pushing`. */
  readonly doing: string;
  /** How the steps are shown before they are applied: their fields or values; a dry run always shows them. */
  readonly shown?: "lines" | "values" | undefined;
  /** The question that a run without `--yes` asks; by default, it only asks before deletions. */
  readonly question?: string;
  /** The text of an outcome on standard output without `--output`. */
  readonly plain?: (outcome: Outcome) => string;
}

/**
 * Applies the steps of the report, or shows them in a dry run. Failures of single steps are reported and counted.
 *
 * @returns the result of each step, in the order of the steps
 * @throws CatalogError if the run is refused or not confirmed
 */
export async function runSteps(
  report: Report,
  options: Options,
  context: Context,
): Promise<readonly Outcome[]> {
  const { steps = [], many, notices = [], refusal } = report;
  const { messages, stop } = context;
  const { dryRun: isDryRun = false } = options;
  const planned = planOutcomes(steps, "planned");
  const plan = summarize(countOutcomes(planned), true);
  report.outcome = [plan];
  const shown = options.shown ?? (isDryRun ? "lines" : undefined);
  if (shown !== undefined) {
    await showSteps(report, shown, isDryRun, context);
    await messages.info(plan, { counts: countOutcomes(planned) });
  }
  for (const { text } of notices) await messages.notice(text);
  if (refusal !== undefined) throw refusal;
  for (const { step, error } of planned) {
    if (error !== undefined) await messages.fail(await locateRefusal(error, step.from));
  }
  const target = steps.some(isWrite) ? await context.target() : undefined;
  if (target !== undefined) {
    report.target = target;
    await messages.info(`Target: ${describeTarget(target)}`, { target });
  }
  if (!isDryRun && options.yes !== true) await confirmRun(report, options, context);
  const results = await openResults(context);
  const outcomes: Outcome[] = [];
  const finish = async ({ step, status, error: found }: Outcome): Promise<void> => {
    const error = found && (await locateRefusal(found, step.from));
    const outcome = { step, status, error };
    outcomes.push(outcome);
    if (error !== undefined && step.action !== "refused") await messages.fail(error);
    await results.add(outcome, options.plain?.(outcome));
  };
  const carryOut = async (): Promise<void> => {
    const record = await openRecord(steps, options, context);
    try {
      if (isDryRun) for (const outcome of planned) await finish(outcome);
      else await applySteps(steps, options, record, finish, context);
      await results.end();
    } finally {
      record?.close();
    }
    const counts = countOutcomes(outcomes);
    const text = isDryRun ? plan : summarize(counts);
    report.outcomes = outcomes;
    report.outcome = [text];
    const next = record && undoAdvice(record, counts, context);
    // A run that was stopped prints its end even with `--quiet`.
    const print = (sentence: string, facts = {}): Promise<void> =>
      messages[stop.reason === undefined ? "info" : "important"](sentence, facts);
    const { json } = context.options;
    if (json || shown === undefined || text !== plan) {
      const facts = { counts, target: json ? await context.target() : undefined };
      await print(text, { ...facts, ...countRisks(steps, many), next });
    }
    if (!json && next !== undefined) await print(next);
  };
  // A stop signal waits for the counts and for how to undo.
  await (isDryRun ? carryOut() : withDeferredShutdown(context, carryOut));
  return outcomes;
}

/** The most courses of a plan that a run prints: on a terminal, and in a pipe. A dry run prints all. */
const [MOST, MOST_IN_PIPE] = [100, 1000];

/** Prints the risks, and one line per course that changes or its values, on standard error. */
async function showSteps(
  { steps = [], many }: Report,
  shown: Options["shown"],
  isComplete: boolean,
  { messages, options, io }: Context,
): Promise<void> {
  if (options.format !== undefined) return;
  const entries = toPlanEntries(steps);
  const most = isComplete ? Number.POSITIVE_INFINITY : io.err.isTerminal ? MOST : MOST_IN_PIPE;
  const first = entries.slice(0, most);
  await messages.show(async (styles) => {
    const lines =
      shown === "lines"
        ? planLines(first, styles)
        : (await differencesText(first, styles, io.err)).split("\n").slice(0, -1);
    const rest = entries.length - first.length;
    const more = rest > 0 ? [`… and ${formatNumber(rest)} more`] : [];
    return [...riskLines(listRisks(entries, many), styles, most), ...lines, ...more];
  });
}

/** The steps that change a course, as entries of a plan. */
export function toPlanEntries(steps: readonly Step[]): PlanEntry[] {
  return steps.filter(isShown).map((step): PlanEntry => {
    const { id, from, compared, risks } = step;
    // An update shows the name before the change.
    const before = step.action === "update" ? step.before.name : undefined;
    return {
      action: isWrite(step) ? step.action : "update",
      id,
      name: before ?? step.name,
      file: from?.file,
      changes: listChanges(step),
      note: compared?.event === undefined ? undefined : `${compared.event} in the catalog`,
      risks,
    };
  });
}

/** Asks before the steps are applied, if a question is needed. @throws CatalogError if the answer is not yes */
async function confirmRun(
  { steps = [], scope }: Report,
  { question }: Options,
  context: Context,
): Promise<void> {
  const deletions = steps.filter(({ action }) => action === "delete").length;
  if (!steps.some(isWrite) || (deletions === 0 && question === undefined)) return;
  const what =
    scope === undefined
      ? pluralize(deletions, "course")
      : `${formatNumber(deletions)} of ${describeScope(scope)}`;
  await requireYes(question ?? `Delete ${what}?`, context, deletions);
}

/** Sends the steps, and finishes each outcome. */
async function applySteps(
  steps: readonly Step[],
  { doing }: Options,
  record: RecordWriter | undefined,
  finish: (outcome: Outcome) => Promise<void>,
  context: Context,
): Promise<void> {
  const { messages } = context;
  const send = async (advance: Advance): Promise<void> => {
    const applied = apply(steps, await context.client(), record);
    let sent = 0;
    for (let next = await applied.next(); ; next = await applied.next()) {
      if (next.done) {
        if (next.value !== undefined) await messages.fail(next.value);
        return;
      }
      const { step, status } = next.value;
      await finish(next.value);
      if (isWrite(step) && status !== "skipped") advance({ done: ++sent });
    }
  };
  const of = steps.filter(isWrite).length;
  await showWork(doing, context, send, of);
}
