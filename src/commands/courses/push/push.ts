/** `catalog courses push`: makes the catalog match the files. */
import { usageError } from "../../../base/errors.ts";
import { STANDARD_INPUT } from "../../../base/io.ts";
import { pluralize } from "../../../base/text.ts";
import type {
  CommandWords,
  Flag,
  FlagValues,
  ParsedArguments,
} from "../../../command-support/arguments.ts";
import { requireConfirmable } from "../../../command-support/ask.ts";
import { command } from "../../../command-support/command.ts";
import type { Context } from "../../../command-support/context.ts";
import { PATH_ARGUMENTS, parsePaths } from "../../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../../command-support/exit-codes.ts";
import { checkRecordFile, RECORD_FLAG } from "../../../command-support/recording.ts";
import { REPORT_FLAG, requireDifferentFiles } from "../../../command-support/report-flag.ts";
import { checkResultOptions, RESULT_COLUMNS } from "../../../command-support/results.ts";
import { RULE_FLAGS, type RuleChoice, ruleChoice } from "../../../command-support/rule-choice.ts";
import { runReported } from "../../../command-support/run-report.ts";
import type { Course } from "../../../course/request-body.ts";
import { planSummary } from "../../../output/plan.ts";
import { planChange, type Step } from "../../../sync/plan.ts";
import { existingCourses, readBeforeWriting } from "../read-by-id.ts";
import { planResults, sendSteps, showResults } from "./apply-push.ts";
import { confirmDeletion, type DeletionScope, exceededLimit, warnAboutLimit } from "./deletion.ts";
import { executePlan } from "./execute-plan.ts";
import { OUT_FLAG, savePlan } from "./plan-file.ts";
import { reportAdopted, reportUnmanaged } from "./plan-findings.ts";
import { PLAN_FLAGS } from "./plan-flags.ts";
import { planPush } from "./plan-push.ts";
import { countSteps, type PushStep, type StepItem, showPlan } from "./push-step.ts";

/** One of several parts of the files, so that several jobs can push in parallel. */
interface Shard {
  /** Counts from 1. */
  readonly part: number;
  readonly of: number;
}

const FLAGS = [
  { name: "dry-run", description: "show the plan and send nothing" },
  { name: "prune", description: "delete courses of these providers that are not in any file" },
  PLAN_FLAGS.maxDeletes,
  PLAN_FLAGS.allowRecreate,
  PLAN_FLAGS.complete,
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
  requireDifferentFiles(values.report);
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
  const run = { targets: options.report, command: "catalog courses push" };
  await runReported(run, context, async (update) => {
    checkResultOptions(context);
    const { plan: planFile, out, record: file } = options;
    checkRecordFile(file, context);
    if (planFile !== undefined) {
      return await executePlan({ ...options, plan: planFile }, update, context);
    }
    const outputs = options.report.map((target) => target.file);
    const except = [...outputs, ...[out, file].filter((name) => name !== undefined)];
    const planned = await planPush({ ...options, except }, update, context);
    const steps = planned.steps.filter((step) => isInShard(step, options.shard));
    update({ outcomes: planResults(steps, "skipped") });
    await showPlan(steps, options.dryRun, context);
    if (!options.writeIds) await reportAdopted(planned.adopted, context);
    await reportUnmanaged(steps, context);
    const sentence = planSummary(countSteps(steps));
    const exceeded = exceededLimit(steps, planned.scope, options.maxDeletes);
    if (exceeded !== undefined && !options.dryRun) throw exceeded;
    if (options.dryRun) {
      if (exceeded !== undefined) await warnAboutLimit(exceeded, context);
      const outcomes = planResults(steps, "planned");
      if (options.out !== undefined) await savePlan(options.out, steps, context);
      update({ outcomes, outcome: [`${sentence} Nothing was sent.`] });
      await showResults(outcomes, context);
      return;
    }
    const confirmed = await confirmDeletions(steps, planned.scope, options, context);
    const courses = confirmed.map((step) => ("item" in step ? step.item.course : step.remote));
    const whenExists = ({ id, item }: Creation, exists: Course): Step<StepItem> =>
      planChange(id, item, exists, planned.complete);
    await sendSteps(confirmed, { ...options, courses, whenExists, sentence }, update, context);
  });
}

function isInShard(step: PushStep, shard: Shard | undefined): boolean {
  if (shard === undefined || step.action === "delete") return true;
  return step.item.fileNumber % shard.of === shard.part - 1;
}

type Creation = Extract<Step<StepItem>, { action: "create" }>;
type Deletion = Extract<PushStep, { action: "delete" }>;

function isDeletion(step: PushStep): step is Deletion {
  return step.action === "delete";
}

/** Asks before deletions; then reads the courses again, so that the record has what is deleted. */
async function confirmDeletions(
  steps: readonly PushStep[],
  scope: DeletionScope,
  { yes, paths }: Options,
  context: Context,
): Promise<readonly PushStep[]> {
  const deletions = steps.filter(isDeletion);
  if (deletions.length === 0) return steps;
  if (yes) return steps;
  const what = `deleting ${pluralize(deletions.length, "course")}`;
  requireConfirmable(what, context, paths.includes(STANDARD_INPUT));
  const courses = deletions.map(({ remote }) => remote);
  if (!(await confirmDeletion(courses, scope, context))) {
    throw usageError("nothing was sent: cancelled");
  }
  const ids = deletions.map(({ id }) => id);
  const read = await readBeforeWriting(ids, context);
  const now = new Map(existingCourses(read).map((course) => [course.id.toLowerCase(), course]));
  return steps.map((step) =>
    isDeletion(step) ? { ...step, remote: now.get(step.id) ?? step.remote } : step,
  );
}
