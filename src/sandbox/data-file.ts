/**
 * Keeps the state of the sandbox in a file. Each of its lines is JSON: the first one has the users, and
 * each other one puts or removes a course. A change is written before it is acknowledged, so an
 * unterminated last line, which a killed process may leave, was never acknowledged and is dropped.
 */
import { isUtf8 } from "node:buffer";
import { lstatSync, realpathSync, rmSync } from "node:fs";
import { createFile, findEntry, writeError, writeFileAtomically } from "../base/atomic-write.ts";
import {
  asCatalogError,
  attempt,
  CatalogError,
  systemCode,
  systemReason,
  usageError,
} from "../base/errors.ts";
import { OpenFile, readRegular } from "../base/open-file.ts";
import type { Processes } from "../base/process.ts";
import { isList, isObject, isUuid, type PlainObject } from "../base/values.ts";
import { isProvider } from "../course/provider.ts";
import {
  type MemoryStore,
  memoryStore,
  type Seed,
  type Store,
  type StoredCourse,
  type User,
} from "./store.ts";

/** Which file has the state, and what a new one starts from. */
export interface DataFileOptions {
  /** The file's name in messages. */
  readonly file: string;
  /** Its absolute path. */
  readonly path: string;
  /** The content of a new file; called only for that, and may throw. */
  readonly seed: () => Promise<Seed>;
  /** Called with the reason when changes begin to fail; they are answered as failed. */
  readonly onWriteError: (error: CatalogError) => void;
  readonly processes: Processes;
  /** The name of this machine, which tells processes of containers apart. */
  readonly host: string;
}

/** A store whose changes are saved in a file. */
export interface DataStore {
  readonly store: Store;
  readonly users: readonly User[];
  /** Whether an earlier sandbox has left its state. */
  readonly isReopened: boolean;
  /** How many courses the file had when it was opened. */
  readonly courses: number;
  /** Flushes the file to disk and unlocks it. */
  close(): void;
}

/** Opens a data file, or creates it. @throws CatalogError if it is in use, damaged or unusable */
export async function openDataFile(options: DataFileOptions): Promise<DataStore> {
  const { file, seed, onWriteError, processes } = options;
  const { path, exists } = locate(file, options.path);
  const unlock = lockFile(file, path, options);
  try {
    const found = exists ? readState(file, path) : undefined;
    const { users, memory } = found ?? newState(await seed());
    // This drops superseded changes and an incomplete one at the end.
    const mode = exists ? "replace" : "private";
    await writeFileAtomically(path, linesOf(users, memory), { name: file, mode, processes });
    const journal = openJournal(file, path, onWriteError);
    const store: Store = {
      ...memory,
      put: (course) => {
        journal.append({ put: course });
        memory.put(course);
      },
      remove: (id) => {
        journal.append({ remove: id });
        memory.remove(id);
      },
    };
    const close = (): void => {
      try {
        journal.close();
      } finally {
        unlock();
      }
    };
    return { store, users, isReopened: found !== undefined, courses: memory.size, close };
  } catch (cause) {
    unlock();
    throw cause;
  }
}

/** The advice for a path that cannot be used. */
const ANOTHER_FILE = "Choose another file; a missing one is created.";

/** The path without links, so that every name of the file has the same lock. */
function locate(file: string, path: string): { path: string; exists: boolean } {
  const found = findEntry(file, path);
  if (found?.isFile()) return { path: realpathSync(path), exists: true };
  if (found?.isDirectory()) throw usageError(`${file} is a folder`, ANOTHER_FILE);
  if (found !== undefined) throw usageError(`${file} is not a regular file`, ANOTHER_FILE);
  if (findEntry(file, path, lstatSync) !== undefined) {
    throw usageError(`${file} is a broken link`, ANOTHER_FILE);
  }
  return { path, exists: false };
}

/** A process that wants the file: its id, a nonce because ids are reused, and its machine. */
const CLAIM = /^(\d+) [\da-f-]{36}(?: ([\w.-]{1,255}))?$/;

/** Bytes: the claims of ten thousand processes that were killed one after the other. */
const MAX_LOCK_SIZE = 1024 * 1024;

