/** Keeps the state of the service in a file, across restarts and a kill at any moment (cli.md section 9). */
import { type FileHandle, open } from "node:fs/promises";
import type { Clock } from "../base/clock.ts";
import { CatalogError, systemCode } from "../base/errors.ts";
import type { Processes } from "../base/processes.ts";
import { type Data, readDataFile, writeDataFile } from "./data-file.ts";
import { Journal } from "./data-journal.ts";
import { lockData } from "./data-lock.ts";
import { type MemoryStore, memoryStore } from "./memory-store.ts";
import type { Seed, Store } from "./store.ts";

/** Where the data are, and what they are at first. */
export interface DataOptions {
  /** The file as messages call it. */
  readonly file: string;
  /** Its absolute path. */
  readonly path: string;
  /** What a new file begins with; asked for only then, and may refuse. */
  readonly seed: () => Promise<Seed>;
  /** Asked when the file is there already; may refuse. */
  readonly reopen: () => void;
  readonly processes: Processes;
  readonly clock: Pick<Clock, "now">;
}

/** A store that is kept in a file. */
export interface DataStore {
  readonly store: Store;
  /** The users, and the courses that the file held when it was opened. */
  readonly seed: Seed;
  /** Waits for what is being written, and gives the file back. */
  close(): Promise<void>;
}

/**
 * Opens a data file, or makes it.
 *
 * @throws CatalogError of kind `usage` when another sandbox has it, `file` when it is damaged,
 * `output` when the system refuses
 */
export async function openDataStore(options: DataOptions): Promise<DataStore> {
  const { file, path, processes, clock } = options;
  const unlock = await lockData(file, path, processes, clock);
  try {
    const { seed, length } = await dataOf(options);
    const handle = await opened(file, path);
    // What follows was never acknowledged, and must not come to stand behind later lines.
    await handle.truncate(length);
    const journal = new Journal(handle, length);
    const close = async (): Promise<void> => {
      await journal.close();
      await unlock();
    };
    return { store: keeping(memoryStore(seed), journal), seed, close };
  } catch (cause) {
    await unlock();
    throw cause;
  }
}

async function dataOf({
  file,
  path,
  seed,
  reopen,
}: DataOptions): Promise<Pick<Data, "seed" | "length">> {
  const data = await readDataFile(file, path);
  if (data === undefined) {
    const first = await seed();
    return { seed: first, length: await writeDataFile(file, path, first) };
  }
  reopen();
  return isWasteful(data) ? { ...data, length: await writeDataFile(file, path, data.seed) } : data;
}

/** Lines that say nothing any more cost time at every start. */
const WASTE = 1000;

function isWasteful({ seed, lines }: Data): boolean {
  const courses = seed.users.reduce((sum, user) => sum + user.courses.length, 0);
  return lines > 2 * courses + WASTE;
}

async function opened(file: string, path: string): Promise<FileHandle> {
  try {
    return await open(path, "r+");
  } catch (cause) {
    throw new CatalogError("output", `could not write ${file}: ${systemCode(cause) ?? cause}`, {
      file,
      cause,
    });
  }
}

/** The store, with each change added to the journal. A change is visible before it is kept. */
function keeping(memory: MemoryStore, journal: Journal): Store {
  return {
    ...memory,
    add: async (course) => {
      memory.put(course);
      await journal.add({ put: course }, () => memory.take(course.id));
    },
    replace: async (course) => {
      const before = memory.stored(course.id);
      memory.put(course);
      await journal.add({ put: course }, () => memory.put(before));
    },
    remove: async (id) => {
      const before = memory.stored(id);
      memory.take(id);
      await journal.add({ remove: id }, () => memory.put(before));
    },
  };
}
