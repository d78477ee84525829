/** The flags `--record` and `--note`, the header of an undo record, and the advice about undo. */
import { resolve } from "node:path";
import { requireAbsent } from "../base/atomic-write.ts";
import { asCatalogError, CatalogError, usageError } from "../base/errors.ts";
import { isRehearsal, isUnattended } from "../base/process.ts";
import { pluralize, quoteShell } from "../base/text.ts";
import { describeOrigin } from "../sync/record-format.ts";
import { findHistoryFolder } from "../sync/record-store.ts";
import { Recorder } from "../sync/record-writer.ts";
import type { Step } from "../sync/step.ts";
import { type Flag, newFile, nonEmpty } from "./arguments.ts";
import type { Context } from "./context.ts";
import { type Counts, countChanged } from "./results.ts";

const RECORD_FLAG = {
  name: "record",
  value: "<file>",
  completes: "file",
  parse: newFile,
  description:
    "save the undo record to a file instead of the history; {run} in the name becomes the name of the run",
} as const satisfies Flag;

const LONGEST_NOTE = 200;

const NOTE_FLAG = {
  name: "note",
  value: "<text>",
  parse: parseNote,
  description: "a remark for the undo record, which history shows",
} as const satisfies Flag;

/** The flags of every command that changes courses. */
export const RECORD_FLAGS = [RECORD_FLAG, NOTE_FLAG] as const satisfies readonly Flag[];

/** The values of `RECORD_FLAGS`. */
export interface RecordFlags {
  readonly record: string | undefined;
  readonly note: string | undefined;
}

function parseNote(text: string, flag: string): string {
  const note = nonEmpty(text, flag);
  if (/\p{Cc}|\u2028|\u2029/u.test(note)) throw usageError(`--${flag} must be one line`);
  if ([...note].length <= LONGEST_NOTE) return note;
  throw usageError(`--${flag} must have at most ${LONGEST_NOTE} characters`);
}

/**
 * Checks the file of `--record`, before anything is sent.
 *
 * @throws CatalogError of kind `usage`, for example if the file exists
 */
export function checkRunFlags(
  { record: file }: Pick<RecordFlags, "record">,
  { folder }: Context,
): void {
  if (file === undefined) return;
  requireAbsent(file, resolve(folder, file));
}

interface RecordedRun {
  readonly steps: readonly Step[];
  readonly undoes?: { readonly run: string };
}

/** Creates the recorder of a run. @param target the service and the account, as the line `Target: …` names them */
export async function createRecorder(
  { steps, undoes }: RecordedRun,
  { record: file, note }: RecordFlags,
  target: string | undefined,
  context: Context,
): Promise<Recorder> {
  const { author, clock, environment, folder, io, messages, path: command } = context;
  const header = {
    command,
    baseUrl: (await context.settings()).baseUrl?.value ?? "",
    providers: findProviders(steps),
    ...describeOrigin(author, environment),
    ...(note === undefined ? {} : { note: io.err.mask(note) }),
    ...(target === undefined ? {} : { target }),
    ...(undoes === undefined ? {} : { undoes: undoes.run }),
  };
  const history = findHistoryFolder(context);
  const onFailure = async ({ kind, message, facts }: CatalogError): Promise<void> => {
    const text = `this run cannot be undone, because its undo record cannot be saved: ${message}`;
    // The file of --record is a result of the run, so its failure is an error. The history is a precaution.
    if (file !== undefined) return await messages.fail(new CatalogError(kind, text, facts));
    await messages.warn(text);
    if (facts.advice !== undefined) await messages.info(facts.advice);
  };
  const recordTarget = file === undefined ? { history } : { file, folder };
  const recorder = new Recorder(recordTarget, { header, clock, onFailure });
  const deletes = steps.some(({ action }) => action === "delete");
  // The file of --record is written even if the run changes nothing.
  if (!deletes && file === undefined) return recorder;
  try {
    recorder.open();
  } catch (thrown) {
    const error = asCatalogError(thrown);
    if (!deletes) await onFailure(error);
    else {
      const reason = "nothing was sent, because catalog deletes no course without an undo record";
      throw new CatalogError(error.kind, `${error.message}; ${reason}`, error.facts);
    }
  }
  return recorder;
}

function findProviders(steps: readonly Step[]): string[] {
  const ids = steps.flatMap(({ from, remote, ...step }) => [
    ...[from?.value.provider_id, remote?.provider_id],
    "body" in step ? step.body.provider_id : undefined,
  ]);
  const known = ids.filter((id) => typeof id === "string");
  return [...new Set(known.map((id) => id.toLowerCase()))];
}

/** The advice how to undo a run; undefined if it changed nothing. @param run the run or file, for `catalog undo` */
export function undoAdvice(
  counts: Counts,
  run: string | undefined,
  { record, undoes }: Pick<RecordFlags, "record"> & Pick<RecordedRun, "undoes">,
  { environment }: Context,
): string | undefined {
  const { deleted, unknown } = counts;
  if (run === undefined || isRehearsal(environment)) return undefined;
  if (countChanged(counts) + unknown === 0) return undefined;
  const isLocal = record === undefined && isUnattended(environment);
  const where = isLocal
    ? " (the undo record is only on this machine; to keep it, pass --record)"
    : "";
  const advice = `${undoCommand(run)}${where}`;
  if (undoes !== undefined) return `To repeat what was undone: ${advice}`;
  if (deleted === 0) return `To undo this run: ${advice}`;
  const them = deleted === 1 ? "it" : "them";
  return `Deleted ${pluralize(deleted, "course")}. To restore ${them}: ${advice}`;
}

/** The command that undoes a run of the history or an undo record file. */
export function undoCommand(run: string): string {
  return `catalog undo ${quoteShell(run)}`;
}
