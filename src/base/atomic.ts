/** Writes files so that a reader sees the old content or the new, never half of it. */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { writeFile } from "atomically";
import { CatalogError, systemCode } from "./errors.ts";

/**
 * Writes a file that only its owner may read, with the folders that lead to it.
 *
 * @throws CatalogError of kind `output` when the system refuses, with nothing half-written.
 */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, content, { mode: 0o600, encoding: "utf8" });
  } catch (cause) {
    throw new CatalogError("output", `could not write ${path}: ${systemCode(cause) ?? cause}`, {
      file: path,
      cause,
    });
  }
}
