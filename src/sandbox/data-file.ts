/** Saves the state of the sandbox in a file; each change is written before it is acknowledged. */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { findEntry, writeError, writeFileAtomically } from "../base/atomic-write.ts";
import { type CatalogError, usageError } from "../base/errors.ts";
import type { Processes } from "../base/process.ts";
import {
  ANOTHER_FILE,
  newFileLines,
  putRecord,
  readState,
  removeRecord,
  type State,
} from "./data-lines.ts";
import { lockFile } from "./file-lock.ts";
import { memoryStore, type Seed, type Store, type User } from "./store.ts";

/** Which file has the state, and what a new one starts from. */
export interface DataFileOptions {
  /** The file's name in messages. */
  readonly file: string;
  /** Its absolute path. */
  readonly path: string;
  /** The content of a new file; called only for that, and may throw. */
  readonly seed: () => Promise<Seed>;
  /** Called if the file exists, before it is used; may throw. */
  readonly onExisting: () => void;
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
  const { file, seed, onExisting, onWriteError, processes } = options;
  const { path, exists } = locate(file, options.path);
  const unlock = lockFile(file, path, processes);
  try {
    const found = exists ? readState(file, path) : undefined;
    if (found !== undefined) onExisting();
    const state = found ?? newState(await seed());
    const { users, store: memory } = state;
    // This drops superseded changes and an incomplete one at the end.
    const mode = exists ? "replace" : "private";
    await writeFileAtomically(path, newFileLines(state), { name: file, mode });
    const journal = openJournal(file, path, onWriteError);
    const store: Store = {
      ...memory,
      put: (course) => {
        journal.append(putRecord(JSON.stringify(course)));
        memory.put(course);
      },
      remove: (id) => {
        journal.append(removeRecord(id));
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
    return { store, users, isReopened: exists, courses: memory.size, close };
  } catch (cause) {
    unlock();
    throw cause;
  }
}

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

function newState(seed: Seed): State {
  return { users: seed.users, store: memoryStore(seed) };
}

interface Journal {
  /** @throws CatalogError of kind `output` if the line could not be written; it then has no effect */
  append(record: string): void;
  close(): void;
}

/** Opens a data file for appending. Writing is synchronous: a change is on file once it is visible. */
function openJournal(
  file: string,
  path: string,
  onWriteError: (error: CatalogError) => void,
): Journal {
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
    append: (record) => {
      const line = Buffer.from(`${record}\n`);
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
    close: () => {
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
