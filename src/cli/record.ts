/** The record of a run: the flags `--record`, `--no-record` and `--note`, and what they do. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { destinationIn } from "../base/atomic-write.ts";
import { isSameBaseUrl } from "../base/credentials.ts";
import { attempt, CatalogError, usageError } from "../base/errors.ts";
import { SANDBOX_VARIABLE } from "../base/io.ts";
import { escapeLine, quoteShell } from "../base/text.ts";
import type { Summary } from "../core/apply.ts";
import type { Plan } from "../core/plan.ts";
import { describeOrigin, makeHeader, type RecordHeader, RecordWriter } from "../core/record.ts";
import { isWrite } from "../core/step.ts";
import { describeTarget } from "../output/diagnostics.ts";
import { type Flag, type FlagValues, newFile, nonEmpty } from "./arguments.ts";
import type { Context } from "./context.ts";
import { newRun, pruneHistory, recordPath } from "./history.ts";

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
  const { folder } = context;
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
  const run = newRun(context);
  const header = makeHeader("run", run, context.clock.now(), facts);
  const path = steps.some(isWrite) ? recordPath(run, context) : undefined;
  const stored = path === undefined ? undefined : { name: run, path, root: undefined };
  if (stored !== undefined) pruneHistory(context);
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
