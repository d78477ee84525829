/** Finds the undo record of a run: in the history, or in a file that `--record` wrote. */
import { resolve } from "node:path";
import { isSameBaseUrl } from "../base/credentials.ts";
import { type CatalogError, usageError } from "../base/errors.ts";
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

export const RUN_ARGUMENT: Argument = {
  name: "run",
  description:
    'which run, from "catalog history", or an undo record file (default: the latest run)',
};

/**
 * The undo records that `undo` tries, in their order. With a word, the record of that run or file. Without,
 * the records for the base URL in effect whose runs changed something and are neither undos nor undone, the
 * latest first.
 *
 * @param word the name of a run, or a file
 * @throws CatalogError of kind `usage` if there is no record, or if it is damaged or for another base URL
 */
export async function* findRuns(
  word: string | undefined,
  context: Context,
): AsyncGenerator<RunRecord, void, void> {
  const baseUrl = (await context.settings()).baseUrl?.value;
  if (word !== undefined) {
    const record = await findNamedRun(word, context);
    const { run, baseUrl: recorded } = record.header;
    // If no base URL is set, the client reports that later.
    if (!isFor(baseUrl, record)) {
      throw usageError(
        `run ${run} changed the catalog at ${recorded}, but the base URL is ${baseUrl}`,
        `Pass --base-url ${recorded}, or --profile with a profile for that service.`,
      );
    }
    yield record;
    return;
  }
  let isEmpty = true;
  for (const { header, end, isUndone, path } of markUndone(listSummaries(baseUrl, context))) {
    isEmpty = false;
    const mayHaveChanged = end.created + end.updated + end.deleted + end.unknown > 0;
    if (header.undoes === undefined && !isUndone && mayHaveChanged) {
      yield await read(path, undefined, context);
    }
  }
  if (isEmpty) throw noRun("undo", baseUrl);
}

/** The undo record of a run or file, for any base URL. @throws CatalogError of kind `usage` if it cannot be read */
export async function findNamedRun(word: string, context: Context): Promise<RunRecord> {
  if (word === "") throw usageError("<run> must not be empty", LIST_RUNS);
  const stored = listRuns(findHistoryFolder(context)).find(({ run }) => run === word);
  if (stored !== undefined) return await read(stored.path, undefined, context);
  return await read(resolve(context.folder, word), word, context);
}

/** The undo record of the latest run for the base URL in effect, or for any base URL if none is set. */
export async function findLatestRun(context: Context): Promise<RunRecord> {
  const baseUrl = (await context.settings()).baseUrl?.value;
  const [latest] = listSummaries(baseUrl, context);
  if (latest === undefined) throw noRun("show", baseUrl);
  return await read(latest.path, undefined, context);
}

/** The runs of the history for a base URL, or for any base URL if it is undefined, the latest first. */
function* listSummaries(
  baseUrl: string | undefined,
  context: Context,
): Generator<RunSummary & { readonly path: string }, void, void> {
  for (const { path } of listRuns(findHistoryFolder(context))) {
    const summary = readSummary(path);
    if (isFor(baseUrl, summary)) yield { ...summary, path };
  }
}

function isFor(baseUrl: string | undefined, { header }: Pick<RunSummary, "header">): boolean {
  return baseUrl === undefined || isSameBaseUrl(header.baseUrl, baseUrl);
}

function noRun(verb: "undo" | "show", baseUrl: string | undefined): CatalogError {
  const where = baseUrl === undefined ? "" : ` for ${baseUrl}`;
  return usageError(
    `nothing to ${verb}: the history on this machine has no run${where}`,
    `If a command wrote its undo record to a file with --record, pass that file. ${LIST_RUNS}`,
  );
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