/**
 * Locks a file until the returned function is called, also after a process that was killed. Every
 * process appends its claim to `<path>.lock`, and the first claim of a running process wins.
 * Appending is atomic and a dead process stays dead, so all see the same winner; there is no moment
 * at which a stale lock is deleted and two processes could both create a new one. What is not
 * completely a lock file is refused and left as it is.
 *
 * @param host the name of this machine or container. Whether a process of another one runs is not known, nor
 *   whether one of another namespace does: containers can have the same name.
 */
export function lockFile(
  file: string,
  path: string,
  { processes, host }: Pick<DataFileOptions, "processes" | "host">,
): () => void {
  const lock = `${path}.lock`;
  const names = [host, processes.namespace].filter((name) => name !== undefined);
  const here =
    names
      .join("-")
      .replace(/[^\w.-]/g, "_")
      .slice(0, 255) || "unknown";
  const own = `${processes.ownId} ${crypto.randomUUID()} ${here}`;
  const refuseIfInUse = (claims: readonly string[]): void => {
    for (const claim of claims) {
      const [, digits, at = here] = CLAIM.exec(claim) ?? [];
      const id = Number(digits);
      // A claim with this process's id is stale: in a container every process may have the same id.
      const isStale = at === here && (id === processes.ownId || !processes.isRunning(id));
      if (isStale) continue;
      const [place, isWrong] =
        at === here ? ["", `process ${id} is not a sandbox`] : [` on ${at}`, "it has ended"];
      throw usageError(
        `${file} is in use by the sandbox of process ${id}${place}`,
        `Stop it, or choose another file. If ${isWrong}, delete ${file}.lock.`,
      );
    }
  };
  try {
    for (;;) {
      const unlock = (): void => rmSync(lock, { force: true });
      if (createFile(lock, `${own}\n`, processes)) return unlock;
      const found = openLock(lock);
      if (found === undefined) continue;
      try {
        refuseIfInUse(readClaims(found, lock));
        found.appendNow(`${own}\n`);
        const claims = readClaims(found, lock);
        refuseIfInUse(claims.slice(0, claims.indexOf(own)));
      } finally {
        found.close();
      }
      // The winner may have deleted the file, with this claim in it, and ended since.
      const present = readRegular(lock, MAX_LOCK_SIZE, { isOwn: true });
      if (typeof present !== "string" && present.includes(own)) return unlock;
    }
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") throw usageError(`the folder of ${file} does not exist`);
    throw writeError(`${file}.lock`, cause);
  }
}

/** Opens a lock file without following a link or waiting for a pipe; undefined if it is gone. */
function openLock(lock: string): OpenFile | undefined {
  const entry = lstatSync(lock, { throwIfNoEntry: false });
  if (entry === undefined) return undefined;
  if (!entry.isFile()) throw notALock(lock);
  try {
    return new OpenFile(lock, "change", { isOwn: true });
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return undefined;
    throw cause;
  }
}

function readClaims(file: OpenFile, lock: string): string[] {
  if (!file.isRegular || file.size > MAX_LOCK_SIZE) throw notALock(lock);
  const claims = file.read(0, MAX_LOCK_SIZE).toString().split("\n");
  const isComplete = claims.pop() === "";
  if (isComplete && claims.length > 0 && claims.every((claim) => CLAIM.test(claim))) return claims;
  throw notALock(lock);
}

function notALock(lock: string): CatalogError {
  return usageError(`${lock} is not a lock file of a sandbox`, "Choose another data file.");
}

/** What a data file says. */
interface State {
  readonly users: readonly User[];
  readonly memory: MemoryStore;
}

function newState(seed: Seed): State {
  return { users: seed.users, memory: memoryStore(seed) };
}

/** The version of the lines. */
const FORMAT = 1;

function* linesOf(users: readonly User[], memory: MemoryStore): Generator<string> {
  const plain = users.map(({ key, providers }) => ({ key, providers }));
  yield `${JSON.stringify({ sandbox: FORMAT, users: plain })}\n`;
  for (const course of memory.all()) yield `${JSON.stringify({ put: course })}\n`;
}

