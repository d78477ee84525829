/** Finds the files that apply to all courses of a folder: defaults and exclusions. */
import { lstatSync, statSync } from "node:fs";

/**
 * A file that applies to a folder, and why it is not read, as a clause that follows "it", unless it belongs to
 * the courses of the folder: a link leads to another place, and in a shared folder such as /tmp anyone
 * could put a file.
 */
export function findFolderFile(
  path: string,
  folder: string,
): { readonly reason?: string } | undefined {
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined) return undefined;
    if (entry.isSymbolicLink()) return { reason: "is a link" };
    const { uid, mode } = statSync(folder);
    if (entry.uid !== uid) return { reason: "does not belong to the owner of its folder" };
    const isShared = (mode & OTHERS_CREATE) === OTHERS_CREATE;
    return isShared ? { reason: "is in a folder where every user can create files" } : {};
  } catch {
    // The same failure is reported when the file is read.
    return {};
  }
}

/**
 * What users who are neither the owner nor in the group need to create a file: to write and to search.
 * On Windows every folder has only the first.
 */
const OTHERS_CREATE = 0o003;
