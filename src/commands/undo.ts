/** `catalog undo`: takes back what a run changed. docs/how-to/undo-a-push.md explains it. */
import { CatalogError, usageError } from "../base/errors.ts";
import { isRehearsal } from "../base/process.ts";
import { suggest } from "../base/suggest.ts";
import { joinList, listSome, pluralize, truncate } from "../base/text.ts";
import { type Flag, type FlagValues, nonEmpty } from "../command-support/arguments.ts";
import { requireConfirmable } from "../command-support/ask.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { SERVICE_EXITS } from "../command-support/exit-codes.ts";
import { findRuns, RUN_ARGUMENT } from "../command-support/find-undo-records.ts";
import { checkRunFlags, RECORD_FLAGS, undoCommand } from "../command-support/record-flag.ts";
import {
  type Counts,
  countChanged,
  describeOutcomes,
  RESULTS,
  Results,
} from "../command-support/results.ts";
import { runSteps, type StepRun } from "../command-support/run-steps.ts";
import { countSteps } from "../command-support/show-steps.ts";
import { WRITABLE_FIELDS } from "../course/fields.ts";
import { relativeTime } from "../output/cells.ts";
import { courseLabel } from "../output/plan.ts";
import type { RunRecord } from "../sync/record-format.ts";
import { reverse } from "../sync/reverse.ts";
import { describeCourse, type Step } from "../sync/step.ts";
import {
  describeParts,
  findNamed,
  planUndo,
  refuseConflict,
  type UndoPlan,
  warnAbout,
} from "./undo-steps.ts";

const FLAGS = [
  {
    name: "only",
    value: "<course>",
    repeatable: true,
    parse: nonEmpty,
    description: "undo only what changed in this course: its id, url, key or name",
  },
  {
    name: "fields",
    value: "<a,b>",
    parse: parseFields,
    description: "undo only what changed in these fields",
  },
  { name: "force", description: "also overwrite later changes" },
  { name: "yes", short: "y", description: "do not ask for confirmation" },
  { name: "dry-run", description: "show what would change; send nothing" },
  ...RECORD_FLAGS,
] as const satisfies readonly Flag[];

interface Options extends FlagValues<typeof FLAGS> {
  /** A run of the history, or an undo record file; undefined for the latest run. */
  readonly run: string | undefined;
}

/** Sends GETs of the courses that the run changed, then POST, PATCH and DELETE. */
export const undo = command({
  description:
    "A run is one command that changed the catalog. undo deletes the courses that the run created, restores " +
    "the fields that it updated, and brings back the courses that it deleted, with their old ids. Recreated " +
    "courses need a new approval. undo skips and reports courses that changed after the run. Without a run, " +
    "undo takes the latest run for your base URL that is neither an undo nor undone already. To undo an undo, " +
    "pass its run.",
  arguments: [RUN_ARGUMENT],
  flags: FLAGS,
  output: RESULTS,
  examples: [
    { description: "Undo the latest run", line: "catalog undo" },
    { description: "Show what an undo would change", line: "catalog undo --dry-run" },
    {
      description: "Undo the prices of one course",
      line: "catalog undo --only K-0042 --fields prices",
    },
    { description: "Undo a push, in a script", line: "catalog undo --yes push.ndjson" },
  ],
  exits: SERVICE_EXITS,
  parse: ({ values, arguments: [run] }): Options => ({ ...values, run }),
  run: undoRun,
});

function parseFields(text: string): readonly string[] {
  const known = WRITABLE_FIELDS.map(({ name }) => name);
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  const advice = suggest(unknown, known, 'Run "catalog help files" for all fields.');
  throw usageError(`unknown field ${JSON.stringify(unknown)} in --fields`, advice);
}

async function undoRun(options: Options, context: Context): Promise<void> {
  const { yes, dryRun, force, fields } = options;
  checkRunFlags(options, context);
  const check = { refuse: refuseConflict, force };
  for await (const record of findRuns(options.run, context)) {
    if (!yes && !dryRun) requireConfirmable("undoing a run", context);
    await requireOwner(record, context);
    const only = options.only.length === 0 ? undefined : findNamed(options.only, record);
    const plan = await planUndo(reverse(record, only, fields), check, context);
    // If nothing of the latest run is left to undo, the user may mean an earlier run.
    const gone = plan.steps.filter((step) => step.action === "refused" && step.isGone);
    const isLeft = plan.steps.some((step) => step.action !== "unchanged" && !gone.includes(step));
    if (isLeft || options.run !== undefined) {
      return await undoRecord(record, plan, options, context);
    }
    if (gone.length === 0) continue;
    const labels = gone.map((step) => courseLabel({ ...describeCourse(step), id: step.id }));
    const text = `skipped run ${record.header.run}, because the courses that it changed no longer exist`;
    await context.messages.warn(`${text}: ${listSome(labels)}`);
  }
  await context.messages.info("Nothing to undo.");
  await new Results(context).end();
}

