import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { type DataStore, openDataFile } from "../../src/sandbox/data-file.ts";
import { DEFAULT_PROVIDER, parseSeeds } from "../../src/sandbox/seed.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import {
  type Seed,
  type Store,
  type StoredCourse,
  toStoredCourse,
} from "../../src/sandbox/store.ts";
import { scaleRuns } from "../long.ts";
import { course } from "../rig.ts";
import { change, created, ID, KEY, list, numbered, send, testClock } from "./rig.ts";

/** One user with one provider and no courses. */
const EMPTY: Seed = { users: [{ key: KEY, providers: [DEFAULT_PROVIDER], courses: [] }] };

/** A folder that is deleted after the test. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "catalog-data-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a data file, or creates an empty one. */
async function openData(path: string, seed = EMPTY): Promise<DataStore> {
  return await openDataFile({ name: "x.data", path, root: undefined }, async () => seed);
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
const cuts = fc.array(fc.nat(), { minLength: 8, maxLength: 8 });

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

test("a data file cut off at any byte after the first line has every complete change and no other", async () => {
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
    { numRuns: scaleRuns(4) },
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

test("a data file cut off in its first line is rejected and left unchanged", async () => {
  const { path, lines } = await threeChanges();
  const [heading = ""] = lines;
  for (const length of [1, 12, heading.length - 1]) {
    await writeFile(path, heading.slice(0, length));
    await expect(openData(path)).rejects.toMatchObject({ kind: "file", facts: { line: 1 } });
    expect(await readFile(path, "utf8")).toBe(heading.slice(0, length));
  }
});

test.each<[string, number, (lines: string[]) => string[]]>([
  ["a line that is not JSON", 3, ([a = "", b = "", c = "", d = ""]) => [a, b, `x${c}`, d]],
  ["a repeated heading", 5, (lines) => [...lines, ...lines.slice(0, 1)]],
  ["an unknown change", 5, (lines) => [...lines, '{"move":1}\n']],
  ["a course without an id", 2, ([a = "", b = ""]) => [a, b.replace('"id"', '"no"')]],
  [
    "a course of an unknown provider",
    2,
    ([a = "", ...rest]) => [a.replaceAll("6f0f8a34", "00000000"), ...rest],
  ],
  ["no heading", 1, ([, ...lines]) => lines],
])("a data file with %s is rejected with line %i and left unchanged", async (_, line, damage) => {
  const { path, lines } = await threeChanges();
  const text = damage(lines).join("");
  await writeFile(path, text);
  await expect(openData(path)).rejects.toMatchObject({ kind: "file", facts: { line } });
  expect(await readFile(path, "utf8")).toBe(text);
});

test.each([
  ["a course without a line feed", '{"name":"Knitting"}'],
  ["a few bytes", "hi"],
])("another kind of file is rejected as a data file and left unchanged: %s", async (_, text) => {
  const path = join(await newFolder(), "x.data");
  await writeFile(path, text);
  await expect(openData(path)).rejects.toMatchObject({ kind: "file", facts: { line: 1 } });
  expect(await readFile(path, "utf8")).toBe(text);
});

test("every response of GET is the same after a restart, byte for byte", async () => {
  const path = join(await newFolder(), "x.data");
  const [a, b] = [numbered(101), numbered(102)];
  const url = "https://academy.example";
  const courses = [course({ id: ID, provider_id: a, approval_status: "approved", slug: "s" })];
  const users = [
    { key: "first.key", providers: [{ id: a, name: "A", url }], courses },
    { key: "second.key", providers: [{ id: b, name: "B", url }] },
  ];
  const texts: string[][] = [];
  const headers = { "X-Api-Key": "first.key" };
  for (const isFirst of [true, false]) {
    const data = await openData(path, parseSeeds([{ users }], testClock()));
    const sandbox = await startSandbox({ store: data.store, clock: testClock() });
    if (isFirst) {
      await created(sandbox, { id: numbered(7), provider_id: a, name: "編み物 \u2028" }, headers);
      await change(sandbox, numbered(7), { published: false, level: ["beginner"] }, headers);
      await created(sandbox, { provider_id: a }, headers);
    }
    const seen: string[] = [];
    for (const query of ["providers", "courses", "courses?published=false", "courses?limit=2"]) {
      seen.push((await send(sandbox, "GET", `/developer/v1/${query}`, { headers })).text);
    }
    texts.push(seen);
    expect(await list(sandbox, `?id=${ID}`, { "X-Api-Key": "second.key" })).toEqual([]);
    await sandbox.close();
    data.close();
  }
  expect(texts[1]).toEqual(texts[0]);
  expect(texts[0]?.[1]).toContain("approved");
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

test("only the owner can read a new data file, because it contains the keys, and no other file remains", async () => {
  const folder = await newFolder();
  const path = join(folder, "x.data");
  (await openData(path)).close();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["x.data"]);
});

test("a folder and a link as a data file are refused", async () => {
  const folder = await newFolder();
  await mkdir(join(folder, "folder"));
  await symlink("nowhere", join(folder, "link"));
  for (const [name, message] of [
    ["folder", "cannot write x.data: it is a folder"],
    ["link", "cannot write x.data: it is a symbolic link"],
  ] as const) {
    await expect(openData(join(folder, name))).rejects.toMatchObject({ kind: "output", message });
  }
  expect((await readdir(folder)).sort()).toEqual(["folder", "link"]);
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
