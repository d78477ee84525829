/**
 * Keeps the state of the sandbox in a file. Each line is JSON: the first line has the users, and each other line
 * puts or removes a course. A change is written before it is acknowledged. So the sandbox can drop a last line
 * without a line break, which a killed process may leave: that change was never acknowledged.
 *
 *     {"sandbox":1,"users":[{"key":"sandbox.0123456789abcdef","providers":[{"id":"6f0f…",…}]}]}
 *     {"put":{"id":"0b6e…","name":"Knitting","provider_id":"6f0f…",…}}
 *     {"remove":"0b6e…"}
 */
import {
  type Destination,
  requireWritable,
  writeError,
  writeFileAtomically,
} from "../base/atomic-write.ts";
import { attempt, CatalogError, systemReason } from "../base/errors.ts";
import { OpenFile, readRegular } from "../base/files.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { parseUsers } from "./seed.ts";
import { memoryStore, type Seed, type Store, type StoredCourse, type User } from "./store.ts";

export interface DataStore {
  readonly users: readonly User[];
  readonly store: Store;
  /** Whether the file contained the state of an earlier sandbox. */
  readonly isReopened: boolean;
  /** Closes the file. */
  close(): void;
}

/**
 * Opens a data file, or creates a missing one.
 *
 * @param seed makes the content of a new file, and is called only for a new file
 * @throws CatalogError if the file is damaged or unusable, or what `seed` throws
 */
export async function openDataFile(to: Destination, seed: () => Promise<Seed>): Promise<DataStore> {
  const { name: file, path } = to;
  const exists = requireWritable(to) !== undefined;
  const found = exists ? readState(file, path) : undefined;
  const start = found ?? (await seed());
  const { users } = start;
  const store = "store" in start ? start.store : memoryStore(start);
  // Written as a whole, without superseded changes and without an incomplete last line.
  const owners = users.map(({ key, providers }) => ({ key, providers }));
  const heading = { sandbox: FORMAT, users: owners };
  const lines = [heading, ...store.all().map((put) => ({ put }))].map(toLine);
  await writeFileAtomically(to, lines.join(""), !exists);
  const journal = new OpenFile(path, "a");
  const append = (change: PlainObject): void => {
    try {
      journal.append(toLine(change));
    } catch (cause) {
      throw writeError(file, cause);
    }
  };
  const put = (course: StoredCourse): void => {
    append({ put: course });
    store.put(course);
  };
  const remove = (id: string): void => {
    append({ remove: id });
    store.remove(id);
  };
  const close = (): void => journal.close();
  return { store: { ...store, put, remove }, users, isReopened: found !== undefined, close };
}

function toLine(change: PlainObject): string {
  return `${JSON.stringify(change)}\n`;
}

const FORMAT = 1;

/** @returns undefined for an empty file @throws CatalogError with the line if the file is damaged */
function readState(file: string, path: string): Pick<DataStore, "users" | "store"> | undefined {
  const text = readText(file, path);
  if (text === "") return undefined;
  // What follows the last line break is incomplete.
  const [heading = "", ...changes] = text.split("\n").slice(0, -1);
  const { sandbox, users: list } = parseLine(heading);
  const users = sandbox === FORMAT ? attempt(() => parseUsers({ users: list })) : undefined;
  if (users === undefined) {
    const message = "this is not a data file of this version of the sandbox";
    const advice = "Choose another file for --data. If it does not exist, the sandbox creates it.";
    throw damaged(file, 1, message, advice);
  }
  const store = memoryStore({ users: users.map((user) => ({ ...user, courses: [] })) });
  const providers = new Set(users.flatMap((user) => user.providers.map(({ id }) => id)));
  const isStored = (value: unknown): value is StoredCourse =>
    isObject(value) && typeof value.id === "string" && providers.has(String(value.provider_id));
  for (const [index, line] of changes.entries()) {
    const { put, remove } = parseLine(line);
    if (isStored(put)) store.put(put);
    else if (typeof remove === "string" && store.find(remove) !== undefined) store.remove(remove);
    else {
      const advice = "Restore the file from a backup, or delete this line to lose only its change.";
      throw damaged(file, index + 2, "this line must put or remove a course", advice);
    }
  }
  return { users, store };
}

function readText(file: string, path: string): string {
  try {
    return readRegular(path).toString();
  } catch (cause) {
    throw new CatalogError("file", `cannot read ${file}: ${systemReason(cause)}`, { file, cause });
  }
}

function parseLine(line: string): PlainObject {
  const value = attempt((): unknown => JSON.parse(line));
  return isObject(value) ? value : {};
}

function damaged(file: string, line: number, message: string, advice: string): CatalogError {
  return new CatalogError("file", message, { file, line, column: 1, advice });
}
