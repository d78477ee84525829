/** The program's own files, which even damaged ones begin like; no others are replaced. */
import { findEntry, writeError } from "./atomic-write.ts";
import { usageError } from "./errors.ts";
import { withOpened } from "./open-file.ts";

/** The version of the format of records; a record of another version cannot be read. */
export const RECORD_VERSION = 1;

/** The start of every record of a run. */
export const RECORD_START = `{"formatVersion":${RECORD_VERSION},"run":"`;

/** The version of the format of plans that this program writes and reads. */
export const PLAN_VERSION = 1;

/** The start of every plan. */
export const PLAN_START = `{\n  "formatVersion": ${PLAN_VERSION},\n  "toolVersion": "`;

/** The file that a flag names, and how the files that it may replace begin. */
interface OwnFile {
  readonly name: string;
  readonly path: string;
  /** With its article: `a record`. */
  readonly what: string;
  readonly flag: string;
  readonly start: string;
}

/** Refuses to replace a file that is of another kind. @throws CatalogError of kind `usage` */
export function requireReplaceable({ name, path, what, flag, start }: OwnFile): void {
  const entry = findEntry(name, path);
  if (entry === undefined || (!entry.isDirectory() && !entry.isFile())) return;
  if (entry.isDirectory()) throw usageError(`${flag} must name a file, not the folder ${name}`);
  if (entry.size === 0 || readStart(name, path, start.length) === start) return;
  throw usageError(`${name} exists and is not ${what}`, `Choose another file for ${flag}.`);
}

function readStart(name: string, path: string, length: number): string {
  try {
    return withOpened(path, {}, (file) => file.read(0, length).toString("latin1"));
  } catch (cause) {
    throw writeError(name, cause);
  }
}
