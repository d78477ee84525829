/** `catalog undo`: takes back what a run changed. docs/how-to/undo-a-push.md explains it. */
import { CatalogError } from "../base/errors.ts";
import { isRehearsal } from "../base/process.ts";
import { joinList, listSome, pluralize, truncate } from "../base/text.ts";
import { DRY_RUN_FLAG, type Flag, type FlagValues } from "../command-support/arguments.ts";
import { requireConfirmable } from "../command-support/ask.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { SERVICE_EXITS } from "../command-support/exit-codes.ts";
import { findRunToUndo, runArgument } from "../command-support/find-undo-records.ts";
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
import { relativeTime } from "../output/cells.ts";
import type { RunRecord } from "../sync/record-format.ts";
import { reverse } from "../sync/reverse.ts";
import type { Step } from "../sync/step.ts";
import { describeParts, planUndo, refuseConflict, warnAbout } from "./undo-steps.ts";

const FLAGS = [
  { name: "force", description: "also overwrite later changes" },
  { name: "yes", short: "y", description: "do not ask for confirmation" },
  DRY_RUN_FLAG,
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
    "undo takes the newest run for your base URL that is not an undo. If that run is undone already, undo changes " +
    "nothing, so you can repeat it. To undo an undo, pass its run.",
  arguments: [
    runArgument(
      'which run, from "catalog history", or an undo record file (default: the newest run)',
    ),
  ],
  flags: FLAGS,
  output: RESULTS,
  examples: [
    { description: "Undo the latest run", line: "catalog undo" },
    { description: "Show what an undo would change", line: "catalog undo --dry-run" },
    { description: "Undo a push, in a script", line: "catalog undo --yes push.ndjson" },
  ],
  exits: SERVICE_EXITS,
  parse: ({ values, arguments: [run] }): Options => ({ ...values, run }),
  run: undoRun,
});

async function undoRun(options: Options, context: Context): Promise<void> {
  checkRunFlags(options, context);
  const record = await findRunToUndo(options.run, context);
  if (record === undefined) return await new Results(context).end();
  if (!options.yes && !options.dryRun) requireConfirmable("undoing a run", context);
  await requireOwner(record, context);
  const check = { refuse: refuseConflict, force: options.force };
  const { reversed, steps } = await planUndo(reverse(record), check, context);
  await warnAbout(reversed, steps, context);
  const run: StepRun = {
    ...check,
    steps,
    doing: "Undoing",
    shown: { as: "values", always: true },
    notices: describeParts(reversed, steps),
    questions: { all: questionFor(record, steps, context.clock.now()) },
    summarize: (counts) => summarize(record, counts, options.run, context),
    undoes: { run: record.header.run, left: (done) => countLeft(steps, done) },
  };
  await runSteps(run, options, context);
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

/** How many of the steps remain: they do not apply, or failed. @param done ids of steps */
function countLeft(steps: readonly Step[], done: ReadonlySet<string>): number {
  return steps.filter(
    ({ action, id }) => action !== "unchanged" && (action === "refused" || !done.has(id)),
  ).length;
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
  word: string | undefined,
  { environment, stop }: Context,
): string[] {
  const isPart = counts.failed + counts.skipped + counts.unknown > 0;
  const changed = countChanged(counts);
  if (changed === 0 && !isPart) return ["Nothing to undo."];
  const summary = describeOutcomes(counts, {
    start: `${isPart ? "Partly undid" : "Undid"} run ${run}: `,
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
