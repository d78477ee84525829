/** Writes files so that a reader sees the old content or the new, never half of it. */
import { randomUUID } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { appendFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { CatalogError, systemCode } from "./errors.ts";
import { makeFolders } from "./folders.ts";

/**
 * Writes a file that only its owner may read, with the folders that lead to it.
 *
 * @throws CatalogError of kind `output` when the system refuses, with nothing half-written.
 */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  try {
    makeFolders(dirname(path), 0o700);
    replaceWhole(path, content, { mode: PRIVATE });
  } catch (cause) {
    throw refusal(path, cause);
  }
}

/**
 * Writes a file that anybody may read, with the folders that lead to it. What is there already
 * keeps its mode and its owner, and a link is followed. A device, a pipe or an open file such as
 * `/dev/fd/3` is written to and never replaced.
 *
 * @param name the file as messages call it
 * @param path its absolute path
 * @throws CatalogError of kind `output` when the system refuses, with a file that was there as it was
 */
export async function writeOrdinaryFile(
  name: string,
  path: string,
  content: string,
): Promise<void> {
  try {
    // At once: for many small files, waiting for each of these would take longer than the writing.
    const old = statSync(path, { throwIfNoEntry: false });
    if (old === undefined) return writeFirst(path, content);
    if (old.isDirectory()) throw new Error("it is a folder");
    if (!old.isFile() || OPEN_FILE.test(path)) await appendFile(path, content, "utf8");
    else replaceWhole(realpathSync.native(path), content, old);
  } catch (cause) {
    throw refusal(name, cause);
  }
}

/** Writes where there is no file yet; the folders, most of which are there, are made if need be. */
function writeFirst(path: string, content: string): void {
  try {
    replaceWhole(path, content, undefined);
  } catch (cause) {
    if (!FOLDERLESS.has(systemCode(cause) ?? "")) throw cause;
    makeFolders(dirname(path));
    replaceWhole(path, content, undefined);
  }
}

/** What the system says where a folder on the way is missing, or is none. */
const FOLDERLESS = new Set(["ENOENT", "ENOTDIR"]);

/**
 * Adds to the end of a file.
 *
 * @throws CatalogError of kind `output` when the system refuses, with the file as it was
 */
export async function appendToFile(name: string, path: string, content: string): Promise<void> {
  try {
    const old = await statOf(path);
    if (old === undefined || old.isFile()) appendWhole(path, content, old?.size);
    else await appendFile(path, content, "utf8");
  } catch (cause) {
    throw refusal(name, cause);
  }
}

/** @param size of the file; undefined where there is none yet */
function appendWhole(path: string, content: string, size: number | undefined): void {
  try {
    appendFileSync(path, content, "utf8");
  } catch (cause) {
    if (size === undefined) rmSync(path, { force: true });
    else truncateSync(path, size);
    throw cause;
  }
}

/** Names of what the program was started with; to replace these would leave it with the old file. */
const OPEN_FILE = /^\/(dev\/std(in|out|err)|(dev|proc\/self)\/fd\/\d+)$/;

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

const PRIVATE = 0o600;

/**
 * All at once: a stop signal is heard only when nobody works, so that it leaves no draft behind.
 *
 * @param like whose mode and owner the new content gets; those of any new file without it
 */
function replaceWhole(
  target: string,
  content: string,
  like: Partial<Pick<Stats, "mode" | "uid" | "gid">> | undefined,
): void {
  const draft = `${target}.${randomUUID()}.tmp`;
  try {
    // What is secret when it is done must not be open to others before.
    const file = openSync(draft, "wx", like === undefined ? undefined : PRIVATE);
    try {
      writeFileSync(file, content, "utf8");
      if (like?.uid !== undefined && like.gid !== undefined) giveTo(file, like.uid, like.gid);
      if (like?.mode !== undefined) fchmodSync(file, like.mode & 0o7777);
      // Else a machine that loses its power now may keep neither the old content nor the new.
      if (like !== undefined) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, target);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw cause;
  }
}

/** Only root may give a file away, and for others it is theirs already. */
function giveTo(file: number, user: number, group: number): void {
  try {
    fchownSync(file, user, group);
  } catch {
    // It stays with whoever runs this.
  }
}

function refusal(name: string, cause: unknown): CatalogError {
  const code = systemCode(cause);
  const why = code ?? (cause instanceof Error ? cause.message : cause);
  return new CatalogError("output", `could not write ${name}: ${why}`, { file: name, code, cause });
}
