/** `catalog courses diff`: shows what `push` would change, field by field. */
import { usageError } from "../../base/errors.ts";
import { pluralize } from "../../base/text.ts";
import type { Flag, FlagValues } from "../../command-support/arguments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { PATH_ARGUMENTS, parsePaths } from "../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { CHANGES_FIELDS, withoutFields } from "../../command-support/fields-flag.ts";
import { REPORT_FLAG, requireDifferentFiles } from "../../command-support/report-flag.ts";
import { describeResult, type Result } from "../../command-support/results.ts";
import {
  type Ended,
  type RunState,
  runReported,
  withKnown,
} from "../../command-support/run-report.ts";
import { listResults } from "../../command-support/run-steps.ts";
import { checkNamedFormat, rendererFor, type Showing } from "../../command-support/show.ts";
import { countSteps, toPlanEntries } from "../../command-support/show-steps.ts";
import { describeTarget } from "../../output/diagnostics.ts";
import { hasJsonMessages } from "../../output/formats.ts";
import {
  differencesText,
  maskEntries,
  type PlanEntry,
  planLines,
  planSummary,
} from "../../output/plan.ts";
import {
  checkPlanFile,
  loadPlan,
  OUT_FLAG,
  PLAN_FLAG,
  requireOneSource,
  savePlan,
} from "./push/plan-file.ts";
import { PLAN_FLAGS, planPush } from "./push/plan-push.ts";

const FLAGS = [
  { name: "exit-code", description: "exit with 7 if there are differences" },
  { name: "stat", description: "show one line per course, naming the fields that differ" },
  { name: "prune", description: "also show what push --prune would delete" },
  ...PLAN_FLAGS,
  OUT_FLAG,
  {
    ...PLAN_FLAG,
    // What a plan contains is already decided.
    excludes: ["prune", "complete", "max-deletes", "allow-recreate", "out"],
    description: "show a plan of diff --out instead of comparing files; needs no key",
  },
  REPORT_FLAG,
] as const satisfies readonly Flag[];

interface Options extends FlagValues<typeof FLAGS> {
  readonly paths: readonly string[];
}

const COLUMNS: readonly string[] = ["id", "name", "file", "action", "fields"];
const ALL_COLUMNS: readonly string[] = [
  ...["id", "name", "url", "file", "line", "action", "status"],
  ...["fields", "unmanaged"],
];

/** Sends GETs of the providers and courses, with `--plan` nothing, and never writes. */
export const diff = command({
  description: "Shows the old and new value of each field that differs. Nothing is sent.",
  // Without paths, --plan is needed.
  arguments: PATH_ARGUMENTS.map((argument) => ({ ...argument, required: false })),
  flags: FLAGS,
  columns: ALL_COLUMNS,
  examples: [
    { description: "Show what a push would change", line: "catalog courses diff courses/" },
    {
      description: "Write a plan for review, which push --plan executes",
      line: "catalog courses diff courses/ --out plan.json --report markdown=plan.md",
    },
    { description: "Show a plan for review", line: "catalog courses diff --plan plan.json" },
    {
      description: "Fail a CI job if the files and the catalog differ",
      line: "catalog courses diff --exit-code courses/",
    },
  ],
  isLong: () => true,
  exits: [...SERVICE_EXITS, 3, 7],
  parse: ({ values, ...words }): Options => {
    const paths = parsePaths(words);
    requireOneSource(paths, values.plan);
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
  inside: {
    ...withoutFields(ALL_COLUMNS),
    fields: CHANGES_FIELDS,
  },
};

async function showDifferences(options: Options, context: Context): Promise<Ended> {
  const { io, options: globals, messages } = context;
  checkNamedFormat(SHOWING, globals);
  if (options.stat && globals.format !== undefined) {
    throw usageError(
      "--stat cannot be combined with --output",
      "Use --fields to choose what is shown.",
    );
  }
  checkPlanFile(options.out, context);
  const plan = await findPlan(options, context);
  const { steps, target, counts } = plan;
  const entries = await toPlanEntries(steps);
  const summary = planSummary(counts);
  const outcomes = listResults(steps, "planned");
  const needsRows = options.report.length > 0 || globals.format !== undefined;
  const rows = needsRows ? await differenceRows(outcomes, entries) : [];
  const changed = rows.flatMap(({ action, fields, status: _, unmanaged: __, ...course }) =>
    action === "unchanged" ? [] : [{ ...course, action, fields }],
  );
  const known = {
    ...plan.known,
    ...{ outcomes, outcome: [summary] },
    plan: { counts, steps: changed },
  };
  return await withKnown(
    () => known,
    async () => {
      if (globals.format === undefined) {
        const styles = context.styles;
        const shown = maskEntries(entries, io.out.mask);
        const text = options.stat
          ? planLines(shown, styles)
              .map((line) => `${line}\n`)
              .join("")
          : await differencesText(shown, styles, context.clock.monotonic);
        await io.out.write(text);
        await io.out.write(`${entries.length > 0 && !options.stat ? "\n" : ""}${summary}\n`);
      } else {
        const renderer = await rendererFor(SHOWING, context);
        await renderer.rows(rows);
        await renderer.end();
        if (entries.length === 0 || hasJsonMessages(globals.format)) {
          await messages.info(summary, { counts, target });
        }
      }
      for (const notice of [...plan.notices, ...describeUnlisted(plan.unlisted)]) {
        await messages.info(notice);
      }
      if (plan.refusal !== undefined) throw plan.refusal;
      if (options.out !== undefined) await savePlan(options.out, plan, context);
      return { known, code: options.exitCode && entries.length > 0 ? DIFFERENCES : undefined };
    },
  );
}

/** A new plan of the files, or the one of `--plan`. */
async function findPlan(options: Options, context: Context) {
  if (options.plan === undefined) {
    const plan = await planPush(options, context);
    return { ...plan, counts: countSteps(plan.steps) };
  }
  const saved = loadPlan(options.plan, context);
  const { target } = saved;
  await context.messages.info(`Target: ${describeTarget(target)}`, { target });
  const known: RunState = { target };
  return { ...saved, known, notices: [], unlisted: 0, refusal: undefined };
}

/** The courses that `push --prune` would delete. */
function describeUnlisted(amount: number): string[] {
  if (amount === 0) return [];
  const are = amount === 1 ? "is" : "are";
  return [
    `${pluralize(amount, "course")} ${are} only in the catalog; --prune shows ${amount === 1 ? "it" : "them"}.`,
  ];
}

/** One row per course that changes, or has fields that its file leaves out. */
async function differenceRows(results: readonly Result[], entries: readonly PlanEntry[]) {
  const changes = new Map(entries.map(({ id, changes }) => [id.toLowerCase(), changes]));
  const shown = results.filter(({ action, unmanaged }) => action !== "unchanged" || unmanaged);
  return await Promise.all(
    shown.map(async (result) => {
      const { action, status, unmanaged } = result;
      const fields = changes.get(result.id ?? "") ?? [];
      return { ...(await describeResult(result)), action, status, fields, unmanaged };
    }),
  );
}
