/** Reserves a data file for one process at a time. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { writeError } from "../base/atomic-write.ts";
import { systemCode, usageError } from "../base/errors.ts";
import type { Processes } from "../base/process.ts";

/**
 * Locks a file until the returned function is called: `<path>.lock` has the id of the process.
 *
 * @param file the file's name in messages
 * @throws CatalogError of kind `usage` if another process has the file, `output` if the system refuses
 */
export function lockFile(file: string, path: string, processes: Processes): () => void {
  const lock = `${path}.lock`;
  try {
    requireUnlocked(file, lock, processes);
    writeFileSync(lock, `${processes.own}\n`, { flag: "wx", mode: 0o600 });
    return () => rmSync(lock, { force: true });
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") throw usageError(`the folder of ${file} does not exist`);
    throw writeError(`${file}.lock`, cause);
  }
}

function requireUnlocked(file: string, lock: string, processes: Processes): void {
  let content: string;
  try {
    content = readFileSync(lock, "utf8");
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return;
    throw cause;
  }
  if (!/^\d+\n$/.test(content)) {
    throw usageError(`${lock} is not a lock file of a sandbox`, "Choose another data file.");
  }
  const owner = Number(content);
  // In a container, a restarted sandbox often has the id of the killed one.
  if (owner !== processes.own && processes.isRunning(owner)) {
    throw usageError(
      `${file} is in use by the sandbox of process ${owner}`,
      `Stop it, or choose another file. If process ${owner} is not a sandbox, delete ${file}.lock.`,
    );
  }
  rmSync(lock);
}
