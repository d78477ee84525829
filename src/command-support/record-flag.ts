/** The flags about the record of a run, and what its header says. */
import { resolve } from "node:path";
import { findEntry } from "../base/atomic-write.ts";
import { usageError } from "../base/errors.ts";
import { RECORD_START } from "../base/file-start.ts";
import { requireLinksInside } from "../base/links.ts";
import { requireReplaceable } from "../base/own-file.ts";
import type { PlainObject } from "../base/values.ts";
import { describeOrigin, type RunDescription } from "../history/record.ts";
import type { RecordTarget } from "../history/recorder.ts";
import { findHistoryFolder } from "../history/store.ts";
import { type Flag, newFile, nonEmpty } from "./arguments.ts";
import type { Context } from "./context.ts";

/** The flag of every command that writes. */
export const RECORD_FLAG = {
  name: "record",
  value: "<file>",
  completes: "file",
  parse: newFile,
  description:
    "write the record of this run to a file instead of the history; {run} in its name becomes the name of the run",
} as const satisfies Flag;

const LONGEST_NOTE = 200;

/** The flag of every command that writes. */
export const NOTE_FLAG = {
  name: "note",
  value: "<text>",
  parse: parseNote,
  description: "a remark for the record of this run, which history shows",
} as const satisfies Flag;

function parseNote(text: string, flag: string): string {
  const note = nonEmpty(text, flag);
  if (/\p{Cc}|\u2028|\u2029/u.test(note)) throw usageError(`--${flag} must be one line`);
  if ([...note].length <= LONGEST_NOTE) return note;
  throw usageError(`--${flag} must have at most ${LONGEST_NOTE} characters`);
}

/** Checks the file of `--record` before anything is sent: a record of another run is not replaced. */
export function checkRecordFile(
  file: string | undefined,
  { folder }: Pick<Context, "folder">,
): void {
  if (file === undefined) return;
  const path = resolve(folder, file);
  requireLinksInside(file, path, folder);
  requireReplaceable({ name: file, path, what: "a record", flag: "--record", start: RECORD_START });
  const entry = findEntry(file, path);
  if (entry?.isFile() !== true || entry.size === 0) return;
  throw usageError(
    `${file} is the record of another run`,
    "Choose another file for --record, or write {run} in its name.",
  );
}

/** Where the record of a run goes. @param file the value of `--record` */
export function recordTarget(file: string | undefined, context: Context): RecordTarget {
  return file === undefined
    ? { history: findHistoryFolder(context) }
    : { file, folder: context.folder };
}

/** What the caller of `describeRun` knows about a run. */
interface KnownRun extends Pick<RunDescription, "target" | "undoes"> {
  /** Courses, or parts of them, with the providers that the run concerns. */
  readonly courses: readonly PlainObject[];
  readonly note?: string | undefined;
}

/** What the header of the record says about a run. */
export async function describeRun(
  { courses, note, ...run }: KnownRun,
  { author, environment, io, path: command, settings }: Context,
): Promise<RunDescription> {
  const ids = courses.flatMap(({ provider_id: id }) =>
    typeof id === "string" ? [id.toLowerCase()] : [],
  );
  return {
    command,
    baseUrl: (await settings()).baseUrl?.value ?? "",
    providers: [...new Set(ids)],
    ...describeOrigin(author, environment),
    ...(note === undefined ? {} : { note: io.err.mask(note) }),
    ...run,
  };
}
