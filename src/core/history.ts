/** The history: a folder with one record for each past run (docs/how-to/undo-a-push.md). */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  attempt,
  attemptOrError,
  CatalogError,
  systemCode,
  systemReason,
  usageError,
} from "../base/errors.ts";
import { type FolderSources, readRegular, userFolder } from "../base/files.ts";
import {
  NEW_PLAN,
  parseRecord,
  type RecordedStep,
  type RecordHeader,
  type RunRecord,
} from "./record.ts";

const EXTENSION = ".ndjson";
const RUN = /^\d{8}-\d{9}-[0-9a-f]{6}$/;

/** The most records; older runs lose theirs. */
const KEPT = 200;

/** The path of the history; undefined if the environment names no folder for it. */
export function findHistoryFolder(sources: FolderSources): string | undefined {
  return userFolder("state", sources, "history");
}

/** The names of the runs in the history, the newest first. @throws CatalogError if it cannot be read */
export function listRuns(folder: string | undefined): string[] {
  return readNames(folder)
    .filter((name) => name.endsWith(EXTENSION))
    .map((name) => name.slice(0, -EXTENSION.length))
    .filter((name) => RUN.test(name))
    .sort()
    .reverse();
}

function readNames(folder: string | undefined): readonly string[] {
  try {
    return folder === undefined ? [] : readdirSync(folder);
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return [];
    throw usageError(`cannot read the history ${folder}: ${systemReason(cause)}`);
  }
}

/** The path of the record of a run. */
export function recordPath(folder: string, run: string): string {
  return join(folder, run + EXTENSION);
}

/**
 * The name of a new run, from the time in UTC and a part of a random UUID: `20261123-101500123-2f4c9b`. Names sort
 * in the order of the runs, even if the clock was set back: each name is greater than the latest one.
 */
export function nameRun(now: number, uuid: string, latest = ""): string {
  const suffix = uuid.slice(-6);
  const nameAt = (time: number): string => {
    const digits = new Date(time).toISOString().replace(/\D/g, "");
    return `${digits.slice(0, 8)}-${digits.slice(8)}-${suffix}`;
  };
  const name = nameAt(now);
  if (name > latest) return name;
  const form = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(\d{3}).*$/;
  const time = Date.parse(latest.replace(form, "$1-$2-$3T$4:$5:$6.$7Z"));
  return Number.isNaN(time) ? name : nameAt(time + 1);
}

/** Removes the oldest records, so that there is a place for one more. */
export function pruneHistory(folder: string): void {
  // This may fail, because another run may have removed the record.
  for (const run of (attempt(() => listRuns(folder)) ?? []).slice(KEPT - 1)) {
    attempt(() => rmSync(recordPath(folder, run)));
  }
}

const KINDS = { run: "the record of a run", plan: "a plan" } as const;

/** Reads a record or a plan. @param name the name in messages @throws CatalogError if it is missing, damaged or the other */
export function readRecord(
  path: string,
  name: string,
  catalog: RecordHeader["catalog"],
): RunRecord {
  const advice = catalog === "plan" ? NEW_PLAN : 'Run "catalog history" to list the runs.';
  try {
    const bytes = readRegular(path);
    if (typeof bytes === "string") throw usageError(`${name} is not a regular file`);
    const record = parseRecord(bytes, name);
    if (record.header.catalog === catalog) return record;
    throw usageError(`${name} is ${KINDS[record.header.catalog]}, not ${KINDS[catalog]}`);
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause.with({ advice });
    const isMissing = systemCode(cause) === "ENOENT";
    // The plan is a file that the command needs, as course files are.
    if (isMissing && catalog === "plan") {
      throw new CatalogError("file", `no such file: ${name}`, { advice });
    }
    const reason = `cannot read ${name}: ${systemReason(cause)}`;
    throw usageError(isMissing ? `no such run or file: ${name}` : reason, advice);
  }
}

/**
 * Yields the runs of the history, the newest first, each with its name; instead of a record that cannot be read, the
 * error. `isUndone`: whether another run has undone all of its changes, and is not undone itself; that run is newer, so it
 * was read before.
 */
export function* readHistory(folder: string | undefined) {
  const undone = new Set<string>();
  for (const run of listRuns(folder)) {
    const path = recordPath(folder ?? "", run);
    const record = attemptOrError(() => readRecord(path, path, "run"));
    if (record instanceof CatalogError) {
      yield record;
      continue;
    }
    const { undoes, changes } = record.header;
    const isUndone = undone.has(run);
    const isComplete = record.steps.filter(hasEffect).length === changes;
    if (!isUndone && undoes !== undefined && isComplete) undone.add(undoes);
    yield { ...record, run, isUndone };
  }
}

function hasEffect({ status }: RecordedStep): boolean {
  return status === "done" || status === "unchanged";
}
