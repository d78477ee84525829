/** `catalog courses diff`: shows what `push` would change, field by field. */
import { pluralize } from "../../base/text.ts";
import type { PlainObject } from "../../base/values.ts";
import { DRY_RUN_FLAG, type Flag, type FlagValues } from "../../command-support/arguments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { PATH_ARGUMENT, parsePaths } from "../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { REPORT_FLAG, requireDifferentFiles } from "../../command-support/report-flag.ts";
import { describeResult, type Result } from "../../command-support/results.ts";
import {
  type Ended,
  type RunState,
  runReported,
  withKnown,
} from "../../command-support/run-report.ts";
import { listResults } from "../../command-support/run-steps.ts";
import { rendererFor, type Showing } from "../../command-support/show.ts";
import { countSteps, toPlanEntries } from "../../command-support/show-steps.ts";
import { describeTarget, type Target } from "../../output/diagnostics.ts";
import { JSON_FORMAT, PRINTED_FORMATS } from "../../output/formats.ts";
import {
  differencesText,
  maskEntries,
  type PlanCounts,
  type PlanEntry,
  planSummary,
} from "../../output/plan.ts";
import { messageWrapper } from "../../output/text-measure.ts";
import type { Step } from "../../sync/step.ts";
import {
  checkPlanFile,
  loadPlan,
  OUT_FLAG,
  PLAN_FLAG,
  requireOneSource,
  savePlan,
} from "./push/plan-file.ts";
import { PLAN_FLAGS, planPush, refusePlan } from "./push/plan-push.ts";
import { PROVIDER_FLAG } from "./push/read-sides.ts";

const FLAGS = [
  { name: "exit-code", description: "exit with 7 if there are differences" },
  { name: "prune", description: "also show the courses that push --prune would delete" },
  ...PLAN_FLAGS,
  PROVIDER_FLAG,
  OUT_FLAG,
  {
    ...PLAN_FLAG,
    description: "show a plan written by diff --out; reads no files and needs no API key",
  },
  DRY_RUN_FLAG,
  REPORT_FLAG,
] as const satisfies readonly Flag[];

interface Options extends FlagValues<typeof FLAGS> {
  readonly paths: readonly string[];
}

/** The result of comparing files and catalog. */
interface Comparison {
  /** What reports contain. */
  readonly known: RunState;
  readonly target: Target;
  readonly counts: PlanCounts;
  readonly summary: string;
  /** The courses that differ, as text for people. */
  readonly entries: readonly PlanEntry[];
  /** The courses that differ, as rows for programs. */
  readonly rows: readonly PlainObject[];
  readonly notices: readonly string[];
  /** What is done after the comparison was shown. */
  readonly finish?: () => Promise<void>;
}

const COLUMNS: readonly string[] = ["id", "name", "file", "action", "fields"];
const ALL_COLUMNS: readonly string[] = [
  ...["id", "name", "url", "file", "line", "action", "status"],
  ...["fields", "unmanaged"],
];

/** Sends GETs of the providers and courses; with `--plan`, sends nothing. docs/how-to/ explains plans. */
export const diff = command({
  description: "Shows the old and new value of each field that differs. diff changes nothing.",
  arguments: [PATH_ARGUMENT],
  flags: FLAGS,
  output: { formats: PRINTED_FORMATS.differences, columns: ALL_COLUMNS, onRequest: true },
  examples: [
    { description: "Show what a push would change", line: "catalog courses diff courses/" },
    {
      description: "Save a plan for review, to apply with push --plan",
      line: "catalog courses diff courses/ --out plan.json --report markdown=plan.md",
    },
    {
      description: "Separate your changes from changes that others made in the catalog",
      line: "catalog courses diff courses/ --base .main/courses",
    },
    {
      description: "Show what others changed in the catalog",
      line: "catalog courses diff courses/ --base courses/",
    },
    { description: "Review a saved plan", line: "catalog courses diff --plan plan.json" },
    {
      description: "Fail a CI job if the files and the catalog differ",
      line: "catalog courses diff --exit-code courses/",
    },
  ],
  exits: [...SERVICE_EXITS, 3, 7],
  parse: ({ values, ...words }): Options => {
    const paths = parsePaths(words);
    requireOneSource({ ...values, paths }, "diff");
    requireDifferentFiles(values.report, values.out);
    return { ...values, paths };
  },
  run: (options, context) =>
    runReported(options.report, context, () => showDifferences(options, context)),
});

const DIFFERENCES = 7;

const SHOWING: Showing = {
  kind: "list",
  columns: COLUMNS,
  allColumns: ALL_COLUMNS,
  optional: ["file"],
};

