/** The records of runs: the flags `--record`, `--no-record` and `--note`, the record of this run, and the records of past runs. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { destinationIn } from "../base/atomic-write.ts";
import { isSameBaseUrl } from "../base/credentials.ts";
import { attempt, CatalogError, usageError } from "../base/errors.ts";
import { SANDBOX_VARIABLE } from "../base/io.ts";
import { escapeLine, quoteShell } from "../base/text.ts";
import type { Summary } from "../core/apply.ts";
import {
  findHistoryFolder,
  listRuns,
  nameRun,
  pruneHistory,
  readHistory,
  readRecord,
  recordPath,
} from "../core/history.ts";
import type { Plan } from "../core/plan.ts";
import {
  describeOrigin,
  makeHeader,
  type RecordedStep,
  type RecordHeader,
  RecordWriter,
  type RunRecord,
} from "../core/record.ts";
import { isWrite } from "../core/step.ts";
import { describeTarget } from "../output/diagnostics.ts";
import { type Flag, type FlagValues, newFile, nonEmpty } from "./arguments.ts";
import type { Context } from "./context.ts";

/** The flags of every command that changes courses. */
export const RECORD_FLAGS = [
  {
    name: "record",
    value: "<file>",
    parse: newFile,
    file: "written",
    description: "also save the record, which undo reads, to a new file",
  },
  {
    name: "no-record",
    excludes: ["record"],
    description: "save no record; the run cannot be undone",
  },
  {
    name: "note",
    value: "<text>",
    parse: nonEmpty,
    description: "a remark for the record, which history shows",
  },
] as const satisfies readonly Flag[];

/** How a run is recorded. */
export interface RecordOptions extends FlagValues<typeof RECORD_FLAGS> {
  readonly dryRun?: boolean;
  /** For `undo`: the name of the run that is undone. */
  readonly undoes?: string;
}

/**
 * Opens the record of a run. In the history, a run without changes leaves none; a named file is always written, too.
 *
 * @returns undefined if the run is not recorded
 * @throws CatalogError of kind `record` if the run cannot be recorded, so that it must not start
 */
export async function openRecord(
  { steps, origin }: Pick<Plan, "steps" | "origin">,
  { record: file, noRecord, note, undoes, dryRun }: RecordOptions,
  context: Context,
): Promise<RecordWriter | undefined> {
  const { clock, folder } = context;
  if (file !== undefined && existsSync(resolve(folder, file))) {
    throw usageError(
      `${file} already exists, and --record never overwrites a file`,
      "Choose another file.",
    );
  }
  if (dryRun || noRecord || (file === undefined && !steps.some(isWrite))) return undefined;
  // A refused step of an undo is a change that is left to undo.
  const changes = steps.filter((step) => isWrite(step) || step.action === "refused").length;
  const undo = undoes === undefined ? {} : { undoes, changes };
  const facts = { ...(await describeRun(context)), ...undo, note, ...origin };
  const now = clock.now();
  const history = findHistoryFolder(context);
  const [latest] = attempt(() => listRuns(history)) ?? [];
  const run = nameRun(now, clock.uuid(), latest);
  const header = makeHeader("run", run, now, facts);
  const stored =
    history !== undefined && steps.some(isWrite)
      ? { name: run, path: recordPath(history, run), root: undefined }
      : undefined;
  if (history !== undefined && stored !== undefined) pruneHistory(history);
  if (file !== undefined) {
    // Where there is no place for a history, the file is enough.
    const copy = stored === undefined ? undefined : attempt(() => new RecordWriter(stored, header));
    return new RecordWriter(destinationIn(folder, file), header, copy);
  }
  if (stored === undefined) {
    const advice =
      "Set HOME or XDG_STATE_HOME, pass --record <file>, or --no-record to continue without undo.";
    throw new CatalogError("record", "there is no folder for the record of this run", { advice });
  }
  return new RecordWriter(stored, header);
}

/** The facts about a run or a plan that its header contains. */
export async function describeRun(context: Context) {
  const { author, environment, io, path: command, settings, providers, target } = context;
  return {
    command,
    baseUrl: (await settings()).get("baseUrl")?.value ?? "",
    account: (await providers()).map(({ id }) => id.toLowerCase()),
    // As the run showed it: the name of a provider may contain the key.
    target: io.err.mask(describeTarget(await target())),
    ...describeOrigin(author(), environment),
  };
}

/** How to undo the run of a record; undefined if it changed nothing. */
export function undoAdvice(
  { name }: RecordWriter,
  { created, updated, deleted, unknown }: Summary,
  { environment }: Context,
): string | undefined {
  if (created + updated + deleted + unknown === 0 || environment[SANDBOX_VARIABLE] === "1")
    return undefined;
  return `To undo this run: catalog undo ${quoteShell(name)}`;
}

/** Requires that a plan or record is for the base URL and the account in effect. @throws CatalogError */
export async function requireSameService(
  { baseUrl, account }: Pick<RecordHeader, "baseUrl" | "account">,
  what: string,
  { settings, providers }: Context,
): Promise<void> {
  const current = (await settings()).get("baseUrl")?.value;
  if (current !== undefined && !isSameBaseUrl(baseUrl, current)) {
    throw usageError(
      `${what} is for ${escapeLine(baseUrl)}, but the base URL is ${current}`,
      `Pass --base-url ${escapeLine(baseUrl)}, or --profile with a profile for that service.`,
    );
  }
  const own = new Set((await providers()).map(({ id }) => id.toLowerCase()));
  if (account.some((id) => own.has(id))) return;
  throw usageError(`${what} is for another account`, "Use the API key of that account.");
}

/**
 * Yields the runs of the history, the newest first, one at a time, because each may be large. Skips damaged records, with
 * a warning about each.
 */
export async function* readRuns(context: Context) {
  for (const run of readHistory(findHistoryFolder(context))) {
    if (!(run instanceof CatalogError)) yield run;
    else await context.messages.warn(`${run.facts.file}: ${run.message}`);
  }
}

/**
 * The steps that runs sent from workbooks to the base URL in effect, the oldest first, without those that were undone.
 * `unknown`: the step or its undo may have had no effect.
 */
export async function findSent(
  workbooks: readonly string[],
  context: Context,
): Promise<readonly RecordedStep[]> {
  const current = (await context.settings()).get("baseUrl")?.value ?? "";
  const undone = new Map<string, Map<string, RecordedStep["status"]>>();
  const sent: RecordedStep[][] = [];
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
    } else if (header.workbooks?.some((id) => workbooks.includes(id))) sent.unshift(effects);
  }
  return sent.flat();
}

/** The record of a run or file, for any base URL. @throws CatalogError of kind `usage` if it cannot be read */
export function findNamedRun(word: string, context: Context): RunRecord {
  const history = findHistoryFolder(context);
  const runs = attempt(() => listRuns(history)) ?? [];
  const isStored = history !== undefined && runs.includes(word);
  const path = isStored ? recordPath(history, word) : resolve(context.folder, word);
  return readRecord(path, word, "run");
}
