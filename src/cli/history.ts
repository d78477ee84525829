/** The history: a folder with one record for each past run (docs/how-to/undo-a-push.md). */
import { readdirSync, rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { isSameBaseUrl } from "../base/credentials.ts";
import {
  attempt,
  attemptOrError,
  CatalogError,
  systemCode,
  systemReason,
  usageError,
} from "../base/errors.ts";
import { formatByName, userFolder } from "../base/files.ts";
import { type RecordedStep, type RunRecord, readRecord } from "../core/record.ts";
import type { Context } from "./context.ts";

const RECORD = /^(\d{8}-\d{9}-[0-9a-f]{6})\.ndjson$/;

/** The most records; older runs lose theirs. */
const KEPT = 200;

/** The path of the record of a run; undefined if the environment names no folder for the history. */
export function recordPath(run: string, context: Context): string | undefined {
  return userFolder("state", context, "history", `${run}.ndjson`);
}

/** The names of the runs, the newest first. @throws CatalogError if the folder cannot be read */
function listRuns(context: Context): string[] {
  const folder = userFolder("state", context, "history");
  try {
    const names = folder === undefined ? [] : readdirSync(folder);
    return names
      .flatMap((name) => RECORD.exec(name)?.[1] ?? [])
      .sort()
      .reverse();
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return [];
    throw usageError(`cannot read the history ${folder}: ${systemReason(cause)}`);
  }
}

/** The name of a run that begins now: it is greater than that of each run before. */
export function newRun(context: Context): string {
  const { clock } = context;
  const [latest] = attempt(() => listRuns(context)) ?? [];
  return nameRun(clock.now(), clock.uuid(), latest);
}

/**
 * The name of a new run, from the time in UTC and a part of a random UUID: `20261123-101500123-2f4c9b`. Names sort
 * in the order of the runs, even if the clock was set back: each name is greater than the latest one.
 */
function nameRun(now: number, uuid: string, latest = ""): string {
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
export function pruneHistory(context: Context): void {
  for (const run of (attempt(() => listRuns(context)) ?? []).slice(KEPT - 1)) {
    // This may fail, because another run may have removed the record.
    attempt(() => rmSync(recordPath(run, context) ?? ""));
  }
}

/**
 * Yields the runs, the newest first, one at a time, because each may be large, with their names. Skips records that cannot
 * be read, with a warning about each. `isUndone`: whether a run has undone all of its changes, and is not undone itself;
 * that run is newer, so it was read before.
 */
export async function* readRuns(context: Context) {
  const undone = new Set<string>();
  for (const run of listRuns(context)) {
    const path = recordPath(run, context) ?? "";
    const record = attemptOrError(() => readRecord(path, path, "run"));
    if (record instanceof CatalogError) {
      await context.messages.warn(`${path}: ${record.message}`);
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

/**
 * The steps that runs sent from each of some workbooks to the base URL in effect, the oldest first, without those that were
 * undone. `unknown`: the step or its undo may have had no effect.
 *
 * @param workbooks the names of the files, by the ids of the workbooks
 */
export async function findSent(
  workbooks: ReadonlyMap<string, string>,
  context: Context,
): Promise<ReadonlyMap<string, readonly RecordedStep[]>> {
  const current = (await context.settings()).get("baseUrl")?.value ?? "";
  const undone = new Map<string, Map<string, RecordedStep["status"]>>();
  const sent = new Map<string, readonly RecordedStep[]>();
  for await (const { run, header, steps } of readRuns(context)) {
    if (!isSameBaseUrl(header.baseUrl, current)) continue;
    const effects = steps.flatMap(({ step, status }): RecordedStep[] => {
      if (status === "failed" || status === "skipped") return [];
      const undo = undone.get(run)?.get(step.id);
      if (undo === undefined) return [{ step, status }];
      return undo === "unknown" ? [{ step, status: "unknown" }] : [];
    });
    if (header.undoes !== undefined) {
      const own = undone.get(header.undoes) ?? new Map();
      for (const { step, status } of effects) own.set(step.id, status);
      undone.set(header.undoes, own);
    } else {
      const { workbooks: ids = [] } = header;
      for (const id of ids) {
        // A run may send other files, too. A deletion is of no file.
        const name = basename(workbooks.get(id) ?? "");
        const isOf = ({ step: { from } }: RecordedStep): boolean => {
          const { file } = from ?? {};
          if (file === undefined) return true;
          return ids.length > 1 ? basename(file) === name : formatByName(file) === "xlsx";
        };
        if (workbooks.has(id)) sent.set(id, [...effects.filter(isOf), ...(sent.get(id) ?? [])]);
      }
    }
  }
  return sent;
}

/** The record of a run or file, for any base URL. @throws CatalogError of kind `usage` if it cannot be read */
export function findNamedRun(word: string, context: Context): RunRecord {
  const isRun = (attempt(() => listRuns(context)) ?? []).includes(word);
  const path = isRun ? recordPath(word, context) : undefined;
  return readRecord(path ?? resolve(context.folder, word), word, "run");
}