async function showDifferences(options: Options, context: Context): Promise<Ended> {
  checkPlanFile(options.out, context);
  const compared = await compare(options, context);
  const { entries } = compared;
  const known = { ...compared.known, outcome: [compared.summary] };
  return await withKnown(
    () => known,
    async () => {
      await showComparison(compared, context);
      await compared.finish?.();
      const differs = options.exitCode && entries.length > 0;
      const isComplete = context.messages.kinds.length === 0;
      return { known, code: differs && isComplete ? DIFFERENCES : undefined };
    },
  );
}

/** What the flags select: a saved plan, or what a push would change. */
async function compare(options: Options, context: Context): Promise<Comparison> {
  if (options.plan !== undefined) {
    const saved = loadPlan(options.plan, context);
    const { steps, counts, target } = saved;
    await context.messages.info(`Target: ${describeTarget(target)}`, { target });
    return {
      ...(await compareSteps(steps, counts, { target }, options, context)),
      finish: async () => {
        const refusal = refusePlan(saved, options.maxDeletes);
        if (refusal !== undefined) throw refusal;
      },
    };
  }
  const plan = await planPush(options, context);
  const { steps } = plan;
  const notices = [...plan.notices, ...describeUnlisted(plan.unlisted)];
  return {
    ...(await compareSteps(steps, countSteps(steps), { ...plan, notices }, options, context)),
    finish: async () => {
      if (plan.refusal !== undefined) throw plan.refusal;
      if (options.out !== undefined) await savePlan(options.out, plan, context);
    },
  };
}

/** @param compared the steps with what changed in the catalog since `--base`, which a push may keep */
async function compareSteps(
  steps: readonly Step[],
  counts: PlanCounts,
  {
    target,
    compared = steps,
    known = { target },
    notices = [],
  }: Pick<Comparison, "target"> & Partial<Comparison> & { readonly compared?: readonly Step[] },
  options: Options,
  { options: { format } }: Context,
): Promise<Comparison> {
  const entries = await toPlanEntries(compared);
  const outcomes = listResults(steps, "planned");
  const needsRows = options.report.length > 0 || format !== undefined;
  const rows = needsRows ? await differenceRows(outcomes, entries) : [];
  const changed = rows.filter(({ action, fields }) => action !== "unchanged" || fields.length > 0);
  const reported = changed.map(({ status: _, unmanaged: __, ...step }) => step);
  return {
    known: { ...known, outcomes, steps: compared, plan: { counts, steps: reported } },
    ...{ target, counts, notices, summary: summarize(counts, steps, compared), entries },
    rows: format === JSON_FORMAT ? rows : changed,
  };
}

/** The summary of the plan, and how many courses only the catalog has changed since `--base`. */
function summarize(counts: PlanCounts, steps: readonly Step[], compared: readonly Step[]): string {
  const kept = steps.filter(
    ({ action }, index) => action === "unchanged" && compared[index]?.action !== action,
  ).length;
  if (kept === 0) return planSummary(counts);
  const summary = planSummary({ ...counts, unchanged: counts.unchanged - kept });
  return `${summary} ${pluralize(kept, "course")} changed only in the catalog.`;
}

async function showComparison(
  { entries, rows, summary, counts, target, notices }: Comparison,
  context: Context,
): Promise<void> {
  const { clock, io, messages, options, styles } = context;
  if (options.format === undefined) {
    const shown = maskEntries(entries, io.out.mask);
    const wrap = await messageWrapper(io.out);
    const text = await differencesText(shown, styles, io.out, clock.monotonic);
    await io.out.write(`${text}${entries.length > 0 ? "\n" : ""}${wrap(summary)}\n`);
  } else {
    const renderer = await rendererFor(SHOWING, context);
    await renderer.rows(rows);
    await renderer.end();
    if (entries.length === 0 || options.json) {
      await messages.info(summary, { counts, target });
    }
  }
  for (const notice of notices) await messages.info(notice);
}

/** The notice about courses that `push --prune` would delete; none if there are no such courses. */
function describeUnlisted(amount: number): string[] {
  if (amount === 0) return [];
  const [are, them] = amount === 1 ? ["is", "it"] : ["are", "them"];
  return [`${pluralize(amount, "course")} ${are} only in the catalog. --prune shows ${them}.`];
}

/** One row per course that changes, or that has fields which are missing from its file. */
async function differenceRows(results: readonly Result[], entries: readonly PlanEntry[]) {
  const changes = new Map(entries.map(({ id, changes }) => [id.toLowerCase(), changes]));
  const shown = results.filter(
    ({ id, action, unmanaged }) => action !== "unchanged" || unmanaged || changes.has(id ?? ""),
  );
  return await Promise.all(
    shown.map(async (result) => {
      const { action, status, unmanaged } = result;
      const fields = changes.get(result.id ?? "") ?? [];
      return { ...(await describeResult(result)), action, status, fields, unmanaged };
    }),
  );
}
