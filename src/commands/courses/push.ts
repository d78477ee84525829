/** `catalog courses push`: makes the catalog match the files. */
import { usageError } from "../../base/errors.ts";
import { formatNumber, pluralize } from "../../base/text.ts";
import type { ParsedArguments } from "../../command-support/arguments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { PATH_ARGUMENTS, parsePaths } from "../../command-support/course-files.ts";
import { withDeferredShutdown } from "../../command-support/deferred-shutdown.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { getString, isSet } from "../../command-support/flag-values.ts";
import {
  checkRecordFile,
  parseRecordFile,
  RECORD_FLAG,
  withRecording,
} from "../../command-support/recording.ts";
import { parseReports, REPORT_FLAG, type ReportTarget } from "../../command-support/report-flag.ts";
import { checkResultOptions, RESULT_COLUMNS } from "../../command-support/results.ts";
import { runReported } from "../../command-support/run-report.ts";
import { hasJsonMessages } from "../../output/formats.ts";
import { planLines, planSummary } from "../../output/plan.ts";
import { verifySteps, writeMissingIds } from "./after-push.ts";
import { applySteps, planResults, showResults } from "./apply-push.ts";
import { confirmDeletion } from "./confirm-deletion.ts";
import { requireConfirmableDeletion } from "./deletion.ts";
import { type DeletionScope, exceededLimit, warnAboutLimit } from "./deletion-limit.ts";
import { reportAdopted, reportUnmanaged } from "./plan-findings.ts";
import { PLAN_FLAGS, type PlanChoices, parsePlanChoices } from "./plan-flags.ts";
import { countSteps, planPush, toPlanEntries } from "./plan-push.ts";
import type { PushStep } from "./push-step.ts";
import { existingCourses, readBeforeWriting } from "./read-by-id.ts";

/** One of several parts of the files, so that several jobs can push in parallel. */
interface Shard {
  /** Counts from 1. */
  readonly part: number;
  readonly of: number;
}

interface Options extends PlanChoices {
  readonly paths: readonly string[];
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly failFast: boolean;
  readonly writeIds: boolean;
  readonly verify: boolean;
  readonly shard: Shard | undefined;
  readonly reports: readonly ReportTarget[];
  readonly record: string | undefined;
}

/** Sends GETs of the providers and courses, then POST, PATCH and, with `--prune`, DELETE. */
export const push = command({
  description:
    "Creates new courses and updates changed ones; fields that a file omits stay as they are. Nothing " +
    "is sent until every file has passed the checks. Repeating a push sends nothing for courses that " +
    "are already up to date.",
  arguments: PATH_ARGUMENTS,
  flags: [
    { name: "dry-run", description: "show the plan and send nothing" },
    { name: "prune", description: "delete courses of these providers that are not in any file" },
    PLAN_FLAGS.maxDeletes,
    PLAN_FLAGS.allowRecreate,
    PLAN_FLAGS.complete,
    { name: "yes", short: "y", description: "do not ask before deleting" },
    { name: "fail-fast", description: "stop after the first failure" },
    { name: "shard", value: "<i/n>", description: "push only part i of n of the files" },
    { name: "write-ids", description: "write the ids of courses into files that lack them" },
    { name: "verify", description: "read courses back after writing and compare them" },
    REPORT_FLAG,
    RECORD_FLAG,
  ],
  columns: RESULT_COLUMNS,
  examples: [
    { description: "Show what would be done", line: "catalog courses push --dry-run courses/" },
    { description: "Push a folder", line: "catalog courses push courses/" },
    {
      description: "In a CI job, with the files as the single source of truth",
      line: "catalog courses push --prune --yes --verify courses/",
    },
  ],
  exits: [...SERVICE_EXITS, 3],
  parse: parseOptions,
  run: pushCourses,
});

function parseOptions(typed: ParsedArguments): Options {
  const shard = parseShard(getString(typed, "shard"));
  const choices = parsePlanChoices(typed);
  if (shard !== undefined && choices.prune) {
    throw usageError(
      "--prune cannot be combined with --shard",
      "With only part of the files, unlisted courses cannot be determined.",
    );
  }
  return {
    paths: parsePaths(typed),
    ...choices,
    dryRun: isSet(typed, "dry-run"),
    yes: isSet(typed, "yes"),
    failFast: isSet(typed, "fail-fast"),
    writeIds: isSet(typed, "write-ids"),
    verify: isSet(typed, "verify"),
    shard,
    reports: parseReports(typed),
    record: parseRecordFile(typed),
  };
}

