/**
 * Keeps the state of the sandbox in a file. Each line is JSON: the first line has the users, and each other line
 * puts or removes a course. A change is written before it is acknowledged. So the sandbox can drop a last line
 * without a line break, which a killed process may leave: that change was never acknowledged.
 *
 *     {"sandbox":1,"users":[{"key":"sandbox.0123456789abcdef","providers":[{"id":"6f0f…",…}]}]}
 *     {"put":{"id":"0b6e…","name":"Knitting","provider_id":"6f0f…",…}}
 *     {"remove":"0b6e…"}
 */
import { isUtf8 } from "node:buffer";
import { lstatSync, rmSync } from "node:fs";
import {
  creationError,
  requireRegular,
  writeError,
  writeFileAtomically,
} from "../base/atomic-write.ts";
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

export interface DataFileOptions {
  /** The file's name in messages. */
  readonly file: string;
  readonly path: string;
  /** Makes the content of a new file; called only for a new file, and may throw. */
  readonly seed: () => Promise<Seed>;
  /** Called with the reason when a change cannot be written, and not again until a change succeeds. */
  readonly onWriteError: (error: CatalogError) => void;
  readonly processes: Processes;
}

export interface DataStore {
  readonly store: Store;
  readonly users: readonly User[];
  /** Whether the file contained the state of an earlier sandbox. */
  readonly isReopened: boolean;
  /** How many courses the file had when it was opened. */
  readonly courses: number;
  /** Flushes the file to disk and unlocks it. */
  close(): void;
}

/** Opens a data file, or creates a missing one. @throws CatalogError if the file is in use, damaged or unusable */
export async function openDataFile(options: DataFileOptions): Promise<DataStore> {
  const { file, path, seed, onWriteError, processes } = options;
  const exists = requireRegular(file, path) !== undefined;
  const unlock = lockFile(file, path, processes);
  try {
    const found = exists ? readState(file, path) : undefined;
    const { users, memory } = found ?? newState(await seed());
    // Written as a whole, without superseded changes and without an incomplete last line.
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

const ANOTHER_FILE =
  "Choose another file for --data. If it does not exist, the sandbox creates it.";

/**
 * Locks a file until the returned function is called: `<path>.lock` has the id of the process. The lock of a process
 * that has ended is taken over. So is a lock with the id of this process, because in a container every process may have
 * the same. Everything else at that path is refused and unchanged.
 */
export function lockFile(file: string, path: string, processes: Processes): () => void {
  const lock = `${path}.lock`;
  try {
    const entry = lstatSync(lock, { throwIfNoEntry: false });
    if (entry !== undefined) {
      const text = entry.isFile() ? String(readRegular(lock, MAX_LOCK_SIZE)) : "";
      if (!/^\d+\n$/.test(text)) {
        throw usageError(`${lock} is not a sandbox lock file`, "Choose another file for --data.");
      }
      const id = Number(text);
      if (id !== processes.ownId && processes.isRunning(id)) throw inUse(file, `process ${id}`);
      rmSync(lock);
    }
    const opened = new OpenFile(lock, "create");
    opened.append(`${processes.ownId}\n`);
    opened.close();
  } catch (cause) {
    if (systemCode(cause) === "EEXIST") throw inUse(file, "another process");
    throw creationError(file, cause) ?? writeError(`${file}.lock`, cause);
  }
  return () => rmSync(lock, { force: true });
}

const MAX_LOCK_SIZE = 20;

function inUse(file: string, by: string): CatalogError {
  return usageError(
    `${file} is in use by the sandbox of ${by}`,
    `Stop that sandbox, or choose another file. If ${by} is not a sandbox, delete ${file}.lock.`,
  );
}

interface State {
  readonly users: readonly User[];
  readonly memory: MemoryStore;
}

function newState(seed: Seed): State {
  return { users: seed.users, memory: memoryStore(seed) };
}

const FORMAT = 1;

function* linesOf(users: readonly User[], memory: MemoryStore): Generator<string> {
  const plain = users.map(({ key, providers }) => ({ key, providers }));
  yield `${JSON.stringify({ sandbox: FORMAT, users: plain })}\n`;
  for (const course of memory.all()) yield `${JSON.stringify({ put: course })}\n`;
}

/** The most bytes of a data file, which is read as a whole. */
const MAX_DATA_SIZE = 500 * 1024 * 1024;

/**
 * Parses a data file (example at the top of this file).
 *
 * @returns undefined for an empty file
 * @throws CatalogError with the line if the file is damaged
 */
function readState(file: string, path: string): State | undefined {
  const unreadable = (reason: string, cause?: unknown): CatalogError =>
    new CatalogError("file", `cannot read ${file}: ${reason}`, { file, cause });
  let bytes: ReturnType<typeof readRegular>;
  try {
    bytes = readRegular(path, MAX_DATA_SIZE);
  } catch (cause) {
    throw unreadable(systemReason(cause), cause);
  }
  if (bytes === "too-large") throw unreadable("it is larger than 500 MiB, the limit");
  if (bytes === "not-regular") throw unreadable("it is not a regular file");
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
      const advice = "Restore the file from a backup, or delete this line to lose only its change.";
      throw damaged(file, index + 2, "this line must put or remove a course", advice);
    }
  }
  return { users, memory };
}

/** The lines that end with a line break. A line that is not UTF-8 becomes empty, which is never valid. */
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
      ? `this data file has format ${sandbox}, but this version of catalog reads only ${FORMAT}`
      : "this is not a sandbox data file, or its first line is damaged";
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
 * Opens a data file for appending. Writing is synchronous, so that each visible change is in the file. If a line
 * cannot be written, `append` throws a CatalogError of kind `output` and has no effect.
 */
function openJournal(file: string, path: string, onWriteError: (error: CatalogError) => void) {
  const writing = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (cause) {
      throw writeError(file, cause);
    }
  };
  const journal = writing(() => new OpenFile(path, "append"));
  let isFailing = false;
  return {
    append: (record: PlainObject): void => {
      const line = `${JSON.stringify(record)}\n`;
      try {
        writing(() => journal.append(line));
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
