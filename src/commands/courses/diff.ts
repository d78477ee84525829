/** `catalog courses diff`: shows what `push` would change, field by field. */
import { pluralize } from "../../base/text.ts";
import { DRY_RUN_FLAG, type Flag } from "../../cli/arguments.ts";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { PATH_ARGUMENT } from "../../cli/course-files.ts";
import { type Report, toPlanEntries } from "../../cli/run.ts";
import { RESULT_COLUMNS, rendererFor, toRow } from "../../cli/show.ts";
import { REPORT_FLAG, reporting } from "../../cli/write-reports.ts";
import { countOutcomes, planOutcomes } from "../../core/apply.ts";
import { countRisks } from "../../core/risks.ts";
import { isShown, isWrite, listChanges } from "../../core/step.ts";
import { JSON_FORMAT, PRINTED_FORMATS } from "../../output/formats.ts";
import { differencesText, listRisks, riskLines, summarize } from "../../output/plan.ts";
import { messageWrapper } from "../../output/text-measure.ts";
import {
  OUT_FLAG,
  PLAN_FLAG,
  PLAN_FLAGS,
  parsePaths,
  planFiles,
  readPlan,
  savePlan,
} from "./plan-files.ts";

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

const COLUMNS = [...RESULT_COLUMNS, "fields"];

const DIFFERENCES = 7;

/** Sends GETs of the providers and courses; with `--plan`, sends nothing. docs/how-to/ explains plans. */
export const diff = command({
  description: "Shows the old and new value of each field that differs. diff changes nothing.",
  arguments: [PATH_ARGUMENT],
  flags: FLAGS,
  output: { formats: PRINTED_FORMATS.differences, columns: COLUMNS, onRequest: true },
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
  parse: ({ values, arguments: words }) => ({ ...values, paths: parsePaths(words, values) }),
  run: (options, context) =>
    reporting(options.report, context, async (report) => {
      if (options.plan === undefined) await planFiles(options, report, context);
      else await readPlan(options.plan, false, report, context);
      const differs = await showDifferences(report, context);
      if (report.refusal !== undefined) throw report.refusal;
      if (options.out !== undefined) await savePlan(options.out, report, context);
      const isComplete = context.messages.kinds.length === 0;
      return options.exitCode && differs && isComplete ? DIFFERENCES : undefined;
    }),
});

/** Prints the plan. @returns whether the files and the catalog differ */
async function showDifferences(report: Report, context: Context): Promise<boolean> {
  const { io, messages, options, styles } = context;
  const { steps = [], notices = [], many, target } = report;
  const { format } = options;
  const outcomes = planOutcomes(steps, "planned");
  const entries = toPlanEntries(steps);
  const counts = countOutcomes(outcomes);
  const left = steps.filter((step) => !isWrite(step) && isShown(step)).length;
  const changed = summarize({ ...counts, unchanged: counts.unchanged - left }, true);
  const only = `${pluralize(left, "course")} changed only in the catalog.`;
  const summary = left === 0 ? changed : `${changed} ${only}`;
  report.outcomes = outcomes;
  report.outcome = [summary];
  if (format === undefined) {
    const wrap = await messageWrapper(io.out);
    const risks = riskLines(listRisks(entries, many), styles).map((line) => `${wrap(line, 4)}\n`);
    const text = await differencesText(entries, styles, io.out);
    const parts = [risks.join(""), text, `${wrap(summary)}\n`];
    await io.out.write(parts.filter((part) => part !== "").join("\n"));
  } else {
    const renderer = await rendererFor({ kind: "list", columns: COLUMNS }, context);
    // JSON also has a course with fields that its file lacks.
    const shown = outcomes.filter(
      ({ step }) =>
        isShown(step) ||
        step.action === "refused" ||
        (format === JSON_FORMAT && "unmanaged" in step && step.unmanaged !== undefined),
    );
    const rows = shown.map((each) => ({ ...toRow(each), fields: listChanges(each.step) }));
    await renderer.rows(rows);
    await renderer.end();
    if (entries.length === 0 || options.json) {
      await messages.info(summary, { counts, target, ...countRisks(steps, many) });
    }
  }
  for (const { text } of notices) await messages.notice(text);
  return entries.length > 0;
}
