/** Finds the record of a run. */
import { resolve } from "node:path";
import { isSameBaseUrl } from "../../base/credentials.ts";
import { usageError } from "../../base/errors.ts";
import type { Argument } from "../../command-support/arguments.ts";
import type { Context } from "../../command-support/context.ts";
import { readRecord } from "../../sync/read-record.ts";
import type { RunRecord } from "../../sync/record.ts";
import { findHistoryFolder, findRecord, listRuns } from "../../sync/store.ts";

/** The argument that names a run. */
export const RUN_ARGUMENT: Argument = {
  name: "run",
  completes: "run",
  description: "a run of the history, or a record file; by default the latest run for the base URL",
};

/** The record to undo: that of a run or file, or of the latest run for the base URL in effect. */
export async function findRun(word: string | undefined, context: Context): Promise<RunRecord> {
  if (word === undefined) return await findLatestRun(context);
  const baseUrl = (await context.settings()).baseUrl?.value;
  const record = await findNamedRun(word, context);
  const { run, baseUrl: recorded } = record.header;
  // Without a base URL, the client reports that it is missing.
  if (baseUrl === undefined || isSameBaseUrl(recorded, baseUrl)) return record;
  throw usageError(
    `run ${run} wrote to ${recorded}, but the base URL is ${baseUrl}`,
    `Pass --base-url ${recorded}, or the profile of that service.`,
  );
}

/** The record of a run or file, whichever service it wrote to. */
export async function findNamedRun(word: string, context: Context): Promise<RunRecord> {
  const history = findHistoryFolder(context);
  const { name, path } = findRecord(word, history, (file) => resolve(context.folder, file));
  return await reportCut(readRecord(path, name), name, context);
}

async function reportCut(
  record: RunRecord,
  name: string,
  { messages }: Pick<Context, "messages">,
): Promise<RunRecord> {
  const { cutLine } = record;
  if (cutLine !== undefined) {
    await messages.warn(
      `${name}:${cutLine}: the last line of the record is not used, because it is incomplete`,
    );
  }
  return record;
}

/** The record of the latest run for the base URL in effect; of any run without a base URL. */
export async function findLatestRun(context: Context): Promise<RunRecord> {
  const baseUrl = (await context.settings()).baseUrl?.value;
  for (const { path } of listRuns(findHistoryFolder(context))) {
    const record = readRecord(path, path);
    if (baseUrl === undefined || isSameBaseUrl(record.header.baseUrl, baseUrl)) {
      return await reportCut(record, path, context);
    }
  }
  throw usageError(
    baseUrl === undefined ? "no run is recorded" : `no run for ${baseUrl} is recorded`,
    'Run "catalog history" to list the runs, or pass a file that --record wrote.',
  );
}
