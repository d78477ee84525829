/** Finds the record of a run. */
import { resolve } from "node:path";
import { usageError } from "../../base/errors.ts";
import type { Argument } from "../../command-support/arguments.ts";
import type { Context } from "../../command-support/context.ts";
import { readRecord, readSummary } from "../../sync/read-record.ts";
import type { RunRecord } from "../../sync/record.ts";
import { findHistoryFolder, findRecord, listRuns } from "../../sync/store.ts";
import { isFor, listUndoable } from "../../sync/undone.ts";

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
 * runs for the base URL in effect that are neither undos nor undone, the latest first.
 */
export async function* findRuns(
  word: string | undefined,
  context: Context,
): AsyncGenerator<RunRecord, void, void> {
  const baseUrl = (await context.settings()).baseUrl?.value;
  if (word === undefined) {
    await findLatestPath(context);
    const paths = listUndoable(findHistoryFolder(context), baseUrl);
    for (const path of paths) yield await read(path, path, context);
    return;
  }
  const record = await findNamedRun(word, context);
  const { run, baseUrl: recorded } = record.header;
  // Without a base URL, the client reports that it is missing.
  if (isFor(baseUrl, record.header)) {
    yield record;
    return;
  }
  throw usageError(
    `run ${run} wrote to ${recorded}, but the base URL is ${baseUrl}`,
    `Pass --base-url ${recorded}, or the profile of that service.`,
  );
}

/** The record of a run or file, whichever service it wrote to. */
export async function findNamedRun(word: string, context: Context): Promise<RunRecord> {
  const history = findHistoryFolder(context);
  const { name, path } = findRecord(word, history, (file) => resolve(context.folder, file));
  return await read(path, name, context);
}

/** The record of the latest run for the base URL in effect; of any run without a base URL. */
export async function findLatestRun(context: Context): Promise<RunRecord> {
  const path = await findLatestPath(context);
  return await read(path, path, context);
}

async function findLatestPath(context: Context): Promise<string> {
  const baseUrl = (await context.settings()).baseUrl?.value;
  const runs = listRuns(findHistoryFolder(context));
  const found = runs.find(({ path }) => isFor(baseUrl, readSummary(path, path).header));
  if (found !== undefined) return found.path;
  throw usageError(
    baseUrl === undefined ? "no run is recorded" : `no run for ${baseUrl} is recorded`,
    'Run "catalog history" to list the runs, or pass a file that --record wrote.',
  );
}

/** Reads a record, and warns if its run was killed while it wrote a line. */
async function read(
  path: string,
  name: string,
  { messages }: Pick<Context, "messages">,
): Promise<RunRecord> {
  const record = readRecord(path, name);
  const { cutLine } = record;
  if (cutLine !== undefined) {
    await messages.warn(
      `${name}:${cutLine}: the last line of the record is not used, because it is incomplete`,
    );
  }
  return record;
}
