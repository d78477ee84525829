/** Looks at what stands where a course file is to be written (cli.md sections 8 and 11). */
import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { CatalogError, systemCode } from "../base/errors.ts";
import { isBelow } from "./find.ts";

/** What stands there: nothing, a file with the same bytes, or a file with others. */
export type Standing = "absent" | "same" | "different";

/**
 * What stands at the place of a file, which may then be written there. It is looked at at once: for
 * small local files, waiting for each would take several times as long.
 *
 * @param name the file as messages call it
 * @param folder the folder's path, free of links
 * @param file the name in it
 * @throws CatalogError of kind `output` when something other than a file stands there, or a link,
 * unless it leads to the same content within the folder: a link is never written through
 */
export function standingAt(name: string, folder: string, file: string, content: string): Standing {
  const path = join(folder, file);
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined) return "absent";
    if (!entry.isSymbolicLink()) return compare(name, path, entry, content);
    if (leadsToSame(name, path, folder, content)) return "same";
    throw refused(name, "it is a link, which is not written through");
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    throw refused(name, systemCode(cause) ?? String(cause), cause);
  }
}

function compare(name: string, path: string, entry: Stats, content: string): Standing {
  if (entry.isDirectory()) throw refused(name, "it is a folder");
  if (!entry.isFile()) throw refused(name, "it is no ordinary file");
  const bytes = Buffer.from(content);
  return entry.size === bytes.length && bytes.equals(readFileSync(path)) ? "same" : "different";
}

function leadsToSame(name: string, path: string, folder: string, content: string): boolean {
  const real = realPathOf(path);
  // What lies outside of the folder is not even read.
  if (real === undefined || !isBelow(real, folder)) return false;
  return compare(name, real, statSync(real), content) === "same";
}

/** The path free of links, or undefined for a link that leads nowhere or in a circle. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function refused(name: string, reason: string, cause?: unknown): CatalogError {
  return new CatalogError("output", `could not write ${name}: ${reason}`, { file: name, cause });
}