function parseShard(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const [, first, second] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const [part, of] = [Number(first), Number(second)];
  if (part >= 1 && part <= of) return { part, of };
  throw usageError(`--shard must be a part and a number of parts, such as 1/3: ${text}`);
}

async function pushCourses(options: Options, context: Context): Promise<void> {
  const run = { targets: options.reports, command: "catalog courses push" };
  await runReported(run, context, async (update) => {
    checkResultOptions(context);
    const { record: file } = options;
    checkRecordFile(file, context);
    const outputs = options.reports.map((target) => target.file);
    const except = file === undefined ? outputs : [...outputs, file];
    const planned = await planPush({ ...options, except }, update, context);
    const steps = planned.steps.filter((step) => isInShard(step, options.shard));
    update({ outcomes: planResults(steps, "skipped") });
    await showPlan(steps, options, context);
    if (!options.writeIds) await reportAdopted(planned.adopted, context);
    await reportUnmanaged(steps, context);
    const plan = planSummary(countSteps(steps));
    const exceeded = exceededLimit(steps, planned.scope, options.maxDeletes);
    if (exceeded !== undefined && !options.dryRun) throw exceeded;
    if (options.dryRun) {
      if (exceeded !== undefined) await warnAboutLimit(exceeded, context);
      const outcomes = planResults(steps, "planned");
      update({ outcomes, outcome: [`${plan} Nothing was sent.`] });
      await showResults(outcomes, context);
      return;
    }
    const confirmed = await confirmDeletions(steps, planned.scope, options, context);
    const courses = confirmed.map((step) => ("item" in step ? step.item.course : step.remote));
    const { complete } = planned;
    await withRecording({ command: "courses push", file, courses }, context, async (recording) => {
      if (confirmed.some(isDeletion)) recording.prepareDeletions();
      await withDeferredShutdown(context, async () => {
        const applied = await applySteps(confirmed, { ...options, complete, recording }, context);
        const { done, results, summary = plan } = applied;
        update({ outcomes: results, outcome: [summary] });
        if (options.writeIds) await writeMissingIds(done, context);
        if (options.verify && !context.signal.aborted) await verifySteps(done, context);
      });
    });
  });
}

function isInShard(step: PushStep, shard: Shard | undefined): boolean {
  if (shard === undefined || step.action === "delete") return true;
  return step.item.fileNumber % shard.of === shard.part - 1;
}

/** Lines of the plan; only a dry run shows a longer one in full. */
const MAX_LINES = 100;

async function showPlan(
  steps: readonly PushStep[],
  { dryRun }: Options,
  { messages, options }: Context,
): Promise<void> {
  const counts = countSteps(steps);
  if (options.format !== undefined) {
    if (dryRun && hasJsonMessages(options.format)) {
      await messages.info(planSummary(counts), { counts });
    }
    return;
  }
  const entries = toPlanEntries(steps);
  const shown = dryRun ? entries : entries.slice(0, MAX_LINES);
  await messages.show((styles) => planLines(shown, styles));
  const rest = entries.length - shown.length;
  if (rest > 0) await messages.info(`… and ${formatNumber(rest)} more`);
  await messages.info(planSummary(counts));
}

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
  const what = `deleting ${pluralize(deletions.length, "course")}`;
  requireConfirmableDeletion(what, { yes, typed: paths }, context);
  if (yes) return steps;
  const courses = deletions.map(({ remote }) => remote);
  if (!(await confirmDeletion(courses, scope, context))) {
    throw usageError("nothing was sent: cancelled");
  }
  const ids = deletions.map(({ id }) => id);
  const read = await readBeforeWriting(ids, await context.client(), context);
  const now = new Map(existingCourses(read).map((course) => [course.id.toLowerCase(), course]));
  return steps.map((step) =>
    isDeletion(step) ? { ...step, remote: now.get(step.id) ?? step.remote } : step,
  );
}
