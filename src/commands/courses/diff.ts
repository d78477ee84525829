/** `catalog courses diff`: shows what `push` would change, field by field. */
import { DRY_RUN_FLAG, type Flag, REPORT_FLAG, type Typed } from "../../cli/arguments.ts";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { PATH_ARGUMENT } from "../../cli/course-files.ts";
import { printRows, RESULT_COLUMNS } from "../../cli/results.ts";
import { refusePlan, sayNotices, toPlanEntries } from "../../cli/run.ts";
import type { Findings, Stages } from "../../cli/work.ts";
import { countOutcomes, type Outcome, planOutcomes } from "../../core/apply.ts";
import type { Plan } from "../../core/plan.ts";
import { countRisks } from "../../core/risks.ts";
import { isShown, listChanges } from "../../core/step.ts";
import { toRow } from "../../output/diagnostics.ts";
import { PRINTED_FORMATS } from "../../output/formats.ts";
import { describeOutcomes, differencesText, listRisks, riskLines } from "../../output/plan-text.ts";
import { messageWrapper } from "../../output/text-measure.ts";
import {
  OUT_FLAG,
  PLAN_FLAG,
  PLAN_FLAGS,
  planFiles,
  readPlan,
  requirePaths,
  savePlan,
} from "./plan-push.ts";

const FLAGS = [
  { name: "exit-code", description: "exit with 7 if there are differences" },
  { name: "prune", description: "also show the courses that push --prune would delete" },
  ...PLAN_FLAGS,
  OUT_FLAG,
  DRY_RUN_FLAG,
  {
    ...PLAN_FLAG,
    description: "show a plan written by diff --out; reads no files and needs no API key",
  },
  REPORT_FLAG,
] as const satisfies readonly Flag[];

const DIFFERENCES = 7;

/** Sends GETs of the providers and courses; with `--plan`, sends nothing. docs/how-to/ explains plans. */
export const diff = command({
  description: "Shows the old and new value of each field that differs. diff changes nothing.",
  arguments: [PATH_ARGUMENT],
  flags: FLAGS,
  output: {
    formats: PRINTED_FORMATS.differences,
    columns: [...RESULT_COLUMNS, "fields"],
    onRequest: true,
  },
  examples: {
    "Show what a push would change": "catalog courses diff courses/",
    "Save a plan for review, to apply with push --plan":
      "catalog courses diff courses/ --out plan.ndjson --report markdown=plan.md",
    "Separate your changes from changes that others made in the catalog":
      "catalog courses diff courses/ --base .main/courses",
    "Show what others changed in the catalog": "catalog courses diff courses/ --base courses/",
    "Review a saved plan": "catalog courses diff --plan plan.ndjson",
    "Fail a CI job if the files and the catalog differ":
      "catalog courses diff --exit-code courses/",
  },
  parse: requirePaths,
  run: showPlan,
});

async function* showPlan(
  options: Typed<typeof FLAGS>,
  context: Context,
): Stages<number | undefined> {
  const plan = yield* options.plan === undefined
    ? planFiles(options, context)
    : readPlan(options.plan, false, context);
  const outcomes = planOutcomes(plan.steps, "planned");
  yield { plan, outcomes };
  // A plan that was read is shown without a request.
  const target = options.plan === undefined ? await context.target() : undefined;
  const differs = await showDifferences(plan, { outcomes, target }, context);
  await refusePlan(plan, context);
  if (options.out !== undefined) yield { planText: await savePlan(options.out, plan, context) };
  return options.exitCode && differs ? DIFFERENCES : undefined;
}

/** Prints the plan. @returns whether the files and the catalog differ */
async function showDifferences(
  { steps, notices, many }: Plan,
  { outcomes, target }: Pick<Findings, "target"> & { readonly outcomes: readonly Outcome[] },
  context: Context,
): Promise<boolean> {
  const { io, messages, options, styles } = context;
  const { format } = options;
  const entries = toPlanEntries(steps);
  const summary = describeOutcomes(outcomes);
  if (format === undefined) {
    const wrap = await messageWrapper(io.out);
    const risks = riskLines(listRisks(entries, many), styles).map((line) => `${wrap(line, 4)}\n`);
    const text = await differencesText(entries, styles, io.out);
    const parts = [risks.join(""), text, `${wrap(summary)}\n`];
    await io.out.write(parts.filter((part) => part !== "").join("\n"));
  } else {
    // JSON also has a course with fields that its file lacks.
    const shown = outcomes.filter(
      ({ step }) =>
        isShown(step) ||
        step.action === "refused" ||
        (format === "json" && "unmanaged" in step && step.unmanaged !== undefined),
    );
    const rows = shown.map((each) => ({ ...toRow(each), fields: listChanges(each.step) }));
    await printRows(rows, {}, context);
    if (entries.length === 0 || options.json) {
      const counts = countOutcomes(outcomes);
      await messages.info(summary, { counts, target, ...countRisks(steps, many) });
    }
  }
  await sayNotices({ steps, notices }, context);
  return entries.length > 0;
}
