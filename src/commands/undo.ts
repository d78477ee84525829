/** `catalog undo`: reverses the changes of a run. */
import { usageError } from "../base/errors.ts";
import type { Flag, FlagValues } from "../command-support/arguments.ts";
import { confirm, requireConfirmable } from "../command-support/ask.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { SERVICE_EXITS } from "../command-support/exit-codes.ts";
import { checkRecordFile, RECORD_FLAG } from "../command-support/recording.ts";
import { checkResultOptions, RESULT_COLUMNS } from "../command-support/results.ts";
import { applyUndo } from "./undo/apply-undo.ts";
import { findRun, runArgument } from "./undo/find-run.ts";
import { countUndo, isWriting, planRun, reportNewConflicts, reportUndo } from "./undo/plan-undo.ts";

const FLAGS = [
  { name: "force", description: "also undo changes to courses that have changed since" },
  { name: "yes", short: "y", description: "do not ask for confirmation" },
  { name: "dry-run", description: "show the plan and send nothing" },
  RECORD_FLAG,
] as const satisfies readonly Flag[];

interface Options extends FlagValues<typeof FLAGS> {
  /** A run of the history, or a record file. */
  readonly run: string | undefined;
}

/** Sends GETs of the courses that the run wrote, then POST, PATCH and DELETE. */
export const undo = command({
  description:
    "Deletes the courses that the run created, restores the fields that it updated, and creates the " +
    "courses that it deleted under their ids; their approval starts over. A course that has changed since " +
    "is skipped and reported. The undo is recorded, too, so it can be undone.",
  arguments: [runArgument("the latest run that is neither an undo nor undone")],
  flags: FLAGS,
  columns: RESULT_COLUMNS,
  examples: [
    { description: "Undo the latest run", line: "catalog undo" },
    { description: "Show what undoing a run would change", line: "catalog undo --dry-run $run" },
    { description: "In a script", line: "catalog undo --yes push.ndjson" },
  ],
  exits: SERVICE_EXITS,
  parse: ({ values, arguments: [run] }): Options => ({ ...values, run }),
  run: undoRun,
});

async function undoRun(options: Options, context: Context): Promise<void> {
  const { run, force, yes, dryRun, record: file } = options;
  checkResultOptions(context);
  checkRecordFile(file, context);
  const record = await findRun(run, context);
  if (record === undefined) return await context.messages.info("Nothing to undo.");
  if (!yes && !dryRun) requireConfirmable("undoing a run", context);
  let steps = await planRun(record, force, context);
  await reportUndo(steps, context);
  if (!dryRun && !yes && steps.some(isWriting)) {
    const question = `Undo "${record.header.command}" of ${record.header.time}: ${countUndo(steps)}`;
    if (!(await confirm(`${question}?`, context))) {
      throw usageError("nothing was sent: cancelled");
    }
    // The new record must have what is changed, not what was shown.
    const shown = steps;
    steps = await planRun(record, force, context);
    await reportNewConflicts(steps, shown, context);
  }
  const undone = record.header.run;
  await applyUndo(steps, { dryRun, file, undone, word: run ?? undone }, context);
}
