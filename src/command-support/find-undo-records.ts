/** Finds the undo record of a run: in the history, or in a file that `--record` wrote. */
import { resolve } from "node:path";
import { isSameBaseUrl } from "../base/credentials.ts";
import { asCatalogError, usageError } from "../base/errors.ts";
import type { RunRecord, RunSummary } from "../sync/record-format.ts";
import {
  findHistoryFolder,
  listRuns,
  markUndone,
  readRecord,
  readSummary,
} from "../sync/record-store.ts";
import type { Argument } from "./arguments.ts";
import type { Context } from "./context.ts";

const LIST_RUNS = 'Run "catalog history" to list the runs.';

/** The argument that names a run. */
export function runArgument(description: string): Argument {
  return { name: "run", description };
}

/** A run of the history. */
export interface ListedRun extends RunSummary {
  readonly isUndone: boolean;
  /** The path of the undo record. */
  readonly path: string;
}

/** The runs of the history, the newest first. Skips damaged undo records, with a warning about each. */
export async function listHistory(context: Context): Promise<readonly ListedRun[]> {
  const found: Omit<ListedRun, "isUndone">[] = [];
  for (const { run, path } of listRuns(findHistoryFolder(context))) {
    try {
      found.push({ ...readSummary(path), path });
    } catch (thrown) {
      const { facts, message } = asCatalogError(thrown);
      await context.messages.warn(`${facts.file ?? run}: ${message}`);
    }
  }
  return [...markUndone(found)];
}

/**
 * The undo record of the run to undo: of the named run or file, or else of the newest run for the base URL in effect
 * that changed something and is not an undo. If that run is undone already, a message names the newest one that is not.
 *
 * @param word the name of a run, or a file
 * @returns undefined, after a message, if there is nothing to undo
 * @throws CatalogError of kind `usage` if there is no such record, or if it is damaged or for another base URL
 */
export async function findRunToUndo(
  word: string | undefined,
  context: Context,
): Promise<RunRecord | undefined> {
  const baseUrl = (await context.settings()).baseUrl?.value;
  if (word !== undefined) {
    const record = await findNamedRun(word, context);
    const { run, baseUrl: recorded } = record.header;
    // If no base URL is set, the client reports that later.
    if (isFor(baseUrl, record)) return record;
    throw usageError(
      `run ${run} changed the catalog at ${recorded}, but the base URL is ${baseUrl}`,
      `Pass --base-url ${recorded}, or --profile with a profile for that service.`,
    );
  }
  const runs = (await listHistory(context)).filter(
    (run) => isFor(baseUrl, run) && run.header.undoes === undefined && mayHaveChanged(run),
  );
  const [newest] = runs;
  if (newest?.isUndone === false) return await read(newest.path, undefined, context);
  const next = runs.find(({ isUndone }) => !isUndone)?.header.run;
  const reason = newest === undefined ? "" : ` Run ${newest.header.run} is undone already.`;
  const advice = next === undefined ? "" : ` To undo the one before it: catalog undo ${next}`;
  await context.messages.info(`Nothing to undo.${reason}${advice}`);
  return undefined;
}

function mayHaveChanged({ end: { created, updated, deleted, unknown } }: RunSummary): boolean {
  return created + updated + deleted + unknown > 0;
}

/** The undo record of a run or file, for any base URL. @throws CatalogError of kind `usage` if it cannot be read */
export async function findNamedRun(word: string, context: Context): Promise<RunRecord> {
  if (word === "") throw usageError("<run> must not be empty", LIST_RUNS);
  const stored = listRuns(findHistoryFolder(context)).find(({ run }) => run === word);
  if (stored !== undefined) return await read(stored.path, undefined, context);
  return await read(resolve(context.folder, word), word, context);
}

function isFor(baseUrl: string | undefined, { header }: Pick<RunSummary, "header">): boolean {
  return baseUrl === undefined || isSameBaseUrl(header.baseUrl, baseUrl);
}

/** Reads an undo record. Warns if its last line is incomplete. @param name the file as typed; none in the history */
async function read(
  path: string,
  name: string | undefined,
  { messages }: Context,
): Promise<RunRecord> {
  const record = readRecord(path, name);
  const { cutLine } = record;
  if (cutLine !== undefined) {
    await messages.warn(
      `${name ?? path}:${cutLine}: ignored the last line of the undo record, because it is incomplete`,
    );
  }
  return record;
}
