import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { type DataStore, openDataFile } from "../../src/sandbox/data-file.ts";
import { DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";

import {
  type Seed,
  type Store,
  type StoredCourse,
  toStoredCourse,
} from "../../src/sandbox/store.ts";
import { newFolder } from "../folder.ts";
import { scaleRuns } from "../long.ts";
import { course } from "../rig.ts";
import { KEY, numbered, testClock } from "./rig.ts";

/** One user with one provider and no courses. */
const EMPTY: Seed = { users: [{ key: KEY, providers: [DEFAULT_PROVIDER], courses: [] }] };

/** Opens a data file, or creates an empty one. */
async function openData(path: string): Promise<DataStore> {
  return await openDataFile({ name: "x.data", path, root: undefined }, async () => EMPTY);
}

/** The nth course with a name for its version. */
function version(number: number, name: number | string = 0): StoredCourse {
  const own = { id: numbered(number), slug: `slug-${number}` };
  return toStoredCourse(course({ name: `Version ${name}`, ...own }), testClock());
}

/** Every course of a user, in the order of creation. */
function allOf(store: Store, key = KEY): readonly StoredCourse[] {
  const user = store.userOf(key);
  return user === undefined ? [] : store.courses(user, { limit: 1000, offset: 0 });
}

/** The courses in a file. */
async function readCourses(path: string): Promise<readonly StoredCourse[]> {
  const { store, close } = await openData(path);
  close();
  return allOf(store);
}

interface Step {
  readonly action: "put" | "remove";
  readonly number: number;
}

const steps = fc.array(
  fc.record<Step>({ action: fc.constantFrom("put", "put", "remove"), number: fc.nat(4) }),
  { minLength: 1, maxLength: 12 },
);
const cuts = fc.array(fc.nat(), { minLength: 6, maxLength: 6 });

/** A file of a heading and three changes, and its lines with their line feeds. */
async function threeChanges(): Promise<{ path: string; lines: string[] }> {
  const path = join(await newFolder(), "x.data");
  const { store, close } = await openData(path);
  store.put(version(1));
  store.put(version(2));
  store.put(version(1, "é"));
  close();
  return { path, lines: (await readFile(path, "utf8")).split(/(?<=\n)/) };
}

test("a data file has a change as soon as it is made and, cut off at any byte after the first line, every complete change and no other", async () => {
  const folder = await newFolder();
  let files = 0;
  await fc.assert(
    fc.asyncProperty(steps, cuts, async (all, offsets) => {
      const path = join(folder, `${++files}.data`);
      const { store, close } = await openData(path);
      const states = [allOf(store)];
      for (const [index, { action, number }] of all.entries()) {
        if (action === "put") store.put(version(number, index));
        else if (store.find(numbered(number)) !== undefined) store.remove(numbered(number));
        else continue;
        states.push(allOf(store));
        expect((await readFile(path, "utf8")).split("\n")).toHaveLength(states.length + 1);
      }
      close();
      const bytes = await readFile(path);
      const first = bytes.indexOf("\n") + 1;
      for (const offset of offsets) {
        const part = bytes.subarray(0, first + (offset % (bytes.length - first + 1)));
        const cut = `${path}.cut`;
        await writeFile(cut, part);
        const complete = part.toString("latin1").split("\n").length - 1;
        expect(await readCourses(cut)).toEqual(states[complete - 1]);
      }
    }),
    { numRuns: scaleRuns(2) },
  );
});

test("a data file that was cut off continues after its last complete line", async () => {
  const { path, lines } = await threeChanges();
  await writeFile(path, lines.join("").slice(0, -1));
  const { store, close } = await openData(path);
  store.put(version(3));
  close();
  const ids = (await readCourses(path)).map(({ id }) => id);
  expect(ids).toEqual([1, 2, 3].map(numbered));
});

test.each<[string, number, (lines: string[]) => string[]]>([
  ["a line that is not JSON", 3, ([a = "", b = "", c = "", d = ""]) => [a, b, `x${c}`, d]],
  ["a repeated heading", 5, (lines) => [...lines, ...lines.slice(0, 1)]],
  ["an unknown change", 5, (lines) => [...lines, '{"move":1}\n']],
  ["a course without an id", 2, ([a = "", b = ""]) => [a, b.replace('"id"', '"no"')]],
  ["a foreign provider", 2, ([a = "", ...rest]) => [a.replaceAll("6f0f8a34", "00000000"), ...rest]],
  ["no heading", 1, ([, ...lines]) => lines],
  ["a heading that was cut off", 1, ([heading = ""]) => [heading.slice(0, -2)]],
  ["a course instead of a heading", 1, () => ['{"name":"Knitting"}']],
])("a data file with %s is rejected with line %i and left unchanged", async (_, line, damage) => {
  const { path, lines } = await threeChanges();
  const text = damage(lines).join("");
  await writeFile(path, text);
  await expect(openData(path)).rejects.toMatchObject({ kind: "file", facts: { line } });
  expect(await readFile(path, "utf8")).toBe(text);
});

test("a data file is compacted when it is opened, and keeps its mode", async () => {
  const folder = await newFolder();
  const path = join(folder, "x.data");
  const { store, close } = await openData(path);
  for (const number of [1, 2, 3]) store.put(version(number));
  store.remove(numbered(2));
  for (let name = 0; name < 10; name++) store.put(version(1, name));
  close();
  await chmod(path, 0o640);
  const before = allOf(store);
  expect(await readCourses(path)).toEqual(before);
  expect((await readFile(path, "utf8")).split("\n")).toHaveLength(4);
  expect((await stat(path)).mode & 0o777).toBe(0o640);
  expect(await readdir(folder)).toEqual(["x.data"]);
  expect(await readCourses(path)).toEqual(before);
});

test("only the owner can read a new data file, because it contains the API keys, and no other file remains", async () => {
  const folder = await newFolder();
  const path = join(folder, "x.data");
  (await openData(path)).close();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["x.data"]);
});

test("a data file keeps every user with its API key and providers", async () => {
  const file = { name: "x.data", path: join(await newFolder(), "x.data"), root: undefined };
  const other = { ...DEFAULT_PROVIDER, id: numbered(9), slug: "other" };
  const users = [...EMPTY.users, { key: "other.key", providers: [other], courses: [] }];
  const first = await openDataFile(file, async () => ({ users }));
  first.close();
  const again = await openDataFile(file, async () => EMPTY);
  again.close();
  expect(again.users).toMatchObject(users.map(({ key, providers }) => ({ key, providers })));
});

test("a change that cannot be written to the data file has no effect", async () => {
  const path = join(await newFolder(), "x.data");
  const data = await openData(path);
  onTestFinished(() => data.close());
  data.store.put(version(1));
  const cyclic: Record<string, unknown> = { ...version(2) };
  cyclic.extra = cyclic;
  expect(() => data.store.put(cyclic as StoredCourse)).toThrow();
  expect(allOf(data.store)).toEqual([version(1)]);
});
