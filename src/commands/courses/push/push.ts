/** `catalog courses push`: makes the catalog match the files. */
import { usageError } from "../../../base/errors.ts";
import {
  type CommandWords,
  type Flag,
  type FlagValues,
  nonEmpty,
  type ParsedArguments,
} from "../../../command-support/arguments.ts";
import { command } from "../../../command-support/command.ts";
import type { Context } from "../../../command-support/context.ts";
import { PATH_ARGUMENTS, parsePaths } from "../../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../../command-support/exit-codes.ts";
import { checkRecordFile, RECORD_FLAG } from "../../../command-support/recording.ts";
import { REPORT_FLAG, requireDifferentFiles } from "../../../command-support/report-flag.ts";
import { checkResultOptions, RESULT_COLUMNS } from "../../../command-support/results.ts";
import { RULE_FLAGS, type RuleChoice, ruleChoice } from "../../../command-support/rule-choice.ts";
import { type RunState, runReported } from "../../../command-support/run-report.ts";
import { CourseIndex } from "../../../sync/identify.ts";
import { planChange, type Step } from "../../../sync/plan.ts";
import { readBeforeWriting, selectExisting } from "../read-courses.ts";
import { checkPlan } from "./check-plan.ts";
import { type ExecutablePlan, executePlan } from "./execute-plan.ts";
import { checkPlanFile, loadPlan, OUT_FLAG } from "./plan-file.ts";
import { reportFindings } from "./plan-findings.ts";
import { PLAN_FLAGS, planPush } from "./plan-push.ts";
import type { DesiredCourse, PushStep } from "./push-step.ts";

/** One of several parts of the files, so that several jobs can push in parallel. */
interface Shard {
  /** Counts from 1. */
  readonly part: number;
  readonly of: number;
}

const FLAGS = [
  { name: "dry-run", description: "show the plan and send nothing" },
  { name: "prune", description: "delete courses of the files' providers that are in no file" },
  ...PLAN_FLAGS,
  { name: "yes", short: "y", description: "do not ask before deleting" },
  { name: "fail-fast", description: "stop after the first failure" },
  {
    name: "shard",
    value: "<i/n>",
    parse: parseShard,
    description: "push only part i of n of the files",
  },
  { name: "write-ids", description: "write the ids of courses into files that lack them" },
  { name: "verify", description: "read courses back after writing and compare them" },
  OUT_FLAG,
  {
    name: "plan",
    value: "<file>",
    completes: "file",
    parse: nonEmpty,
    description: "execute a plan of diff --out instead of reading files",
  },
  ...RULE_FLAGS,
  REPORT_FLAG,
  RECORD_FLAG,
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
  // Without paths, --plan is needed.
  arguments: PATH_ARGUMENTS.map((argument) => ({ ...argument, required: false })),
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
  exits: [...SERVICE_EXITS, 3],
  parse: parseOptions,
  run: pushCourses,
});

function parseOptions(typed: ParsedArguments<typeof FLAGS>): Options {
  const { values } = typed;
  if (values.shard !== undefined && values.prune) {
    throw usageError(
      "--prune cannot be combined with --shard",
      "With only part of the files, unlisted courses cannot be determined.",
    );
  }
  if (values.out !== undefined && !values.dryRun) {
    throw usageError("--out writes the plan of a dry run", "Add --dry-run, or use courses diff.");
  }
  const paths = parsePaths(typed);
  requireOneSource(typed);
  requireDifferentFiles(values.report, values.out, values.record);
  return { ...values, paths, rules: ruleChoice(values) };
}

/** What cannot be combined with a plan, because the plan decides it. */
const DECIDED_BY_PLAN = ["prune", "complete", "shard", "write-ids", "out"];

/** Requires either files or a plan. @throws CatalogError of kind `usage` */
function requireOneSource({ arguments: paths, flags }: CommandWords): void {
  if (flags.plan === undefined) {
    if (paths.length > 0) return;
    throw usageError("missing argument <path...>", "Pass course files or folders, or --plan.");
  }
  if (paths.length > 0) {
    throw usageError("--plan cannot be combined with paths", "A plan contains its courses.");
  }
  const other = DECIDED_BY_PLAN.find((name) => flags[name] !== undefined);
  if (other === undefined) return;
  throw usageError(`--plan cannot be combined with --${other}`, "The plan decides what is done.");
}

function parseShard(text: string): Shard {
  const [, first, second] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const [part, of] = [Number(first), Number(second)];
  if (part >= 1 && part <= of) return { part, of };
  throw usageError(`--shard must be a part and a number of parts, such as 1/3: ${text}`);
}

async function pushCourses(options: Options, context: Context): Promise<void> {
  await runReported(options.report, context, async (update) => {
    checkResultOptions(context);
    checkRecordFile(options.record, context);
    checkPlanFile(options.out, context);
    const plan =
      options.plan === undefined
        ? await planFiles(options, update, context)
        : await checkPlan(await loadPlan(options.plan, context), context);
    await executePlan(plan, options, update, context);
  });
}

async function planFiles(
  options: Options,
  update: (state: RunState) => void,
  context: Context,
): Promise<ExecutablePlan> {
  const planned = await planPush(options, update, context);
  const { scope, complete } = planned;
  const steps = planned.steps.filter((step) => isInShard(step, options.shard));
  const adopted = options.writeIds ? [] : planned.adopted;
  const whenExists: ExecutablePlan["whenExists"] = ({ id, item }, exists) =>
    planChange(id, item, exists, complete);
  return {
    ...{ steps, scope, whenExists },
    report: () => reportFindings({ steps, adopted, scope }, options, context),
    readAgain: async () => ({ steps: await readDeleted(steps, context), whenExists }),
  };
}

function isInShard(step: Step<DesiredCourse>, shard: Shard | undefined): boolean {
  if (shard === undefined || step.action === "delete") return true;
  return step.item.fileNumber % shard.of === shard.part - 1;
}

/** The steps with the courses to delete as they are now, so that the record has what is deleted. */
async function readDeleted(
  steps: readonly PushStep[],
  context: Context,
): Promise<readonly PushStep[]> {
  const ids = steps.flatMap(({ action, id }) => (action === "delete" ? [id] : []));
  const now = new CourseIndex(selectExisting(await readBeforeWriting(ids, context)));
  return steps.map((step) =>
    step.action === "delete" ? { ...step, remote: now.find(step.id) ?? step.remote } : step,
  );
}
