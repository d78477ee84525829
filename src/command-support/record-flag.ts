/** `--record` and `--note`: where a run is recorded, so that it can be undone. */
import { resolve } from "node:path";
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { RECORD_START } from "../base/file-start.ts";
import { requireLinksInside } from "../base/links.ts";
import { requireReplaceable } from "../base/own-file.ts";
import { pluralize } from "../base/text.ts";
import { Recorder, type RecordTarget } from "../sync/recorder.ts";
import type { Step } from "../sync/step.ts";
import { findHistoryFolder } from "../sync/store.ts";
import { type Flag, newFile, nonEmpty } from "./arguments.ts";
import { isUnattended } from "./ask.ts";
import type { Context } from "./context.ts";
import { type Counts, countChanged } from "./run-counts.ts";

/** The flags of every command that changes courses. */
export const RECORD_FLAGS = [
  {
    name: "record",
    value: "<file>",
    completes: "file",
    parse: newFile,
    description: "write the record of this run to a file instead of the history",
  },
  {
    name: "note",
    value: "<text>",
    parse: nonEmpty,
    description: "a remark about this run, which the history shows",
  },
] as const satisfies readonly Flag[];

/** The values of the flags. */
export interface RecordFlags {
  readonly record: string | undefined;
  readonly note: string | undefined;
}

/** The recorder of a run. */
export async function createRecorder(
  {
    steps,
    undoes,
  }: { readonly steps: readonly Step[]; readonly undoes?: { readonly run: string } },
  { record: file, note }: RecordFlags,
  context: Context,
): Promise<Recorder> {
  const { clock, messages, path: command } = context;
  const { baseUrl } = await context.settings();
  return new Recorder(recordTarget(file, context), {
    header: {
      command,
      baseUrl: baseUrl?.value ?? "",
      providers: findProviders(steps),
      ...(note === undefined ? {} : { note }),
      ...(undoes === undefined ? {} : { undoes: undoes.run }),
    },
    clock,
    onFailure: async (error) => {
      const { kind, message, facts } = error;
      const text = `this run cannot be undone, because it is not recorded: ${message}`;
      // A file that was asked for is a result of the run; the history is only a precaution.
      if (file !== undefined) return await messages.fail(new CatalogError(kind, text, facts));
      await messages.warn(text);
      if (facts.advice !== undefined) await messages.info(facts.advice);
    },
  });
}

/** Creates the record before anything is deleted. @throws CatalogError of kind `output` */
export function requireRecord(recorder: Recorder): void {
  try {
    recorder.open();
  } catch (thrown) {
    const { kind, message, facts } = asCatalogError(thrown);
    const reason = "nothing was sent, because deletions are always recorded";
    throw new CatalogError(kind, `${message}; ${reason}`, facts);
  }
}

function recordTarget(file: string | undefined, context: Context): RecordTarget {
  if (file === undefined) return { folder: findHistoryFolder(context) };
  return { file, path: resolve(context.folder, file) };
}

function findProviders(steps: readonly Step[]): string[] {
  const ids = steps.flatMap((step) =>
    [step.from?.value.provider_id, step.remote?.provider_id].flatMap((id) =>
      typeof id === "string" ? [id.toLowerCase()] : [],
    ),
  );
  return [...new Set(ids)];
}

/** How to undo a run; undefined if it changed nothing. */
export function undoAdvice(
  counts: Counts,
  run: string | undefined,
  { record }: RecordFlags,
  { environment }: Pick<Context, "environment">,
): string | undefined {
  const { deleted, unknown } = counts;
  if (run === undefined || countChanged(counts) + unknown === 0) return undefined;
  const isLocal = record === undefined && isUnattended(environment);
  const where = isLocal ? " (its record is on this machine only; keep it with --record)" : "";
  const advice = `${undoCommand(run)}${where}`;
  if (deleted === 0) return `To undo this run: ${advice}`;
  const them = deleted === 1 ? "it" : "them";
  return `Deleted ${pluralize(deleted, "course")}. To restore ${them}: ${advice}`;
}

/** The command that undoes a run or a record file. */
export function undoCommand(run: string): string {
  return `catalog undo ${/^[\w./-]+$/.test(run) ? run : JSON.stringify(run)}`;
}

/** Checks the file of `--record` before anything is sent. */
export function checkRecordFile(
  { record: file }: Pick<RecordFlags, "record">,
  { folder }: Pick<Context, "folder">,
): void {
  if (file === undefined) return;
  const path = resolve(folder, file);
  requireLinksInside(file, path, folder);
  requireReplaceable({ name: file, path, what: "a record", flag: "--record", start: RECORD_START });
}
