/** Opens data files for the tests, and tells what is in them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Processes } from "../../src/base/processes.ts";
import { systemClock } from "../../src/base/system-clock.ts";
import { type DataOptions, type DataStore, openDataStore } from "../../src/sandbox/data-store.ts";
import { type StoredCourse, storedCourse } from "../../src/sandbox/record.ts";
import { DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import type { CourseQuery, Seed, Store, User } from "../../src/sandbox/store.ts";
import { course, KEY, numbered } from "./rig.ts";

/** This process, and no other. */
export const ALONE: Processes = { own: process.pid, isRunning: (id) => id === process.pid };

/** One user with one provider and no course. */
export const EMPTY: Seed = { users: [{ key: KEY, providers: [DEFAULT_PROVIDER], courses: [] }] };

/** A folder that goes with the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "catalog-data-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a data file, or makes an empty one. */
export async function openData(
  path: string,
  options: Partial<DataOptions> = {},
): Promise<DataStore> {
  return await openDataStore({
    file: "x.data",
    path,
    seed: async () => EMPTY,
    reopen: () => undefined,
    fail: () => undefined,
    processes: ALONE,
    clock: systemClock,
    ...options,
  });
}

/** The nth course in the nth of its versions. */
export function version(number: number, name: number | string = 0): StoredCourse {
  const values = course({ name: `Version ${name}` });
  return storedCourse(values, { id: numbered(number), slug: `slug-${number}`, now: 0 });
}

/** What a store lists, read from its JSON. */
export function coursesOf(store: Store, user: User, query: CourseQuery): StoredCourse[] {
  return store.courses(user, query).map((bytes) => JSON.parse(bytes.toString("utf8")));
}

/** Every course of a user, in the order of creation. */
export function allOf(store: Store, key = KEY): readonly StoredCourse[] {
  const user = store.userOf(key);
  return user === undefined ? [] : coursesOf(store, user, { limit: 1000, offset: 0 });
}

/** What the file holds, for one that is opened for that alone. */
export async function heldIn(path: string): Promise<readonly StoredCourse[]> {
  const { store, close } = await openData(path);
  await close();
  return allOf(store);
}