/** Bytes; all of them are read at once. */
const MAX_DATA_SIZE = 500 * 1024 * 1024;

/** The state in a file; undefined if the file is empty. @throws CatalogError if it is damaged */
function readState(file: string, path: string): State | undefined {
  const unreadable = (reason: string, cause?: unknown): CatalogError =>
    new CatalogError("file", `cannot read ${file}: ${reason}`, { file, cause });
  let bytes: ReturnType<typeof readRegular>;
  try {
    bytes = readRegular(path, MAX_DATA_SIZE, { isOwn: true });
  } catch (cause) {
    throw unreadable(systemReason(cause), cause);
  }
  if (typeof bytes === "string") throw unreadable("it is not a file, or too large");
  if (bytes.length === 0) return undefined;
  const [heading = "", ...changes] = completeLines(bytes);
  const users = readHeading(file, heading);
  const memory = memoryStore({ users: users.map((user) => ({ ...user, courses: [] })) });
  const providers = new Set(users.flatMap((user) => user.providers.map(({ id }) => id)));
  for (const [index, line] of changes.entries()) {
    const { put, remove } = parseObject(line);
    if (typeof remove === "string" && memory.hasCourse(remove)) memory.remove(remove);
    else if (isStoredCourse(put) && providers.has(put.provider_id)) memory.put(put);
    else {
      const advice = "Restore the file from a copy, or delete this line to do without its change.";
      throw damaged(file, index + 2, "this line is not a valid change of the sandbox", advice);
    }
  }
  return { users, memory };
}

/** The terminated lines; one that is not UTF-8 is empty, and so not valid. */
function completeLines(bytes: Buffer): string[] {
  const lines: string[] = [];
  for (let start = 0; ; ) {
    const end = bytes.indexOf("\n", start);
    if (end === -1) return lines;
    const line = bytes.subarray(start, end);
    lines.push(isUtf8(line) ? line.toString() : "");
    start = end + 1;
  }
}

function readHeading(file: string, line: string): readonly User[] {
  const { sandbox, users } = parseObject(line);
  if (sandbox === FORMAT && isList(users) && users.every(isUser)) return users;
  const message =
    typeof sandbox === "number" && sandbox !== FORMAT
      ? `${file} has format ${sandbox}, which this version of catalog cannot read`
      : `${file} is not a data file of a sandbox, or its first line is damaged`;
  throw damaged(file, 1, message, ANOTHER_FILE);
}

function parseObject(line: string): PlainObject {
  const value = attempt((): unknown => JSON.parse(line));
  return isObject(value) ? value : {};
}

function isStoredCourse(value: unknown): value is StoredCourse {
  return (
    isObject(value) &&
    typeof value.id === "string" &&
    isUuid(value.id) &&
    [value.slug, value.name, value.provider_id].every((text) => typeof text === "string") &&
    typeof value.published === "boolean"
  );
}

function isUser(value: unknown): value is User {
  return (
    isObject(value) &&
    typeof value.key === "string" &&
    isList(value.providers) &&
    value.providers.every(isProvider)
  );
}

function damaged(file: string, line: number, message: string, advice: string): CatalogError {
  return new CatalogError("file", message, { file, line, column: 1, advice });
}

/**
 * Opens a data file for appending. Writing is synchronous: a change is in the file once it is visible.
 * `append` throws a CatalogError of kind `output` if the line could not be written; it has no effect then.
 */
function openJournal(file: string, path: string, onWriteError: (error: CatalogError) => void) {
  const writing = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (cause) {
      throw writeError(file, cause);
    }
  };
  const journal = writing(() => new OpenFile(path, "append", { isOwn: true }));
  let isFailing = false;
  return {
    append: (record: PlainObject): void => {
      const line = `${JSON.stringify(record)}\n`;
      try {
        writing(() => journal.appendNow(line));
      } catch (thrown) {
        if (!isFailing) onWriteError(asCatalogError(thrown));
        isFailing = true;
        throw thrown;
      }
      isFailing = false;
    },
    close: (): void => {
      try {
        writing(() => journal.flushNow());
      } finally {
        journal.close();
      }
    },
  };
}
