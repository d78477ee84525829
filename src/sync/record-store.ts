/** Lists, reads and removes the undo records in the history, a folder with one record for each past run. */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt, CatalogError, systemCode, systemReason, usageError } from "../base/errors.ts";
import { type FolderSources, userFolder } from "../base/folders.ts";
import { type OpenFile, withOpened } from "../base/open-file.ts";
import {
  countWrites,
  damagedRecord,
  parseEnd,
  parseHeader,
  parseRecord,
  type RunRecord,
  type RunSummary,
} from "./record-format.ts";

/** The extension of a record's file name; the name before it is the name of the run. */
export const RECORD_EXTENSION = ".ndjson";

const KEPT_RECORDS = 200;
const KEPT_BYTES = 500_000_000;
const WEEK = 7 * 24 * 60 * 60 * 1000;

const RUN = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(\d{3})-[0-9a-f]{6}$/;
/** With a later clock, runs get names from this time on, one after the other. Names end with that year. */
const LATEST_TIME = Date.UTC(9999, 0);
const END_OF_NAMES = Date.UTC(9999, 11, 31);

/** The path of the history; undefined if the environment names no folder for it. */
export function findHistoryFolder(sources: FolderSources): string | undefined {
  return userFolder("state", sources, "history");
}

/**
 * The name of a new run, from the time in UTC and a part of a random UUID: `20261123-101500123-2f4c9b`. Names sort
 * in the order of the runs, even if the clock was set back: each name is greater than `latest`.
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

/** The time in the name of a run, in milliseconds since 1970; undefined for another name. */
function timeOf(run: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction] = RUN.exec(run) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`);
  return time < END_OF_NAMES ? time : undefined;
}

/** The names of the runs in the history with the paths of their records, the newest first. */
export function listRuns(
  folder: string | undefined,
): { readonly run: string; readonly path: string }[] {
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
 * Removes old records. The newest 200 records remain, and all records of the last week, because names depend on
 * clocks, but no more than 500 MB. The record of the current run always remains.
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
    // This may fail: another run may have removed the record, or it may belong to another user.
    if (run !== current && !isKept) attempt(() => rmSync(path));
  }
}

/** The most bytes of a record; more would not fit into one string. */
const MAX_SIZE = 500 * 1024 * 1024;
/** The most bytes of the last line, which has only counts. */
const END_SIZE = 1024;

/**
 * Reads an undo record.
 *
 * @param file the name of a file that the user named; absent for a record in the history
 * @throws CatalogError of kind `usage` if the file is damaged or not an undo record
 */
export function readRecord(path: string, file?: string): RunRecord {
  const name = file ?? path;
  return reading(path, name, (opened) => {
    if (opened.size > MAX_SIZE) {
      throw usageError(
        `cannot read ${name}: it is larger than ${MAX_SIZE / 1024 / 1024} MiB, the limit`,
      );
    }
    return parseRecord(decode(opened.read(0, opened.size)), name);
  });
}

/**
 * Reads the first and the last line of a record in the history, or the complete record of a killed run.
 *
 * @throws CatalogError of kind `usage` if the file is damaged or not an undo record
 */
export function readSummary(path: string): RunSummary {
  const summary = reading(path, path, (file) => {
    const header = parseHeader(readFirstLine(file), path);
    return { header, end: parseEnd(readLastLine(file)) };
  });
  const { header, end = countWrites(readRecord(path).writes) } = summary;
  return { header, end };
}

function reading<Result extends object>(
  path: string,
  name: string,
  read: (file: OpenFile) => Result,
): Result {
  try {
    const result = withOpened(path, read);
    if (typeof result === "object") return result;
    throw usageError(`cannot read ${name}: it is not a regular file`);
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    if (cause instanceof TypeError) throw damagedRecord(name, 1, "it is not UTF-8 text");
    const advice = 'Run "catalog history" to list the runs.';
    if (systemCode(cause) === "ENOENT") throw usageError(`no such run or file: ${name}`, advice);
    throw usageError(`cannot read ${name}: ${systemReason(cause)}`, advice);
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

function readFirstLine(file: OpenFile): string {
  for (let size = 4096; ; size *= 16) {
    const bytes = file.read(0, Math.min(size, MAX_SIZE));
    const end = bytes.indexOf("\n");
    if (end !== -1 || bytes.length < size)
      return decode(end === -1 ? bytes : bytes.subarray(0, end));
  }
}

/** Reads the last line; empty if the line is longer than a line with counts can be. */
function readLastLine(file: OpenFile): string {
  const bytes = file.read(Math.max(0, file.size - END_SIZE), END_SIZE);
  const [, ...complete] = bytes.toString("latin1").trimEnd().split("\n");
  return complete.at(-1) ?? "";
}

/**
 * Adds to each run whether it is undone: another run has undone all of its changes, and is not undone itself.
 *
 * @param runs the newest first, so that the undos of a run come before the run
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
