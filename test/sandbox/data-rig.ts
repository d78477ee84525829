/** Opens data files for the tests, and shows their content. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type DataFileOptions, type DataStore, openDataFile } from "../../src/sandbox/data-file.ts";
import { DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import type { Seed, Store } from "../../src/sandbox/store.ts";
import { type StoredCourse, toStoredCourse } from "../../src/sandbox/store.ts";
import { course, KEY, numbered, testClock } from "./rig.ts";

/** One user with one provider and no courses. */
const EMPTY: Seed = { users: [{ key: KEY, providers: [DEFAULT_PROVIDER], courses: [] }] };

/** A folder that is deleted after the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "catalog-data-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a data file, or creates an empty one. */
export async function openData(
  path: string,
  options: Partial<DataFileOptions> = {},
): Promise<DataStore> {
  return await openDataFile({
    file: { name: "x.data", path, root: undefined },
    seed: async () => EMPTY,
    ...options,
  });
}

/** The nth course with a name for its version. */
export function version(number: number, name: number | string = 0): StoredCourse {
  const own = { id: numbered(number), slug: `slug-${number}` };
  return toStoredCourse(course({ name: `Version ${name}`, ...own }), testClock());
}

/** Every course of a user, in the order of creation. */
export function allOf(store: Store, key = KEY): readonly StoredCourse[] {
  const user = store.userOf(key);
  return user === undefined ? [] : store.courses(user, { limit: 1000, offset: 0 });
}

/** The courses in a file. */
export async function readCourses(path: string): Promise<readonly StoredCourse[]> {
  const { store, close } = await openData(path);
  close();
  return allOf(store);
}
