/** Finds the records of past runs: in the history, or in a file that `--record` wrote. */
import { resolve } from "node:path";
import { usageError } from "../base/errors.ts";
import { isSameBaseUrl } from "../base/secrets.ts";
import {
  findHistoryFolder,
  listRuns,
  type PastRun,
  readHistory,
  readRecord,
  recordPath,
} from "../core/history.ts";
import type { RunRecord } from "../core/record.ts";
import { mayReverse } from "../core/undo.ts";
import type { Context } from "./context.ts";

const LIST_RUNS = 'Run "catalog history" to list the runs.';

/** The runs of the history, the newest first. Skips damaged records, with a warning about each. */
export async function listHistory(context: Context): Promise<readonly PastRun[]> {
  const damaged: string[] = [];
  const runs = [
    ...readHistory(findHistoryFolder(context), ({ facts, message }) => {
      damaged.push(`${facts.file}: ${message}`);
    }),
  ];
  for (const text of damaged) await context.messages.warn(text);
  return runs;
}

/**
 * The record of the run to undo: of the named run or file, or else of the newest run for the base URL in effect that
 * changed something and is not an undo. If that run is undone already, a message names the newest one that is not.
 *
 * @param word the name of a run, or a file
 * @param force whether deletions that found no course are undone, too
 * @returns undefined, after a message, if there is nothing to undo
 * @throws CatalogError of kind `usage` if there is no such record, or if it is damaged
 */
export async function findRunToUndo(
  word: string | undefined,
  force: boolean,
  context: Context,
): Promise<RunRecord | undefined> {
  if (word !== undefined) return findNamedRun(word, context);
  const baseUrl = (await context.settings()).baseUrl?.value;
  const runs = (await listHistory(context)).filter(
    ({ header, steps }) =>
      (baseUrl === undefined || isSameBaseUrl(header.baseUrl, baseUrl)) &&
      header.undoes === undefined &&
      steps.some((recorded) => mayReverse(recorded, force)),
  );
  const [newest] = runs;
  if (newest?.isUndone === false) return newest;
  const next = runs.find(({ isUndone }) => !isUndone)?.run;
  const reason = newest === undefined ? "" : ` Run ${newest.run} is undone already.`;
  const advice = next === undefined ? "" : ` To undo the one before it: catalog undo ${next}`;
  await context.messages.info(`Nothing to undo.${reason}${advice}`);
  return undefined;
}

/** The record of a run or file, for any base URL. @throws CatalogError of kind `usage` if it cannot be read */
export function findNamedRun(word: string, context: Context): RunRecord {
  if (word === "") throw usageError("<run> must not be empty", LIST_RUNS);
  const history = findHistoryFolder(context);
  const isStored = history !== undefined && listRuns(history).includes(word);
  return isStored
    ? readRecord(recordPath(history, word), word, "run")
    : readRecord(resolve(context.folder, word), word, "run");
}
