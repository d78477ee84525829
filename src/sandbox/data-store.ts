/** Keeps the state of the service in a file, across restarts and a kill at any moment (cli.md section 9). */

import { type FileHandle, open } from "node:fs/promises";
import { writeError } from "../base/atomic-write.ts";
import type { CatalogError } from "../base/errors.ts";
import { writeDataFile } from "./data-draft.ts";
import { type Data, readDataFile } from "./data-file.ts";
import { Journal } from "./data-journal.ts";
import { type LockNeeds, lockData } from "./data-lock.ts";
import { type Place, placeOf } from "./data-place.ts";
import { held } from "./held.ts";
import { type MemoryStore, memoryStore } from "./memory-store.ts";
import type { Seed, Store, User } from "./store.ts";

/** Where the data are, and what they are at first. */
export interface DataOptions extends LockNeeds {
  /** The file as messages call it. */
  readonly file: string;
  /** Its absolute path. */
  readonly path: string;
  /** What a new file begins with; asked for only then, and may refuse. */
  readonly seed: () => Promise<Seed>;
  /** Asked when the file is there already; may refuse. */
  readonly reopen: () => void;
  /** Told when the system begins to refuse changes, which are then answered as failed. */
  readonly fail: (error: CatalogError) => void;
}

/** A store that is kept in a file. */
export interface DataStore {
  readonly store: Store;
  readonly users: readonly User[];
  /** How many courses the file held when it was opened. */
  readonly courses: number;
  /** Waits until the disk has what was written, and gives the file back. */
  close(): Promise<void>;
}

/**
 * Opens a data file, or makes it.
 *
 * @throws CatalogError of kind `usage` when another sandbox has it or it cannot be one, `file` when
 * it is damaged, `output` when the system refuses
 */
export async function openDataStore(options: DataOptions): Promise<DataStore> {
  const { file, fail } = options;
  const place = await placeOf(file, options.path);
  const lock = await lockData(file, place.path, options);
  try {
    const { users, courses, end } = await dataOf(options, place, lock.draft);
    const memory = memoryStore({ users: users.map((user) => ({ ...user, courses: [] })) });
    for (const course of courses) memory.put(course);
    const handle = await opened(file, place.path, end.length);
    const journal = new Journal(handle, end, (cause) => fail(writeError(file, cause)));
    const close = async (): Promise<void> => {
      try {
        await journal.close();
      } catch (cause) {
        throw writeError(file, cause);
      } finally {
        await lock.release();
      }
    };
    return { store: keeping(memory, journal), users, courses: courses.length, close };
  } catch (cause) {
    await lock.release();
    throw cause;
  }
}

async function dataOf(
  { file, seed, reopen }: DataOptions,
  { path, found }: Place,
  draft: string,
): Promise<Omit<Data, "isWasteful">> {
  const target = { file, path, draft, like: found };
  const data = await readDataFile(file, path);
  if (data === undefined) {
    const { users } = await seed();
    const courses = users.flatMap((user) => user.courses.map(held));
    return { users, courses, end: await writeDataFile(target, { users, courses }) };
  }
  reopen();
  return data.isWasteful ? { ...data, end: await writeDataFile(target, data) } : data;
}

/** Opens the file to be added to behind its last line. */
async function opened(file: string, path: string, length: number): Promise<FileHandle> {
  try {
    const handle = await open(path, "r+");
    try {
      // What follows was never acknowledged, and must not come to stand behind later lines.
      await handle.truncate(length);
      return handle;
    } catch (cause) {
      await handle.close();
      throw cause;
    }
  } catch (cause) {
    throw writeError(file, cause);
  }
}

/** The store, with each change added to the journal. A change is visible before it is kept. */
function keeping(memory: MemoryStore, journal: Journal): Store {
  return {
    ...memory,
    settled: () => journal.settled(),
    add: async (course) => {
      const put = held(course);
      await journal.add({ put }, memory.put(put));
    },
    replace: async (course) => {
      const put = held(course);
      await journal.add({ put }, memory.put(put));
    },
    remove: async (id) => {
      await journal.add({ remove: id }, memory.take(id));
    },
  };
}
