/** `catalog courses push`: makes the catalog match the files. docs/how-to/ explains plans and deletions. */
import { STANDARD_INPUT } from "../../../base/io.ts";
import {
  DRY_RUN_FLAG,
  type Flag,
  type ParsedArguments,
} from "../../../command-support/arguments.ts";
import { checkSteps } from "../../../command-support/check-steps.ts";
import { command } from "../../../command-support/command.ts";
import type { Context } from "../../../command-support/context.ts";
import { PATH_ARGUMENT, parsePaths } from "../../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../../command-support/exit-codes.ts";
import { FileCourse } from "../../../command-support/located.ts";
import { checkRunFlags, RECORD_FLAGS } from "../../../command-support/record-flag.ts";
import { REPORT_FLAG, requireDifferentFiles } from "../../../command-support/report-flag.ts";
import { countChanged, describeOutcomes, RESULTS } from "../../../command-support/results.ts";
import { IGNORE_FLAG } from "../../../command-support/rule-choice.ts";
import { type RunState, runReported, withKnown } from "../../../command-support/run-report.ts";
import { listResults, runSteps, type StepRun } from "../../../command-support/run-steps.ts";
import { countSteps, findTarget } from "../../../command-support/show-steps.ts";
import { withDeferredShutdown } from "../../../command-support/work.ts";
import { type ChosenId, writeIds } from "../../../command-support/write-ids.ts";
import { planSummary } from "../../../output/plan.ts";
import type { Step } from "../../../sync/step.ts";
import {
  checkPlanFile,
  loadPlan,
  OUT_FLAG,
  PLAN_FLAG,
  refuseStale,
  requireOneSource,
  requireSameService,
  savePlan,
} from "./plan-file.ts";
import { PLAN_FLAGS, planPush, refusePlan } from "./plan-push.ts";
import { PROVIDER_FLAG } from "./read-sides.ts";

const FLAGS = [
  DRY_RUN_FLAG,
  {
    name: "prune",
    description:
      "delete courses that are in none of the files (only for providers named in the files)",
  },
  ...PLAN_FLAGS,
  PROVIDER_FLAG,
  { name: "yes", short: "y", description: "do not ask before deleting courses or updating many" },
  { name: "write-ids", description: "add missing ids to the files" },
  { ...OUT_FLAG, needs: "dry-run" },
  { ...PLAN_FLAG, description: "apply a plan written by diff --out; reads no files" },
  IGNORE_FLAG,
  REPORT_FLAG,
  ...RECORD_FLAGS,
] as const satisfies readonly Flag[];

type Options = ReturnType<typeof parseOptions>;

/** Sends GETs of the providers and courses, then POST, PATCH and, with `--prune`, DELETE. */
export const push = command({
  description:
    "Creates new courses and updates changed courses. Fields that are missing from a file stay as they are, " +
    "and without --prune, push deletes nothing. If one file has an error, nothing is sent. If a push ends " +
    "halfway, push again: it sends only what is left, and creates no course twice.",
  arguments: [PATH_ARGUMENT],
  flags: FLAGS,
  output: RESULTS,
  examples: [
    { description: "Show what would change", line: "catalog courses push --dry-run courses/" },
    { description: "Push a folder", line: "catalog courses push courses/" },
    {
      description: "In a CI job: make the catalog exactly what the files say",
      line: "catalog courses push --prune --yes courses/",
    },
    { description: "Apply a reviewed plan", line: "catalog courses push --plan plan.json" },
  ],
  exits: [...SERVICE_EXITS, 3, 7],
  parse: parseOptions,
  run: pushCourses,
});

function parseOptions(typed: ParsedArguments<typeof FLAGS>) {
  const { values } = typed;
  const paths = parsePaths(typed);
  requireOneSource({ ...values, paths }, "push");
  requireDifferentFiles(values.report, values.out, values.record);
  return { ...values, paths };
}

async function pushCourses(options: Options, context: Context): Promise<number | undefined> {
  return await runReported(options.report, context, async () => {
    checkRunFlags(options, context);
    checkPlanFile(options.out, context);
    const known =
      options.plan === undefined
        ? await pushFiles(options, context)
        : await pushPlan(options.plan, options, context);
    return { known };
  });
}

async function pushFiles(options: Options, context: Context): Promise<RunState> {
  const plan = await planPush(options, context);
  const { scope, known } = plan;
  const run: PushRun = { ...plan, questions: { ...questionsOf(options), scope } };
  const ended = await apply(run, options, known, context);
  if (options.out !== undefined) await savePlan(options.out, plan, context);
  return ended;
}

async function pushPlan(file: string, options: Options, context: Context): Promise<RunState> {
  const saved = loadPlan(file, context);
  await requireSameService(saved, context);
  const { scope } = saved;
  const check = { refuse: refuseStale };
  const steps = await checkSteps(saved.steps, check, context);
  const refusal = refusePlan({ ...saved, steps }, options.maxDeletes);
  // The plan names the account that it was made with; the API key may belong to another account.
  const target = await findTarget(context);
  const questions = { ...questionsOf(options), scope, of: scope.courses };
  const run = { ...check, steps, refusal, questions };
  return await apply(run, options, { target }, context);
}

function questionsOf({ paths }: Options): StepRun["questions"] {
  return { updates: true, isInputData: paths.includes(STANDARD_INPUT) };
}

type PushRun = Omit<StepRun, "doing" | "shown" | "summarize">;

/** Applies the steps of files or of a plan, then writes ids if the flag says so. */
async function apply(
  run: PushRun,
  options: Options,
  known: RunState,
  context: Context,
): Promise<RunState> {
  const sentence = planSummary(countSteps(run.steps));
  const { steps } = run;
  const skipped = (): RunState => ({ ...known, steps, outcomes: listResults(steps, "skipped") });
  return await withKnown(skipped, async () => {
    const all: StepRun = {
      ...run,
      doing: "Pushing",
      // A dry run of a plan shows values, because the user has not seen them yet.
      shown: {
        as: options.plan !== undefined && options.dryRun ? "all values" : "lines",
        always: true,
      },
      // If nothing changes, the plan already says so. Programs always get the counts.
      summarize: (counts) =>
        run.steps.every(({ action }) => action === "unchanged") && !context.options.json
          ? []
          : [describeOutcomes(counts)],
    };
    const { results: outcomes, done, counts } = await runSteps(all, options, context);
    const outcome = options.dryRun
      ? `${sentence} Nothing was sent.`
      : countChanged(counts) + counts.failed === 0
        ? sentence
        : describeOutcomes(counts);
    if (!options.dryRun && options.writeIds) {
      await withDeferredShutdown(context, () => writeIds(listIds(done), context));
    }
    return { ...known, steps, outcomes, outcome: [outcome] };
  });
}

function listIds(steps: readonly Step[]): ChosenId[] {
  return steps.flatMap(({ id, from }) =>
    from instanceof FileCourse ? [{ source: from.source, id }] : [],
  );
}