/** The courses of another account would seem to be deleted. @throws CatalogError of kind `auth` */
async function requireOwner({ header }: RunRecord, context: Context): Promise<void> {
  const own = await context.providers();
  const isOwn = (id: string): boolean => own.some((each) => each.id.toLowerCase() === id);
  if (own.length === 0 || header.providers.length === 0 || header.providers.some(isOwn)) return;
  const owner = listSome(own.map(({ name }) => truncate(name)));
  throw new CatalogError(
    "auth",
    `this key belongs to ${owner}; run ${header.run} changed courses of another account`,
    { advice: "Use the API key of the account that the run changed." },
  );
}

/** Applies the steps that undo a run, or the part of a run that `--only` and `--fields` select. */
async function undoRecord(
  record: RunRecord,
  { reversed, steps }: UndoPlan,
  options: Options,
  context: Context,
): Promise<void> {
  const check = { refuse: refuseConflict, force: options.force };
  await warnAbout(reversed, steps, context);
  const isComplete = options.only.length === 0 && options.fields === undefined;
  const all = isComplete ? steps : (await planUndo(reverse(record), check, context)).steps;
  const run: StepRun = {
    ...check,
    ...{ steps, doing: "Undoing", shown: { as: "values", always: true } },
    notices: describeParts(reversed, steps),
    questions: { all: questionFor(record, steps, context.clock.now()) },
    summarize: (counts) => summarize(record, counts, isComplete, options.run, context),
    // When the steps were checked, the course did not exist: a proxy has repeated the request.
    whenExists: (step, { isSame }) => (isSame ? step : undefined),
    undoes: { run: record.header.run, left: (done) => countLeft(all, steps, done) },
  };
  await runSteps(run, options, context);
}

/** How many of all steps remain: they do not apply, were not selected, or failed. @param done ids of steps */
function countLeft(
  all: readonly Step[],
  steps: readonly Step[],
  done: ReadonlySet<string>,
): number {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const isLeft = (step: Step): boolean => {
    if (step.action === "unchanged") return false;
    const own = byId.get(step.id);
    if (step.action === "refused" || own === undefined || !done.has(step.id)) return true;
    // With --fields, changes of other fields may remain.
    const names = step.action === "update" ? Object.keys(step.body) : [];
    return own.action === "update" && names.some((name) => !Object.hasOwn(own.body, name));
  };
  return all.filter(isLeft).length;
}

function questionFor({ header }: RunRecord, steps: readonly Step[], now: number): string {
  const counts = countSteps(steps);
  const verbs = { create: "recreate", update: "revert", delete: "delete" } as const;
  const parts = (["create", "update", "delete"] as const)
    .filter((action) => counts[action] > 0)
    .map((action) => `${verbs[action]} ${pluralize(counts[action], "course")}`);
  const time = relativeTime(header.time, now) ?? header.time;
  return `Undo "${header.command}" (${time}): ${joinList(parts, "and")}?`;
}

function summarize(
  { header: { run, undoes } }: RunRecord,
  counts: Counts,
  isComplete: boolean,
  word: string | undefined,
  { environment, stop }: Context,
): string[] {
  const isPart = counts.failed + counts.skipped + counts.unknown > 0;
  const changed = countChanged(counts);
  if (changed === 0 && !isPart) return ["Nothing to undo."];
  const summary = describeOutcomes(counts, {
    start: `${isPart || !isComplete ? "Partly undid" : "Undid"} run ${run}: `,
    ...{ created: "recreated", updated: "reverted", skipped: "skipped" },
  });
  const again =
    undoes === undefined || changed === 0
      ? ""
      : ` The changes of run ${undoes} are in effect again.`;
  const rest =
    isPart && stop.reason !== undefined && !isRehearsal(environment)
      ? ` To undo the rest: ${undoCommand(word ?? run)}`
      : "";
  return [summary + again + rest];
}
