/** `catalog undo`: reverses what a run changed. docs/how-to/undo-a-push.md explains it. */
import { escapeLine } from "../base/text.ts";
import { DRY_RUN_FLAG, type Flag, type FlagValues } from "../cli/arguments.ts";
import { command } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { findNamedRun, findRunToUndo, RECORD_FLAGS, requireSameService } from "../cli/record.ts";
import { runSteps } from "../cli/run.ts";
import { printResults, RESULTS } from "../cli/show.ts";
import { readCatalog } from "../cli/work.ts";
import { addRisks, refuseReading } from "../core/risks.ts";
import { reverse } from "../core/undo.ts";
import { briefTime } from "../output/cells.ts";

const FLAGS = [
  { name: "force", description: "also overwrite later changes" },
  { name: "yes", short: "y", description: "do not ask for confirmation" },
  DRY_RUN_FLAG,
  ...RECORD_FLAGS,
] as const satisfies readonly Flag[];

interface Options extends FlagValues<typeof FLAGS> {
  /** A run of the history, or a record file; undefined for the newest run. */
  readonly run: string | undefined;
}

/** Sends GETs of the providers and courses, then POST, PATCH and DELETE. */
export const undo = command({
  description:
    "A run is one command that changed the catalog. undo deletes the courses that the run created, restores " +
    "the fields that it updated, and brings back the courses that it deleted, with their old ids. Recreated " +
    "courses need a new approval. undo skips and reports courses that changed after the run. Without a run, " +
    "undo reverses the newest run for your base URL that is not an undo. If that run was already undone, undo changes " +
    "nothing, so you can repeat it. To undo an undo, pass its run.",
  arguments: [
    {
      name: "run",
      description:
        'the run to undo: its name from "catalog history", or a record file (default: the newest run)',
    },
  ],
  flags: FLAGS,
  output: RESULTS,
  examples: {
    "Undo the latest run": "catalog undo",
    "Show what an undo would change": "catalog undo --dry-run",
    "Undo a push, in a script": "catalog undo --yes push.ndjson",
  },
  parse: ({ values, arguments: [run] }): Options => ({ ...values, run }),
  run: undoRun,
});

async function undoRun(options: Options, context: Context): Promise<void> {
  const record =
    options.run === undefined
      ? await findRunToUndo(options.force, context)
      : findNamedRun(options.run, context);
  if (record === undefined) return await printResults([], context);
  const { run, command: words, time } = record.header;
  await requireSameService(record.header, `run ${run}`, context);
  const { index, isUnreliable } = await readCatalog(context);
  const steps = addRisks(reverse(record, index, options.force));
  await context.messages.info(escapeLine(`Undoing run ${run}: ${words}, ${briefTime(time)}`));
  const report = { steps, refusal: refuseReading(steps, isUnreliable) };
  const asked = { doing: "Undoing", shown: "values", question: "Undo this run?" } as const;
  await runSteps(report, { ...options, ...asked, undoes: run }, context);
}
