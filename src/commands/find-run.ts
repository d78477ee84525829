/** Finds the record of a run. */
import { resolve } from "node:path";
import { isSameBaseUrl } from "../base/credentials.ts";
import { attempt, type CatalogError, usageError } from "../base/errors.ts";
import type { Argument } from "../command-support/arguments.ts";
import type { Context } from "../command-support/context.ts";
import type { Settings } from "../settings/resolve.ts";
import type { RunRecord, RunSummary } from "../sync/record-format.ts";
import {
  findHistoryFolder,
  listRuns,
  markUndone,
  readRecord,
  readSummary,
} from "../sync/record-store.ts";

/** The argument that names a run. @param latest the run without it */
export function runArgument(latest: string): Argument {
  return {
    name: "run",
    completes: "run",
    description: `a run of the history, or a record file; by default ${latest} for the base URL`,
  };
}

/**
 * The records that can be undone, in the order in which they are tried: that of a run or file, or of the
 * runs for the base URL in effect that changed something and are neither undos nor undone, the latest
 * first.
 *
 * @param word the name of a run, or a file
 * @throws CatalogError of kind `usage` if there is none, or one that is damaged or of another base URL
 */
export async function* findRuns(
  word: string | undefined,
  context: Context,
): AsyncGenerator<RunRecord, void, void> {
  const baseUrl = (await context.settings()).baseUrl?.value;
  if (word !== undefined) {
    const record = await findNamedRun(word, context);
    const { run, baseUrl: recorded } = record.header;
    // Without a base URL, the client reports that it is missing.
    if (!isFor(baseUrl, record)) {
      throw usageError(
        `run ${run} wrote to ${recorded}, but the base URL is ${baseUrl}`,
        `Pass --base-url ${recorded}, or the profile of that service.`,
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
  if (isEmpty) throw noRun(baseUrl);
}

/**
 * The records of the runs for a base URL that changed something, the newest first, with the writes of some
 * courses; damaged ones are left out.
 */
export function* readRecords(
  ids: ReadonlySet<string>,
  context: Context,
  { baseUrl }: Pick<Settings, "baseUrl">,
): Generator<RunRecord, void, void> {
  for (const { path } of listRuns(findHistoryFolder(context))) {
    const summary = attempt(() => readSummary(path));
    if (summary === undefined || !isFor(baseUrl?.value, summary)) continue;
    const { created, updated, deleted } = summary.end;
    const record =
      created + updated + deleted > 0 && attempt(() => readRecord(path, undefined, ids));
    if (record) yield record;
  }
}

/** The record of a run or file, whichever service it wrote to. @throws as `findRuns` */
export async function findNamedRun(word: string, context: Context): Promise<RunRecord> {
  if (word === "") throw usageError("the run is empty", 'Run "catalog history" to list the runs.');
  const stored = listRuns(findHistoryFolder(context)).find(({ run }) => run === word);
  if (stored !== undefined) return await read(stored.path, undefined, context);
  return await read(resolve(context.folder, word), word, context);
}

/** The record of the latest run for the base URL in effect; of any run without a base URL. */
export async function findLatestRun(context: Context): Promise<RunRecord> {
  const baseUrl = (await context.settings()).baseUrl?.value;
  const [latest] = listSummaries(baseUrl, context);
  if (latest === undefined) throw noRun(baseUrl);
  return await read(latest.path, undefined, context);
}

/** The runs of the history for a base URL, or for any without one, the latest first. */
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

function noRun(baseUrl: string | undefined): CatalogError {
  return usageError(
    baseUrl === undefined ? "no run is recorded" : `no run for ${baseUrl} is recorded`,
    'Run "catalog history" to list the runs, or pass a file that --record wrote.',
  );
}

/**
 * Reads a record, and warns if its run was killed while it wrote a line.
 *
 * @param name of a file that the user named; undefined for a record of the history
 */
async function read(
  path: string,
  name: string | undefined,
  { messages }: Context,
): Promise<RunRecord> {
  const record = readRecord(path, name);
  const { cutLine } = record;
  if (cutLine !== undefined) {
    await messages.warn(
      `${name ?? path}:${cutLine}: the last line of the record is not used, because it is incomplete`,
    );
  }
  return record;
}
