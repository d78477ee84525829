/** `catalog undo`: reverses what a run changed. docs/how-to/undo-a-push.md explains it. */
import { isSameBaseUrl } from "../base/credentials.ts";
import { escapeLine } from "../base/text.ts";
import { memoize } from "../base/values.ts";
import { DRY_RUN_FLAG, type Flag, type Typed } from "../cli/arguments.ts";
import { readCatalog } from "../cli/catalog.ts";
import { command } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { findNamedRun, readRuns } from "../cli/history.ts";
import { RECORD_FLAGS, requireSameService } from "../cli/record.ts";
import { printResults, RESULTS } from "../cli/results.ts";
import { runSteps } from "../cli/run.ts";
import type { CourseIndex } from "../core/identify.ts";
import { makePlan } from "../core/plan.ts";
import { mayReverse, type RunRecord } from "../core/record.ts";
import { reverse } from "../core/undo.ts";
import type { Course } from "../course/request-body.ts";
import { briefTime } from "../output/cells.ts";

const FLAGS = [
  { name: "force", description: "also overwrite later changes" },
  { name: "yes", short: "y", description: "do not ask for confirmation" },
  DRY_RUN_FLAG,
  ...RECORD_FLAGS,
] as const satisfies readonly Flag[];

/** Sends GETs of the providers and courses, then POST, PATCH and DELETE. */
export const undo = command({
  description:
    "A run is one command that changed the catalog. undo deletes the courses that the run created, restores " +
    "the fields that it updated, and brings back the courses that it deleted, with their old ids. Recreated " +
    "courses are pending, like every new course. undo skips and reports courses that changed after the run. Without a run, " +
    "undo takes back the newest run for your base URL that is not an undo. If that run was already undone, undo changes " +
    "nothing, so you can repeat it. To undo an undo, pass its name.",
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
  run: undoRun,
});

async function undoRun(
  { words: [word], ...options }: Typed<typeof FLAGS>,
  context: Context,
): Promise<void> {
  const catalog = memoize(() => readCatalog(context));
  const named = word === undefined ? undefined : findNamedRun(word, context);
  if (named !== undefined) await requireOwn(named, context);
  const record = named ?? (await findRunToUndo(options.force, catalog, context));
  if (record === undefined) return await printResults([], context);
  const { run, command: words, time } = record.header;
  const index = await catalog();
  const plan = makePlan(reverse(record, index, options.force), index);
  await context.messages.info(escapeLine(`Undoing run ${run}: ${words}, ${briefTime(time)}`));
  const asked = { doing: "Undoing", shown: "values", question: "Undo this run?" } as const;
  await runSteps(plan, { ...options, ...asked, undoes: run }, context);
}

async function requireOwn({ header }: RunRecord, context: Context): Promise<void> {
  await requireSameService(header, `run ${header.run}`, context);
}

/**
 * The newest run for the base URL in effect that changed something and is not an undo. If nothing of it is left to undo, a
 * message names the newest run of which something is.
 *
 * @param force whether deletions that found no course are undone, too
 * @returns undefined, after a message, if there is nothing to undo
 */
async function findRunToUndo(
  force: boolean,
  catalog: () => Promise<CourseIndex<Course>>,
  context: Context,
): Promise<RunRecord | undefined> {
  const baseUrl = (await context.settings()).get("baseUrl")?.value;
  let reason = "";
  let advice = "";
  for await (const past of readRuns(context)) {
    const { header, run, steps, isUndone } = past;
    const isElsewhere = baseUrl !== undefined && !isSameBaseUrl(header.baseUrl, baseUrl);
    const hasEffect = steps.some((recorded) => mayReverse(recorded, force));
    if (isElsewhere || header.undoes !== undefined || !hasEffect) continue;
    if (reason === "" && !isUndone) await requireOwn(past, context);
    const isLeft =
      !isUndone &&
      reverse(past, await catalog(), force).some(({ action }) => action !== "unchanged");
    if (isLeft && reason === "") return past;
    if (isLeft) {
      advice = ` To undo an earlier run: catalog undo ${run}`;
      break;
    }
    reason ||= isUndone
      ? ` Run ${run} was already undone.`
      : ` Nothing of run ${run} is left to undo.`;
  }
  await context.messages.info(`Nothing to undo.${reason}${advice}`);
  return undefined;
}
