/** Writes a file that was not there, whole, and never in the place of another. */

import { randomUUID } from "node:crypto";
import { link, lstat, open, rm } from "node:fs/promises";
import { CatalogError, systemCode, usageError } from "./errors.ts";

/**
 * Writes a new file.
 *
 * @param name the file as messages call it
 * @param path its absolute path
 * @throws CatalogError of kind `usage` when something is there already, or its folder is not; of
 * kind `output` when the system refuses. Either way nothing is left behind.
 */
export async function writeNewFile(name: string, path: string, content: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeWhole(draft, content);
    // Unlike a rename, a link fails where anything stands, however lately it came.
    await link(draft, path).catch(async (cause: unknown) => {
      if (!LINKLESS.has(systemCode(cause) ?? "")) throw cause;
      await writeWhole(path, content);
    });
  } catch (cause) {
    throw refusal(name, cause);
  } finally {
    await rm(draft, { force: true });
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

async function writeWhole(path: string, content: string): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(content, "utf8");
  } catch (cause) {
    await rm(path, { force: true });
    throw cause;
  } finally {
    await file.close();
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
