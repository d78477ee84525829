/** Compares a course file that is about to be written with what is on disk. */
import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { writeError } from "../base/atomic-write.ts";
import { isBelow } from "./find.ts";

/** What is on disk: nothing, a file with the same bytes, or one with other bytes. */
export type FileState = "absent" | "same" | "different";

/**
 * Compares a file's content with what is on disk. Synchronous, because waiting for each of many
 * small local files would take several times as long.
 *
 * @param name the file's name in messages
 * @param folder the folder's real path
 * @param file the file's name in the folder
 * @throws CatalogError of kind `output` for anything but a regular file. A link is accepted only if
 * it leads to the same content inside the folder, because links are never written through.
 */
export function compareWithDisk(
  name: string,
  folder: string,
  file: string,
  content: string,
): FileState {
  const path = join(folder, file);
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined) return "absent";
    if (!entry.isSymbolicLink()) return compareFile(path, entry, content);
    const target = realPath(path);
    // A target outside the folder is not even read.
    const isInside = target !== undefined && isBelow(target, folder);
    if (isInside && compareFile(target, statSync(target), content) === "same") return "same";
    throw new Error("it is a symbolic link");
  } catch (cause) {
    throw writeError(name, cause);
  }
}

function compareFile(path: string, entry: Stats, content: string): FileState {
  if (entry.isDirectory()) throw new Error("it is a folder");
  if (!entry.isFile()) throw new Error("it is not a regular file");
  const bytes = Buffer.from(content);
  return entry.size === bytes.length && bytes.equals(readFileSync(path)) ? "same" : "different";
}

/** @returns undefined for a broken link or a loop */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
