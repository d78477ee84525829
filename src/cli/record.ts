/** The flags `--record`, `--no-record` and `--note`, the record of a run, and the advice about undo. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { CatalogError, usageError } from "../base/errors.ts";
import { isRehearsal, isUnattended } from "../base/process.ts";
import { isSameBaseUrl } from "../base/secrets.ts";
import { escapeLine, quoteShell } from "../base/text.ts";
import type { Summary } from "../core/apply.ts";
import { findHistoryFolder, listRuns, nameRun, pruneHistory, recordPath } from "../core/history.ts";
import {
  describeOrigin,
  makeHeader,
  type RecordHeader,
  RecordWriter,
  type RunFacts,
} from "../core/record.ts";
import { isWrite, type Step } from "../core/step.ts";
import { describeTarget } from "../output/diagnostics.ts";
import { type Flag, newFile, nonEmpty } from "./arguments.ts";
import type { Context } from "./context.ts";

/** The flags of every command that changes courses. */
export const RECORD_FLAGS = [
  {
    name: "record",
    value: "<file>",
    parse: newFile,
    description: "save the record, which undo reads, to a new file instead of the history",
  },
  {
    name: "no-record",
    excludes: ["record"],
    description: "go on where no record can be saved: undo cannot reverse such a run",
  },
  {
    name: "note",
    value: "<text>",
    parse: nonEmpty,
    description: "a remark for the record, which history shows",
  },
] as const satisfies readonly Flag[];

/** The values of `RECORD_FLAGS`. */
export interface RecordFlags {
  readonly record: string | undefined;
  readonly noRecord: boolean;
  readonly note: string | undefined;
}

/** Checks the file of `--record`, even in a dry run. @throws CatalogError of kind `usage` if it exists */
export function checkRecordFlag(
  { record }: Pick<RecordFlags, "record">,
  { folder }: Context,
): void {
  if (record === undefined || !existsSync(resolve(folder, record))) return;
  throw usageError(`${record} exists, and --record replaces no file`, "Choose another file.");
}

/**
 * Opens the record of a run. In the history, a run without changes leaves none; a named file is always written.
 *
 * @param flags for an undo, `undoes` is the name of the run that it undoes
 * @throws CatalogError of kind `record` if the run cannot be recorded, so that it must not start
 */
export async function openRecord(
  steps: readonly Step[],
  { record: file, noRecord, note, undoes }: RecordFlags & { readonly undoes?: string },
  context: Context,
): Promise<RecordWriter | undefined> {
  if (noRecord || (file === undefined && !steps.some(isWrite))) return undefined;
  const { clock, folder } = context;
  // A refused step of an undo is a change that is left to undo.
  const changes = steps.filter((step) => isWrite(step) || step.action === "refused").length;
  const facts = {
    ...(await describeRun(context)),
    ...(note === undefined ? {} : { note }),
    ...(undoes === undefined ? {} : { undoes, changes }),
  };
  const now = clock.now();
  const history = file === undefined ? findHistoryFolder(context) : undefined;
  const run = nameRun(now, clock.uuid(), listRuns(history)[0]);
  const header = makeHeader("run", run, now, facts);
  if (file !== undefined) return new RecordWriter(resolve(folder, file), file, header);
  if (history === undefined) {
    const advice =
      "Set HOME or XDG_STATE_HOME, pass --record <file>, or --no-record to go on without undo.";
    throw new CatalogError("record", "there is no folder for the record of this run", { advice });
  }
  pruneHistory(history);
  return new RecordWriter(recordPath(history, run), run, header);
}

/** The facts about a run or a plan that its header contains. */
export async function describeRun(context: Context): Promise<RunFacts> {
  const { author, environment, path: command, settings, providers, target } = context;
  return {
    command,
    baseUrl: (await settings()).baseUrl?.value ?? "",
    account: (await providers()).map(({ id }) => id.toLowerCase()),
    target: describeTarget(await target()),
    ...describeOrigin(author, environment),
  };
}

/** How to undo the run of a record; undefined if it changed nothing. */
export function undoAdvice(
  { name }: RecordWriter,
  { created, updated, deleted, unknown }: Summary,
  { record }: RecordFlags,
  { environment }: Context,
): string | undefined {
  if (created + updated + deleted + unknown === 0 || isRehearsal(environment)) return undefined;
  const isLocal = record === undefined && isUnattended(environment);
  const where = isLocal ? " (the record is only on this machine; to keep it, pass --record)" : "";
  return `To undo this run: catalog undo ${quoteShell(name)}${where}`;
}

/** Requires that a plan or record is for the base URL and the account in effect. @throws CatalogError */
export async function requireSameService(
  { baseUrl, account }: Pick<RecordHeader, "baseUrl" | "account">,
  what: string,
  { settings, providers }: Context,
): Promise<void> {
  const current = (await settings()).baseUrl?.value;
  if (current !== undefined && !isSameBaseUrl(baseUrl, current)) {
    throw usageError(
      `${what} is for ${escapeLine(baseUrl)}, but the base URL is ${current}`,
      `Pass --base-url ${escapeLine(baseUrl)}, or --profile with a profile for that service.`,
    );
  }
  const own = new Set((await providers()).map(({ id }) => id.toLowerCase()));
  if (account.length === 0 || account.some((id) => own.has(id))) return;
  throw usageError(
    `${what} is for another account than this API key`,
    "Use the API key of that account.",
  );
}
