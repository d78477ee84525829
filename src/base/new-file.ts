/** Writes a file that was not there, whole, and never in the place of another. */

import { randomUUID } from "node:crypto";
import { closeSync, linkSync, openSync, rmSync, writeFileSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { CatalogError, systemCode, usageError } from "./errors.ts";

/**
 * Writes a new file, all at once: a stop signal is heard only when nobody works, so that it leaves
 * nothing behind.
 *
 * @param name the file as messages call it
 * @param path its absolute path
 * @throws CatalogError of kind `usage` when something is there already, or its folder is not; of
 * kind `output` when the system refuses. Either way nothing is left behind.
 */
export function writeNewFile(name: string, path: string, content: string): void {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    writeWhole(draft, content);
    if (!linked(draft, path)) writeWhole(path, content);
  } catch (cause) {
    throw refusal(name, cause);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Unlike a rename, a link fails where anything stands, however lately it came. */
function linked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (cause) {
    if (LINKLESS.has(systemCode(cause) ?? "")) return false;
    throw cause;
  }
}

/** Tells early of what `writeNewFile` would refuse. @throws CatalogError of kind `usage` */
export async function requireAbsent(name: string, path: string): Promise<void> {
  // A link that leads nowhere is something that is there, too.
  const entry = await lstat(path).catch(() => undefined);
  if (entry !== undefined) throw present(name);
}

/** What file systems say that know no links. */
const LINKLESS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

function writeWhole(path: string, content: string): void {
  const file = openSync(path, "wx");
  try {
    writeFileSync(file, content, "utf8");
  } catch (cause) {
    rmSync(path, { force: true });
    throw cause;
  } finally {
    closeSync(file);
  }
}

function present(name: string): CatalogError {
  return usageError(`${name} is there already, and is never overwritten`, "Name another file.");
}

function refusal(name: string, cause: unknown): CatalogError {
  const code = systemCode(cause);
  if (code === "EEXIST") return present(name);
  if (code === "ENOENT" || code === "ENOTDIR") {
    return usageError(`there is no folder for ${name}`, "Make it first, or name another file.");
  }
  const facts = { file: name, code, cause };
  return new CatalogError("output", `could not write ${name}: ${code ?? cause}`, facts);
}
