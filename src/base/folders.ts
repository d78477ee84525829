/** Makes folders. */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "./errors.ts";

/**
 * Makes a folder and those that lead to it, where they are missing. Node.js's own way to make several
 * never ends where the system says of a folder that is there that it is not, as `/proc` does.
 *
 * @throws the system's error when one cannot be made
 */
export function makeFolders(path: string, mode?: number): void {
  try {
    mkdirSync(path, mode);
  } catch (cause) {
    if (isFolder(path)) return;
    const above = dirname(path);
    if (systemCode(cause) !== "ENOENT" || above === path || isFolder(above)) throw cause;
    makeFolders(above, mode);
    makeLast(path, mode);
  }
}

/** Makes a folder in one that is there. */
function makeLast(path: string, mode: number | undefined): void {
  try {
    mkdirSync(path, mode);
  } catch (cause) {
    // Another may have been quicker.
    if (!isFolder(path)) throw cause;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
