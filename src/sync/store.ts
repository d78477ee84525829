/** The folder of the records of past runs. */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt, usageError } from "../base/errors.ts";
import { type FolderSources, userFolder } from "../base/folders.ts";

/** The end of a record's file name; before it is the name of the run. */
export const RECORD_EXTENSION = ".ndjson";

const KEPT_RECORDS = 200;
const KEPT_BYTES = 500_000_000;
const WEEK = 7 * 24 * 60 * 60 * 1000;

const RUN = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(\d{3})-[0-9a-f]{6}$/;
/** Runs with a later clock are named from here on, one after the other; names end with that year. */
const LATEST_TIME = Date.UTC(9999, 0);
const END_OF_NAMES = Date.UTC(9999, 11, 31);

/** The folder of the history; undefined if the user has no folder for state. */
export function findHistoryFolder(sources: FolderSources): string | undefined {
  return userFolder("state", sources, "history");
}

/**
 * The name of a run: the time in UTC, and a part of a random UUID. Names sort by the order of the runs,
 * so a name is never less than one that exists: a clock may have been ahead until it was corrected.
 *
 * @param latest the greatest name that exists
 */
export function nameRun(now: number, uuid: string, latest?: string): string {
  const suffix = uuid.slice(-6);
  const name = nameAt(Math.min(Math.max(now, 0), LATEST_TIME), suffix);
  if (latest === undefined || name > latest) return name;
  return nameAt((timeOf(latest) ?? now) + 1, suffix);
}

function nameAt(time: number, suffix: string): string {
  const digits = new Date(time).toISOString().replace(/\D/g, "");
  return `${digits.slice(0, 8)}-${digits.slice(8, 17)}-${suffix}`;
}

/** The time in the name of a run; undefined for another name. */
function timeOf(run: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction] = RUN.exec(run) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`);
  return time < END_OF_NAMES ? time : undefined;
}

/** A run of the history, and the path of its record. */
export interface StoredRun {
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
    .filter((name) => timeOf(name) !== undefined)
    .sort()
    .reverse()
    .map((run) => ({ run, path: join(folder, `${run}${RECORD_EXTENSION}`) }));
}

/**
 * Removes old records: the newest 200 remain and, because clocks are wrong, those of the last week, but
 * not more than 500 MB. The record of the current run always remains.
 */
export function pruneHistory(folder: string, current: string, now: number): void {
  let count = 0;
  let bytes = 0;
  for (const { run, path } of listRuns(folder)) {
    const entry = attempt(() => statSync(path));
    if (entry === undefined) continue;
    count++;
    bytes += entry.size;
    const isRecent = entry.mtimeMs > now - WEEK;
    const isKept = bytes <= KEPT_BYTES && (count <= KEPT_RECORDS || isRecent);
    // Another run may have removed it, or it belongs to another user.
    if (run !== current && !isKept) attempt(() => rmSync(path));
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
