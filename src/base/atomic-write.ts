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
import { attempt, CatalogError, systemCode, systemReason } from "./errors.ts";
import { makeFolders, OpenFile, PRIVATE_FILE, PRIVATE_FOLDER } from "./files.ts";

interface WriteOptions {
  /** The file's name in messages; by default its path. */
  readonly name?: string;
  /** Whether only the owner can read the file and its new folders. Else, an existing file keeps its mode and owner. */
  readonly isPrivate?: boolean;
}

/** The permissions of a created file, before the umask. */
const PUBLIC_FILE = 0o666;

/**
 * Writes a file completely or not at all, synchronously, so that no signal handler can run between write and rename.
 * Creates missing folders.
 *
 * @throws CatalogError of kind `output` if the system refuses, or if something other than a regular file is at the
 * path, such as a link. An existing file is then unchanged.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  { name = path, isPrivate = false }: WriteOptions = {},
): Promise<void> {
  const old = requireRegular(name, path);
  // A hidden file is neither read as a course file nor added to a project.
  const draft = join(dirname(path), `.${basename(path)}.${crypto.randomUUID().slice(0, 8)}.tmp`);
  try {
    if (old === undefined) makeFolders(dirname(path), isPrivate ? PRIVATE_FOLDER : undefined);
    // Private at first, because the final mode may be stricter than the usual mode of a new file.
    const file = openSync(draft, "wx", isPrivate || old ? PRIVATE_FILE : PUBLIC_FILE);
    try {
      writeFileSync(file, content);
      if (old !== undefined && !isPrivate) {
        // Only root can change the owner; for other users, the owner is usually right already.
        attempt(() => fchownSync(file, old.uid, old.gid));
        fchmodSync(file, old.mode & 0o7777);
      }
      // Without this, a power failure could lose both the old content and the new content.
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (cause) {
    attempt(() => rmSync(draft, { force: true }));
    throw writeError(name, cause);
  }
}

/** Appends to a file. A failure leaves the file unchanged. */
export function appendToFile(name: string, path: string, content: string): void {
  requireRegular(name, path);
  try {
    const file = new OpenFile(path, "a");
    file.append(content);
    file.close();
  } catch (cause) {
    throw writeError(name, cause);
  }
}

/** Creates a folder if needed. @throws CatalogError of kind `output` */
export function createFolder(name: string, path: string): void {
  try {
    makeFolders(path);
  } catch (cause) {
    throw writeError(name, cause);
  }
}

/**
 * The file at a path that is to be written; undefined if nothing is there. A link is refused: in a project of others, it
 * could lead to any file of the user. So is a device, which would be replaced by a file.
 *
 * @throws CatalogError of kind `output`
 */
export function requireRegular(name: string, path: string): Stats | undefined {
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined || entry.isFile()) return entry;
    const other = entry.isDirectory() ? "a folder" : "not a regular file";
    const what = entry.isSymbolicLink() ? "a symbolic link" : other;
    throw new CatalogError("output", `cannot write ${name}: it is ${what}`, { file: name });
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
