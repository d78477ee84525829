/** Writes files so that a reader sees the old content or the new content, never part of it. */
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { CatalogError, systemCode, systemReason, usageError } from "./errors.ts";
import { makeFolders, PRIVATE_FILE, PRIVATE_FOLDER } from "./folders.ts";

export interface WriteOptions {
  /** The file's name in messages; default is its path. */
  readonly name?: string;
  /**
   * - `replace` (default): creates missing folders, follows links, preserves mode and owner of an
   *   existing file, and appends to devices, pipes and open files such as `/dev/fd/3`
   * - `private`: only the owner can read the file and the folders created for it; replaces a link
   * - `new`: never overwrites anything, and creates no folders
   */
  readonly mode?: "replace" | "private" | "new";
}

/**
 * Writes a file completely or not at all. Apart from devices and pipes it is written synchronously,
 * so that no signal handler can run between write and rename.
 *
 * @param content in one part or several
 * @throws CatalogError of kind `output` if the system refuses; in mode `new`, of kind `usage` if the
 * path exists or its folder does not. An existing file is then unchanged, and no other is left.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Iterable<string>,
  { name = path, mode = "replace" }: WriteOptions = {},
): Promise<void> {
  const parts = typeof content === "string" ? [content] : content;
  try {
    if (mode === "new") create(path, parts);
    else if (mode === "private") replace(path, parts, { mode: PRIVATE_FILE }, PRIVATE_FOLDER);
    else await replaceOrAppend(path, parts);
  } catch (cause) {
    throw (mode === "new" ? creationError(name, cause) : undefined) ?? writeError(name, cause);
  }
}

/** Appends to a file, which is created if it is missing; if that fails, it is unchanged. */
export async function appendToFile(name: string, path: string, content: string): Promise<void> {
  const old = findEntry(name, path);
  try {
    await append(path, content);
  } catch (cause) {
    // A full disk has room for a part of the content.
    if (old === undefined) rmSync(path, { force: true });
    else if (old.isFile()) truncateSync(path, old.size);
    throw writeError(name, cause);
  }
}

/** Checks early what mode `new` would refuse. @throws CatalogError of kind `usage` */
export async function requireAbsent(name: string, path: string): Promise<void> {
  // A dangling link is an existing entry, too.
  if (findEntry(name, path, lstatSync) !== undefined) throw existsError(name);
}

/**
 * What exists at a path that is to be written; undefined if nothing does.
 *
 * @param stat `lstatSync` to examine a link itself
 * @throws CatalogError of kind `output` if the system refuses
 */
export function findEntry(
  name: string,
  path: string,
  stat: typeof lstatSync = statSync,
): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw writeError(name, cause);
  }
}

/** The error of a file that could not be written, of kind `output`. */
export function writeError(name: string, cause: unknown): CatalogError {
  if (cause instanceof CatalogError) return cause;
  const facts = { file: name, code: systemCode(cause), cause };
  return new CatalogError("output", `cannot write ${name}: ${systemReason(cause)}`, facts);
}

/** Files that the program was started with; replacing them would not change the open file. */
const OPEN_FILE = /^\/(dev\/std(in|out|err)|(dev|proc\/self)\/fd\/\d+)$/;

/** Codes of a missing folder, or of a file where a folder is needed. */
const NO_FOLDER = new Set(["ENOENT", "ENOTDIR"]);

/** Codes of file systems that do not support links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** The mode and owner that a file gets. */
type Attributes = Partial<Pick<Stats, "mode" | "uid" | "gid">>;

async function replaceOrAppend(path: string, parts: Iterable<string>): Promise<void> {
  const old = statSync(path, { throwIfNoEntry: false });
  if (old?.isDirectory()) throw new Error("it is a folder");
  if (old === undefined) replace(path, parts, undefined, undefined);
  else if (!old.isFile() || OPEN_FILE.test(path)) await append(path, [...parts].join(""));
  else replace(realpathSync.native(path), parts, old, undefined);
}

/** Asynchronous, because a pipe may be full until its reader reads. */
async function append(path: string, content: string): Promise<void> {
  // Loaded when needed: few commands append, and every command loads this file.
  const { appendFile } = await import("node:fs/promises");
  await appendFile(path, content);
}

function replace(
  path: string,
  parts: Iterable<string>,
  attributes: Attributes | undefined,
  folderMode: number | undefined,
): void {
  const draft = draftOf(path);
  try {
    writeNew(draft, parts, attributes);
  } catch (cause) {
    // Most folders exist, so they are only created after the first attempt has failed.
    if (!NO_FOLDER.has(systemCode(cause) ?? "")) throw cause;
    makeFolders(dirname(path), folderMode);
    writeNew(draft, parts, attributes);
  }
  try {
    renameSync(draft, path);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw cause;
  }
}

function create(path: string, parts: Iterable<string>): void {
  const draft = draftOf(path);
  try {
    writeNew(draft, parts, undefined);
    // Unlike a rename, a link fails if the path exists, even if it was created a moment ago.
    linkSync(draft, path);
  } catch (cause) {
    if (!NO_LINKS.has(systemCode(cause) ?? "")) throw cause;
    writeNew(path, parts, undefined);
  } finally {
    rmSync(draft, { force: true });
  }
}

function draftOf(path: string): string {
  // Hidden, so that a draft of a killed run is neither read as a course file nor added to a project.
  return join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.tmp`);
}

function writeNew(path: string, parts: Iterable<string>, attributes: Attributes | undefined): void {
  // Private at first: the final mode may be stricter than that of a new file.
  const file = openSync(path, "wx", attributes === undefined ? undefined : PRIVATE_FILE);
  try {
    for (const part of parts) writeFileSync(file, part);
    if (attributes !== undefined) {
      applyAttributes(file, attributes);
      // Otherwise a power failure could lose both the old content and the new content.
      fsyncSync(file);
    }
  } catch (cause) {
    rmSync(path, { force: true });
    throw cause;
  } finally {
    closeSync(file);
  }
}

function applyAttributes(file: number, { mode, uid, gid }: Attributes): void {
  if (uid !== undefined && gid !== undefined) {
    try {
      fchownSync(file, uid, gid);
    } catch {
      // Only root can change the owner; for everyone else it usually is right already.
    }
  }
  if (mode !== undefined) fchmodSync(file, mode & 0o7777);
}

function existsError(name: string): CatalogError {
  return usageError(
    `${name} already exists and will not be overwritten`,
    "Choose another file name.",
  );
}

function creationError(name: string, cause: unknown): CatalogError | undefined {
  const code = systemCode(cause) ?? "";
  if (code === "EEXIST") return existsError(name);
  if (!NO_FOLDER.has(code)) return undefined;
  return usageError(
    `the folder of ${name} does not exist`,
    "Create it first, or choose another file name.",
  );
}
