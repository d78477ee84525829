/** Writes files so that a reader sees the old content or the new content, never a part of either. */
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt, CatalogError, systemCode, systemReason, usageError } from "./errors.ts";
import { makeFolders, PRIVATE_FILE, PRIVATE_FOLDER } from "./folders.ts";
import { appendTo, isOpenFile } from "./open-file.ts";
import type { Processes } from "./process.ts";

export interface WriteOptions {
  /** Names a draft after its process, so that other processes recognize the drafts of a killed one. */
  readonly processes: Processes;
  /** Folders from which old drafts were removed. A run that writes many files passes the same set each time. */
  readonly cleaned?: Set<string> | undefined;
  /** The file's name in messages; by default its path. */
  readonly name?: string;
  /**
   * - `replace` (default): creates missing folders, follows links, preserves the mode and owner of an
   *   existing file, and appends to devices, pipes and open files such as `/dev/fd/3`
   * - `private`: makes the file and its new folders readable for the owner only, and replaces a link
   * - `new`: never overwrites anything, and creates no folders
   */
  readonly mode?: "replace" | "private" | "new";
}

/**
 * Writes a file completely or not at all. Files, unlike devices and pipes, are written synchronously, so that no
 * signal handler can run between write and rename.
 *
 * @throws CatalogError of kind `output` if the system refuses; in mode `new`, of kind `usage` if the path exists
 * or its folder does not. An existing file is then unchanged, and no draft is left.
 */
export async function writeFileAtomically(
  path: string,
  content: Content,
  { processes, cleaned, name = path, mode = "replace" }: WriteOptions,
): Promise<void> {
  const isWhole = typeof content === "string" || content instanceof Uint8Array;
  const parts = isWhole ? [content] : content;
  const draftOf = (file: string): string => newDraft(file, processes, cleaned);
  try {
    if (mode === "new") create(path, parts, draftOf);
    else if (mode === "private") {
      replace(path, parts, draftOf, { mode: PRIVATE_FILE }, PRIVATE_FOLDER);
    } else await replaceOrAppend(path, parts, draftOf);
  } catch (cause) {
    throw (mode === "new" ? creationError(name, cause) : undefined) ?? writeError(name, cause);
  }
}

/** Appends to a file, and creates a missing one. A failure leaves the file unchanged. */
export async function appendToFile(name: string, path: string, content: string): Promise<void> {
  const old = findEntry(name, path);
  try {
    await appendTo(path, content, PUBLIC_FILE);
  } catch (cause) {
    if (old === undefined) rmSync(path, { force: true });
    throw writeError(name, cause);
  }
}

/** Creates a file with its text from the first moment. @returns false if the path exists @throws the system's error */
export function createFile(path: string, text: string, processes: Processes): boolean {
  try {
    create(path, [text], (file) => newDraft(file, processes));
    return true;
  } catch (cause) {
    if (systemCode(cause) === "EEXIST") return false;
    throw cause;
  }
}

/** Refuses early what mode `new` would refuse. @throws CatalogError of kind `usage` */
export async function requireAbsent(name: string, path: string): Promise<void> {
  // A dangling link also counts as an existing file.
  if (findEntry(name, path, lstatSync) !== undefined) throw existsError(name);
}

/** What exists at a path that is to be written; undefined if nothing does. @throws CatalogError of kind `output` */
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

/** The error, of kind `output`, of a file that could not be written. */
export function writeError(name: string, cause: unknown): CatalogError {
  if (cause instanceof CatalogError) return cause;
  const code = systemCode(cause);
  // The system's words, "no such device or address", would mislead.
  const reason = code === "ENXIO" ? "no program reads from this pipe" : systemReason(cause);
  return new CatalogError("output", `cannot write ${name}: ${reason}`, { file: name, code, cause });
}

/** The permissions of a created file, before the umask. */
const PUBLIC_FILE = 0o666;

/** Codes of a missing folder, or of a file where a folder is needed. */
const NO_FOLDER = new Set(["ENOENT", "ENOTDIR"]);

