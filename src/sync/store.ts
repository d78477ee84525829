/** The folder of the records of past runs. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { attempt, usageError } from "../base/errors.ts";
import { type FolderSources, userFolder } from "../base/folders.ts";

/** The end of a record's file name; before it is the name of the run. */
export const RECORD_EXTENSION = ".ndjson";
const KEPT_RECORDS = 200;

const RUN = /^\d{8}-\d{9}-[0-9a-f]{6}$/;

/** The folder of the history; undefined if the user has no folder for state. */
export function findHistoryFolder(sources: FolderSources): string | undefined {
  return userFolder("state", sources, "history");
}

/** The name of a run: the time in UTC, so that names sort by time, and a part of a random UUID. */
export function nameRun(time: number, uuid: string): string {
  const digits = new Date(time).toISOString().replace(/\D/g, "");
  return `${digits.slice(0, 8)}-${digits.slice(8, 17)}-${uuid.slice(-6)}`;
}

/** A run of the history, and the path of its record. */
interface StoredRun {
  readonly run: string;
  readonly path: string;
}

/** The runs of the history, the newest first. */
export function listRuns(folder: string | undefined): StoredRun[] {
  if (folder === undefined) return [];
  const names = attempt(() => readdirSync(folder)) ?? [];
  return names
    .filter((name) => name.endsWith(RECORD_EXTENSION))
    .map((name) => name.slice(0, -RECORD_EXTENSION.length))
    .filter((name) => RUN.test(name))
    .sort()
    .reverse()
    .map((run) => ({ run, path: join(folder, `${run}${RECORD_EXTENSION}`) }));
}

/** Removes all records but the newest. A record that cannot be removed is left. */
export function pruneHistory(folder: string): void {
  for (const { path } of listRuns(folder).slice(KEPT_RECORDS)) {
    // Another run may have removed it, or it belongs to another user.
    attempt(() => rmSync(path));
  }
}

/** The path of a run of the history, or of a record file. @throws CatalogError of kind `usage` */
export function findRecord(
  word: string,
  folder: string | undefined,
  resolvePath: (file: string) => string,
): { readonly name: string; readonly path: string } {
  if (word === "") throw usageError("the run is empty", 'Run "catalog history" to list the runs.');
  const path = listRuns(folder).find(({ run }) => run === word)?.path;
  return path === undefined ? { name: word, path: resolvePath(word) } : { name: path, path };
}
