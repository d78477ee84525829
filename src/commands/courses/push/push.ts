/** `catalog courses push`: makes the catalog match the files. */
import { usageError } from "../../../base/errors.ts";
import { STANDARD_INPUT } from "../../../base/io.ts";
import { listSome } from "../../../base/text.ts";
import type { Flag, FlagValues, ParsedArguments } from "../../../command-support/arguments.ts";
import { checkSteps } from "../../../command-support/check-steps.ts";
import { command } from "../../../command-support/command.ts";
import { resolveLimit } from "../../../command-support/confirm-steps.ts";
import type { Context } from "../../../command-support/context.ts";
import { PATH_ARGUMENT, parsePaths } from "../../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../../command-support/exit-codes.ts";
import { FileCourse } from "../../../command-support/located.ts";
import { checkRunFlags, RECORD_FLAGS } from "../../../command-support/record-flag.ts";
import { REPORT_FLAG, requireDifferentFiles } from "../../../command-support/report-flag.ts";
import { countChanged, listOutcomes, RESULT_COLUMNS } from "../../../command-support/results.ts";
import { RULE_FLAGS, type RuleChoice, ruleChoice } from "../../../command-support/rule-choice.ts";
import { type RunState, runReported, withKnown } from "../../../command-support/run-report.ts";
import { listResults, runSteps, type StepRun } from "../../../command-support/run-steps.ts";
import { countSteps, findTarget } from "../../../command-support/show-steps.ts";
import { withDeferredShutdown } from "../../../command-support/work.ts";
import { type ChosenId, writeIds } from "../../../command-support/write-ids.ts";
import { hasJsonMessages } from "../../../output/formats.ts";
import { courseLabel, planSummary } from "../../../output/plan.ts";
import { describeCourse, planChange, type Step } from "../../../sync/step.ts";
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
import { PLAN_FLAGS, planPush, refuseDeletions } from "./plan-push.ts";
import { PROVIDER_FLAG } from "./read-sides.ts";
import { verifySteps } from "./verify.ts";

const FLAGS = [
  { name: "dry-run", description: "show the plan and send nothing" },
  { name: "prune", description: "delete courses of the files' providers that are in no file" },
  ...PLAN_FLAGS,
  PROVIDER_FLAG,
  { name: "yes", short: "y", description: "do not ask before deleting, or updating many courses" },
  { name: "fail-fast", excludes: ["dry-run"], description: "stop after the first failure" },
  {
    name: "shard",
    value: "<i/n>",
    // With only part of the files, unlisted courses cannot be determined.
    excludes: ["prune"],
    parse: parseShard,
    description: "push only part i of n of the files",
  },
  {
    name: "write-ids",
    excludes: ["dry-run"],
    description: "write the ids of courses into files that lack them",
  },
  {
    name: "verify",
    excludes: ["dry-run"],
    description: "read courses back after writing and compare them",
  },
  { ...OUT_FLAG, needs: ["dry-run"] },
  {
    ...PLAN_FLAG,
    // The plan decides what is done.
    excludes: [
      ...["prune", "complete", "shard", "write-ids", "out", "allow-recreate"],
      ...["provider", "base", "on-drift", "files-from", "sheet", "encoding"],
      ...RULE_FLAGS.map(({ name }) => name),
    ],
    description: "execute a plan of diff --out instead of reading files",
  },
  ...RULE_FLAGS,
  REPORT_FLAG,
  ...RECORD_FLAGS,
] as const satisfies readonly Flag[];

interface Options extends FlagValues<typeof FLAGS> {
  readonly paths: readonly string[];
  readonly rules: RuleChoice;
}

/** Sends GETs of the providers and courses, then POST, PATCH and, with `--prune`, DELETE. */
export const push = command({
  description:
    "Creates new courses and updates changed ones; fields that a file omits stay as they are. Nothing " +
    "is sent until every file has passed the checks. Repeating a push sends nothing for courses that " +
    "are already up to date.",
  arguments: [PATH_ARGUMENT],
  flags: FLAGS,
  columns: RESULT_COLUMNS,
  examples: [
    { description: "Show what would be done", line: "catalog courses push --dry-run courses/" },
    { description: "Push a folder", line: "catalog courses push courses/" },
    {
      description: "In a CI job, with the files as the single source of truth",
      line: "catalog courses push --prune --yes --verify courses/",
    },
    {
      description: "Execute a plan that was reviewed",
      line: "catalog courses push --plan plan.json",
    },
  ],
  exits: [...SERVICE_EXITS, 3, 7],
  parse: parseOptions,
  run: pushCourses,
});

