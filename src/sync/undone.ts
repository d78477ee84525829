/** Which runs are undone, and which one `catalog undo` takes without a name. */
import { isSameBaseUrl } from "../base/credentials.ts";
import { readSummary } from "./read-record.ts";
import type { RecordHeader, RunSummary, WriteCounts } from "./record.ts";
import { listRuns } from "./store.ts";

/**
 * The runs, with those that are undone. A run is undone if an undo of it left nothing and is not undone
 * itself.
 *
 * @param runs the newest first, so that the undos of a run come before it
 */
export function* markUndone<Run extends RunSummary>(
  runs: Iterable<Run>,
): Generator<Run & { readonly isUndone: boolean }, void, void> {
  const undone = new Set<string>();
  for (const run of runs) {
    const { header, end } = run;
    const isUndone = undone.has(header.run);
    if (!isUndone && end.left === 0 && header.undoes !== undefined) undone.add(header.undoes);
    yield { ...run, isUndone };
  }
}

/**
 * The paths of the runs for a base URL, or for any without one, that changed something, are no undos, and
 * are not undone; the latest first.
 *
 * @throws CatalogError of kind `usage` at a record that is damaged
 */
export function* listUndoable(
  folder: string | undefined,
  baseUrl: string | undefined,
): Generator<string, void, void> {
  for (const { header, end, isUndone, path } of markUndone(readSummaries(folder))) {
    const isCandidate = header.undoes === undefined && !isUndone && mayHaveChanged(end);
    if (isCandidate && isFor(baseUrl, header)) yield path;
  }
}

/** Whether a run wrote to a base URL; every run did without one. */
export function isFor(baseUrl: string | undefined, header: Pick<RecordHeader, "baseUrl">): boolean {
  return baseUrl === undefined || isSameBaseUrl(header.baseUrl, baseUrl);
}

function* readSummaries(folder: string | undefined) {
  for (const { path } of listRuns(folder)) yield { ...readSummary(path, path), path };
}

function mayHaveChanged({ created, updated, deleted, unknown }: WriteCounts): boolean {
  return created + updated + deleted + unknown > 0;
}
