/** Writes files so that a reader sees the old content or the new content, never a part of either. */
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt, CatalogError, systemCode, systemReason, usageError } from "./errors.ts";
import { makeFolders, PRIVATE_FILE, PRIVATE_FOLDER } from "./folders.ts";
import { OpenFile } from "./open-file.ts";

interface WriteOptions {
  /** The file's name in messages; by default its path. */
  readonly name?: string;
  /**
   * - `replace` (default): creates missing folders, and preserves the mode and owner of an existing file
   * - `private`: makes the file and its new folders readable for the owner only
   * - `new`: never overwrites anything, and creates no folders
   */
  readonly mode?: "replace" | "private" | "new";
}

/**
 * Writes a file completely or not at all, synchronously, so that no signal handler can run between write and rename.
 *
 * @throws CatalogError of kind `output` if the system refuses, or if something other than a regular file is at the
 * path, such as a link; in mode `new`, of kind `usage` if the path exists or its folder does not. An existing file is
 * then unchanged.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array | Iterable<string>,
  { name = path, mode = "replace" }: WriteOptions = {},
): Promise<void> {
  const isWhole = typeof content === "string" || content instanceof Uint8Array;
  const isPrivate = mode === "private";
  try {
    if (mode === "new") requireAbsent(name, path);
    const old = requireRegular(name, path);
    if (old === undefined && mode !== "new") {
      makeFolders(dirname(path), isPrivate ? PRIVATE_FOLDER : undefined);
    }
    write(path, isWhole ? [content] : content, isPrivate ? { mode: PRIVATE_FILE } : old);
  } catch (cause) {
    throw (mode === "new" ? creationError(name, cause) : undefined) ?? writeError(name, cause);
  }
}

/** Appends to an existing file. A failure leaves the file unchanged. */
export function appendToFile(name: string, path: string, content: string): void {
  try {
    requireRegular(name, path);
    const file = new OpenFile(path, "append");
    try {
      file.append(content);
    } finally {
      file.close();
    }
  } catch (cause) {
    throw writeError(name, cause);
  }
}

/** Refuses early what mode `new` would refuse. @throws CatalogError of kind `usage` */
export function requireAbsent(name: string, path: string): void {
  if (findEntry(name, path) !== undefined) throw existsError(name);
}

/**
 * The file at a path that is to be written; undefined if nothing is there. A link is refused: in a project of others, it
 * could lead to any file of the user. So is a device, which would be replaced by a file.
 *
 * @throws CatalogError of kind `output`
 */
export function requireRegular(name: string, path: string): Stats | undefined {
  const entry = findEntry(name, path);
  if (entry === undefined || entry.isFile()) return entry;
  const what = entry.isSymbolicLink()
    ? "a symbolic link"
    : entry.isDirectory()
      ? "a folder"
      : "not a regular file";
  const facts = { file: name, advice: "Choose another file." };
  throw new CatalogError("output", `cannot write ${name}: it is ${what}`, facts);
}

/** What exists at a path, even a broken link; undefined if nothing does. @throws CatalogError of kind `output` */
export function findEntry(name: string, path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw writeError(name, cause);
  }
}

/** The error, of kind `output`, of a file that could not be written. */
export function writeError(name: string, cause: unknown): CatalogError {
  if (cause instanceof CatalogError) return cause;
  const facts = { file: name, code: systemCode(cause), cause };
  return new CatalogError("output", `cannot write ${name}: ${systemReason(cause)}`, facts);
}

/** The permissions of a created file, before the umask. */
const PUBLIC_FILE = 0o666;

function write(
  path: string,
  parts: Iterable<string | Uint8Array>,
  kept: Partial<Pick<Stats, "mode" | "uid" | "gid">> | undefined,
): void {
  // A hidden file is neither read as a course file nor added to a project.
  const draft = join(dirname(path), `.${basename(path)}.${crypto.randomUUID().slice(0, 8)}.tmp`);
  // Private at first, because the final mode may be stricter than the usual mode of a new file.
  const file = openSync(draft, "wx", kept === undefined ? PUBLIC_FILE : PRIVATE_FILE);
  try {
    try {
      for (const part of parts) writeFileSync(file, part);
      // Only root can change the owner; for other users, the owner is usually right already.
      const { mode, uid, gid } = kept ?? {};
      if (uid !== undefined && gid !== undefined) attempt(() => fchownSync(file, uid, gid));
      if (mode !== undefined) fchmodSync(file, mode & 0o7777);
      // Without this, a power failure could lose both the old content and the new content.
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw cause;
  }
}

function existsError(name: string): CatalogError {
  return usageError(`${name} already exists`, "Choose another name, or delete the file.");
}

/** The error of a file that cannot be created because it exists or its folder is missing; undefined for other causes. */
function creationError(name: string, cause: unknown): CatalogError | undefined {
  const code = systemCode(cause) ?? "";
  if (code === "EEXIST") return existsError(name);
  if (code !== "ENOENT" && code !== "ENOTDIR") return undefined;
  const advice = "Create the folder, or choose another file name.";
  return usageError(`the folder of ${name} does not exist`, advice);
}