function parseOptions(typed: ParsedArguments<typeof FLAGS>): Options {
  const { values } = typed;
  const paths = parsePaths(typed, values.filesFrom);
  requireOneSource({ ...values, paths });
  requireDifferentFiles(values.report, values.out, values.record);
  return { ...values, paths, rules: ruleChoice(values) };
}

/** One of several parts of the files, so that several jobs can push in parallel. */
function parseShard(text: string): { readonly part: number; readonly of: number } {
  const [, first, second] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const [part, of] = [Number(first), Number(second)];
  if (part >= 1 && part <= of) return { part, of };
  throw usageError(`--shard must be a part and a number of parts, such as 1/3: ${text}`);
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
  const plan = await planPush({ ...options, isApplied: !options.dryRun }, context);
  const { complete, scope, known } = plan;
  const appeared: string[] = [];
  const run: PushRun = {
    ...plan,
    questions: { ...questionsOf(options), scope },
    // Every run computes the same id, so another run may have created the course.
    whenExists: (step, { course, isSame }) => {
      if (isSame) appeared.push(courseLabel({ ...describeCourse(step), id: step.id }));
      return step.from === undefined ? step : planChange(step.from, course, { complete });
    },
  };
  const ended = await apply(run, options, known, context);
  if (appeared.length > 0) {
    const text = "Undo leaves alone what either this run or another one has created just now";
    await context.messages.info(`${text}: ${listSome(appeared)}.`);
  }
  if (options.out !== undefined) await savePlan(options.out, plan, context);
  return ended;
}

async function pushPlan(file: string, options: Options, context: Context): Promise<RunState> {
  const saved = loadPlan(file, context);
  await requireSameService(saved, context);
  const { scope } = saved;
  const check = { refuse: refuseStale };
  const steps = await checkSteps(saved.steps, check, context);
  const limit = options.maxDeletes ?? { amount: saved.maxDeletes };
  const most = Math.min(saved.maxDeletes, resolveLimit(scope.courses, limit));
  const refusal = refuseDeletions(steps, scope, most);
  // The plan names the account for which it was made; the key may be that of another one.
  const target = await findTarget(context);
  const questions = { ...questionsOf(options), scope, of: scope.courses };
  const run = { ...check, steps, refusal, questions };
  return await apply(run, options, { target }, context);
}

function questionsOf({ paths, filesFrom }: Options): StepRun["questions"] {
  return { updates: true, isInputData: [...paths, filesFrom].includes(STANDARD_INPUT) };
}

type PushRun = Omit<StepRun, "doing" | "shown" | "summarize">;

/** Applies the steps of files or of a plan, and does what `--write-ids` and `--verify` ask for. */
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
      // Whoever only checks a plan has not seen its values.
      shown: {
        as: options.plan !== undefined && options.dryRun ? "all values" : "lines",
        always: true,
      },
      // The plan has said so; programs always get the counts.
      summarize: (counts) =>
        run.steps.every(({ action }) => action === "unchanged") &&
        !hasJsonMessages(context.options.format)
          ? []
          : [listOutcomes(counts)],
    };
    const { results: outcomes, done, counts } = await runSteps(all, options, context);
    const outcome = options.dryRun
      ? `${sentence} Nothing was sent.`
      : countChanged(counts) + counts.failed === 0
        ? sentence
        : listOutcomes(counts);
    if (!options.dryRun && (options.writeIds || options.verify)) {
      await withDeferredShutdown(context, async () => {
        if (options.writeIds) await writeIds(listIds(done), context);
        if (options.verify && context.stop.reason === undefined) await verifySteps(done, context);
      });
    }
    return { ...known, steps, outcomes, outcome: [outcome] };
  });
}

/** The ids that the courses of files have. */
function listIds(steps: readonly Step[]): ChosenId[] {
  return steps.flatMap(({ id, from }) =>
    from instanceof FileCourse ? [{ source: from.source, id }] : [],
  );
}
