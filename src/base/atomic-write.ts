/**
 * Everything that is written goes through this module, which decides where catalog may write. It writes files so that a
 * reader sees the old content or the new content, never a part of either.
 */
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { attempt, CatalogError, systemCode, systemReason } from "./errors.ts";
import { isInside, makeFolders, OpenFile, PRIVATE_FILE, PRIVATE_FOLDER } from "./files.ts";

/** Where a file is written. */
export interface Destination {
  /** Its path as typed, for messages. */
  readonly name: string;
  readonly path: string;
  /**
   * The folder from which no link in the path may lead out: a project of others could choose with one where a file is
   * written. Undefined for files of the user, in folders that the environment names.
   */
  readonly root: string | undefined;
}

/** The destination that the user named. @param folder the current folder */
export function destinationIn(folder: string, name: string): Destination {
  return { name, path: resolve(folder, name), root: folder };
}

/** The permissions of a created file, before the umask. */
const PUBLIC_FILE = 0o666;

/**
 * Writes a file completely or not at all, synchronously, so that no signal handler can run between write and rename.
 * Creates missing folders.
 *
 * @param isPrivate whether only the owner can read the file and its new folders; else, an existing file keeps its mode
 *   and owner
 * @throws CatalogError of kind `output` if the destination may not be written, or the system refuses. An existing file
 * is then unchanged.
 */
export async function writeFileAtomically(
  to: Destination,
  content: string | Uint8Array,
  isPrivate = false,
): Promise<void> {
  const { name, path } = to;
  const old = requireWritable(to);
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
export function appendToFile(to: Destination, content: string): void {
  requireWritable(to);
  try {
    const file = new OpenFile(to.path, "a");
    file.append(content);
    file.close();
  } catch (cause) {
    throw writeError(to.name, cause);
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
 * The file at a destination; undefined if nothing is there. A link is refused: in a project of others, it could lead to
 * any file of the user. So is a device, which would be replaced by a file, and a folder that a link leads to.
 *
 * @throws CatalogError of kind `output`
 */
export function requireWritable({ name, path, root }: Destination): Stats | undefined {
  try {
    if (root !== undefined && leadsOut(dirname(path), root)) {
      const message = `cannot write ${name}: a link in its path leads out of ${root}`;
      const advice = "Name the folder that the link leads to, or remove the link.";
      throw new CatalogError("output", message, { file: name, advice });
    }
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined || entry.isFile()) return entry;
    const other = entry.isDirectory() ? "a folder" : "not a regular file";
    const what = entry.isSymbolicLink() ? "a symbolic link" : other;
    throw new CatalogError("output", `cannot write ${name}: it is ${what}`, { file: name });
  } catch (cause) {
    throw writeError(name, cause);
  }
}

/** Whether the way to a folder passes through the root, and a link below the root leads out of it again. */
function leadsOut(folder: string, root: string): boolean {
  const real = attempt(() => realpathSync(root));
  if (real === undefined) return false;
  // What does not exist yet is created without links.
  const ways: string[] = [];
  for (let way = folder; way !== dirname(way); way = dirname(way)) {
    if (lstatSync(way, { throwIfNoEntry: false }) !== undefined) ways.push(way);
  }
  const [deepest = real, ...above] = ways;
  return !isInside(realpathSync(deepest), real) && above.some((way) => realpathSync(way) === real);
}

/** The error, of kind `output`, of a file that could not be written. */
export function writeError(name: string, cause: unknown): CatalogError {
  if (cause instanceof CatalogError) return cause;
  const facts = { file: name, code: systemCode(cause), cause };
  return new CatalogError("output", `cannot write ${name}: ${systemReason(cause)}`, facts);
}