/** Codes of file systems that do not support links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

type Attributes = Partial<Pick<Stats, "mode" | "uid" | "gid">>;

type Content = string | Uint8Array | Iterable<string>;

type Parts = Iterable<string | Uint8Array>;

type DraftOf = (path: string) => string;

async function replaceOrAppend(path: string, parts: Parts, draftOf: DraftOf): Promise<void> {
  const old = statSync(path, { throwIfNoEntry: false });
  if (old?.isDirectory()) throw new Error("it is a folder");
  if (old === undefined) replace(path, parts, draftOf);
  else if (!old.isFile() || isOpenFile(path)) {
    await appendTo(path, Buffer.concat([...parts].map((part) => Buffer.from(part))), PUBLIC_FILE);
  } else replace(realpathSync.native(path), parts, draftOf, old);
}

function replace(
  path: string,
  parts: Parts,
  draftOf: DraftOf,
  attributes?: Attributes,
  folderMode?: number,
): void {
  const draft = draftOf(path);
  try {
    writeNew(draft, parts, attributes);
  } catch (cause) {
    // Most folders exist, so they are created only after the first attempt has failed.
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

function create(path: string, parts: Parts, draftOf: DraftOf): void {
  const draft = draftOf(path);
  try {
    writeNew(draft, parts);
    // Unlike a rename, a link fails if the path exists, even if it was created a moment ago.
    linkSync(draft, path);
  } catch (cause) {
    if (!NO_LINKS.has(systemCode(cause) ?? "")) throw cause;
    writeNew(path, parts);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The name of a draft: the name of the file, the id of the process that writes it, and a random part. */
const DRAFT = /^\..+\.catalog-(\d+)-[\da-f]{8}\.tmp$/;

function newDraft(path: string, processes: Processes, cleaned = new Set<string>()): string {
  const folder = dirname(path);
  if (!cleaned.has(folder)) removeDrafts(folder, processes);
  cleaned.add(folder);
  const random = crypto.randomUUID().slice(0, 8);
  // A hidden file is neither read as a course file nor added to a project.
  return join(folder, `.${basename(path)}.catalog-${processes.ownId}-${random}.tmp`);
}

/** Removes the drafts in a folder whose processes were killed. */
function removeDrafts(folder: string, { ownId, isRunning }: Processes): void {
  for (const name of attempt(() => readdirSync(folder)) ?? []) {
    const id = Number(DRAFT.exec(name)?.[1] ?? Number.NaN);
    // This process writes no other file now, so a draft with its id is old: containers reuse ids.
    if (Number.isNaN(id) || (id !== ownId && isRunning(id))) continue;
    const draft = join(folder, name);
    attempt(() => lstatSync(draft).isFile() && rmSync(draft));
  }
}

function writeNew(path: string, parts: Parts, attributes?: Attributes): void {
  // Private at first, because the final mode may be stricter than the usual mode of a new file.
  const file = openSync(path, "wx", attributes === undefined ? undefined : PRIVATE_FILE);
  try {
    for (const part of parts) writeFileSync(file, part);
    if (attributes !== undefined) {
      applyAttributes(file, attributes);
      // Without this, a power failure could lose both the old content and the new content.
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
  // Only root can change the owner; for other users, the owner is usually right already.
  if (uid !== undefined && gid !== undefined) attempt(() => fchownSync(file, uid, gid));
  if (mode !== undefined) fchmodSync(file, mode & 0o7777);
}

function existsError(name: string): CatalogError {
  return usageError(`${name} already exists`, "Choose another name, or delete the file.");
}

/** The error of a file that cannot be created because it exists or its folder is missing; undefined for other causes. */
export function creationError(name: string, cause: unknown): CatalogError | undefined {
  const code = systemCode(cause) ?? "";
  if (code === "EEXIST") return existsError(name);
  if (!NO_FOLDER.has(code)) return undefined;
  const advice = "Create the folder, or choose another file name.";
  return usageError(`the folder of ${name} does not exist`, advice);
}
