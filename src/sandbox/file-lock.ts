/** Reserves a data file for one process at a time. */
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { writeError } from "../base/atomic-write.ts";
import { systemCode, usageError } from "../base/errors.ts";
import { PRIVATE_FILE } from "../base/folders.ts";
import type { Processes } from "../base/process.ts";

/** A process that wants the file: its id, and a nonce because ids are reused. */
const CLAIM = /^(\d+) [\da-f-]{36}$/;

/**
 * Locks a file until the returned function is called, also after a process that was killed. Every
 * process appends its claim to `<path>.lock`, and the first claim of a running process wins.
 * Appending is atomic and a dead process stays dead, so all see the same winner; there is no moment
 * at which a stale lock is deleted and two processes could both create a new one.
 */
export function lockFile(file: string, path: string, processes: Processes): () => void {
  const lock = `${path}.lock`;
  const own = `${processes.ownId} ${crypto.randomUUID()}`;
  try {
    for (;;) {
      // The lock file may be anything, and is deleted later.
      if (!readClaims(lock).every((claim) => CLAIM.test(claim))) {
        throw usageError(`${lock} is not a lock file of a sandbox`, "Choose another data file.");
      }
      appendFileSync(lock, `${own}\n`, { mode: PRIVATE_FILE });
      const claims = readClaims(lock);
      const winner = claims.slice(0, claims.indexOf(own)).map(processOf).find(isOther);
      if (winner !== undefined) throw inUse(file, winner);
      // The winner may have deleted the file, with this claim in it, and ended since.
      if (readClaims(lock).includes(own)) return () => rmSync(lock, { force: true });
    }
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") throw usageError(`the folder of ${file} does not exist`);
    throw writeError(`${file}.lock`, cause);
  }

  /** A claim with this process's id is stale: in a container every process may have the same id. */
  function isOther(id: number): boolean {
    return id !== processes.ownId && processes.isRunning(id);
  }
}

function readClaims(lock: string): string[] {
  try {
    return readFileSync(lock, "utf8").split("\n").slice(0, -1);
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return [];
    throw cause;
  }
}

function processOf(claim: string): number {
  return Number(CLAIM.exec(claim)?.[1]);
}

function inUse(file: string, process: number): Error {
  return usageError(
    `${file} is in use by the sandbox of process ${process}`,
    `Stop it, or choose another file. If process ${process} is not a sandbox, delete ${file}.lock.`,
  );
}
