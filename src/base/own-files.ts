/** Recognizes catalog's own files by their start, which even damaged ones have, so that no other file is replaced. */
import { findEntry, writeError } from "./atomic-write.ts";
import { usageError } from "./errors.ts";
import { withOpened } from "./open-file.ts";

/** The format version of undo records; a record with another version cannot be read. */
export const RECORD_VERSION = 1;

export const RECORD_START = `{"formatVersion":${RECORD_VERSION},"run":"`;

/** The format version of plans; a plan with another version cannot be read. */
export const PLAN_VERSION = 1;

export const PLAN_START = `{\n  "formatVersion": ${PLAN_VERSION},\n  "createdAt": "`;

interface OwnFile {
  readonly name: string;
  readonly path: string;
  /** The kind of file with its article: `an undo record`. */
  readonly what: string;
  readonly flag: string;
  readonly start: string;
}

/** Refuses to replace a file of another kind. @throws CatalogError of kind `usage` */
export function requireReplaceable({ name, path, what, flag, start }: OwnFile): void {
  const entry = findEntry(name, path);
  if (entry === undefined || (!entry.isDirectory() && !entry.isFile())) return;
  if (entry.isDirectory()) throw usageError(`${flag} must name a file, not the folder ${name}`);
  if (entry.size === 0 || readStart(name, path, start.length) === start) return;
  throw usageError(`${name} already exists and is not ${what}`, `Choose another file for ${flag}.`);
}

function readStart(name: string, path: string, length: number): string {
  try {
    return withOpened(path, {}, (file) => file.read(0, length).toString("latin1"));
  } catch (cause) {
    throw writeError(name, cause);
  }
}
