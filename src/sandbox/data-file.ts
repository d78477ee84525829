/**
 * Keeps the state of the sandbox in a file. Each of its lines is JSON: the first one has the users, and
 * each other one puts or removes a course. A change is written before it is acknowledged, so an
 * unterminated last line, which a killed process may leave, was never acknowledged and is dropped.
 */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { findEntry, writeError, writeFileAtomically } from "../base/atomic-write.ts";
import { attempt, CatalogError, systemCode, systemReason, usageError } from "../base/errors.ts";
import { PRIVATE_FILE } from "../base/folders.ts";
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
  const unlock = lockFile(file, path, processes);
  try {
    const found = exists ? readState(file, path) : undefined;
    const { users, memory } = found ?? newState(await seed());
    // This drops superseded changes and an incomplete one at the end.
    const mode = exists ? "replace" : "private";
    await writeFileAtomically(path, linesOf(users, memory), { name: file, mode });
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
      const earlier = claims.slice(0, claims.indexOf(own));
      const ids = earlier.map((claim) => Number.parseInt(claim, 10));
      // A claim with this process's id is stale: in a container every process may have the same id.
      const winner = ids.find((id) => id !== processes.ownId && processes.isRunning(id));
      if (winner !== undefined) {
        throw usageError(
          `${file} is in use by the sandbox of process ${winner}`,
          `Stop it, or choose another file. If process ${winner} is not a sandbox, delete ${file}.lock.`,
        );
      }
      // The winner may have deleted the file, with this claim in it, and ended since.
      if (readClaims(lock).includes(own)) return () => rmSync(lock, { force: true });
    }
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") throw usageError(`the folder of ${file} does not exist`);
    throw writeError(`${file}.lock`, cause);
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

/** The state in a file; undefined if the file is empty. @throws CatalogError if it is damaged */
function readState(file: string, path: string): State | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const facts = { file, cause };
    throw new CatalogError("file", `cannot read ${file}: ${systemReason(cause)}`, facts);
  }
  if (text === "") return undefined;
  const [heading = "", ...changes] = text.split("\n").slice(0, -1);
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
  let descriptor: number;
  let size: number;
  let isFailing = false;
  try {
    descriptor = openSync(path, "a");
    size = fstatSync(descriptor).size;
  } catch (cause) {
    throw writeError(file, cause);
  }
  return {
    append: (record: PlainObject): void => {
      const line = Buffer.from(`${JSON.stringify(record)}\n`);
      try {
        // A failed write may have left a part of its line.
        if (isFailing) ftruncateSync(descriptor, size);
        writeFileSync(descriptor, line);
      } catch (cause) {
        const error = writeError(file, cause);
        if (!isFailing) onWriteError(error);
        isFailing = true;
        throw error;
      }
      isFailing = false;
      size += line.length;
    },
    close: (): void => {
      try {
        fsyncSync(descriptor);
      } catch (cause) {
        throw writeError(file, cause);
      } finally {
        closeSync(descriptor);
      }
    },
  };
}
