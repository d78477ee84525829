import { spawnSync } from "node:child_process";
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseSeed } from "../../src/sandbox/seed.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import type { StoredCourse } from "../../src/sandbox/store.ts";
import { scaleRuns } from "../long.ts";
import { allOf, newFolder, openData, readCourses, version } from "./data-rig.ts";
import { change, course, created, ID, list, numbered, send, testClock } from "./rig.ts";

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

describe("data files that are cut off after a kill", () => {
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
      { numRuns: scaleRuns(8) },
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

  test("a data file cut off to zero bytes counts as a new file", async () => {
    const path = join(await newFolder(), "x.data");
    await writeFile(path, "");
    expect(await readCourses(path)).toEqual([]);
    expect(await readFile(path, "utf8")).toMatch(/^\{"sandbox":1,/);
  });
});

describe("damaged data files", () => {
  test.each<[string, number, (lines: string[]) => string[]]>([
    ["a line that is not JSON", 3, ([a = "", b = "", c = "", d = ""]) => [a, b, `x${c}`, d]],
    ["a joined line", 2, ([a = "", b = "", ...rest]) => [a, b.trimEnd(), ...rest]],
    ["a repeated heading", 5, (lines) => [...lines, ...lines.slice(0, 1)]],
    ["an empty line", 3, ([a = "", b = "", ...rest]) => [a, b, "\n", ...rest]],
    ["an unknown change", 5, (lines) => [...lines, '{"move":1}\n']],
    ["a removal of an unknown course", 5, (lines) => [...lines, `{"remove":"${ID}"}\n`]],
    ["a course without an id", 2, ([a = "", b = ""]) => [a, b.replace('"id"', '"no"')]],
    [
      "a course of an unknown provider",
      2,
      ([a = "", ...rest]) => [a.replaceAll("6f0f8a34", "00000000"), ...rest],
    ],
    ["a byte order mark", 1, (lines) => ["\ufeff", ...lines]],
    ["no heading", 1, ([, ...lines]) => lines],
  ])("a data file with %s is rejected with line %i and left unchanged", async (_, line, damage) => {
    const { path, lines } = await threeChanges();
    const text = damage(lines).join("");
    await writeFile(path, text);
    await expect(openData(path)).rejects.toMatchObject({ kind: "file", facts: { line } });
    expect(await readFile(path, "utf8")).toBe(text);
  });

  test("a line of a data file can be deleted by hand", async () => {
    const { path, lines } = await threeChanges();
    const [a, b, , d] = lines;
    await writeFile(path, [a, b, d].join(""));
    expect((await readCourses(path)).map(({ id }) => id)).toEqual([numbered(1)]);
  });

  test("a data file of another format is rejected in its first line", async () => {
    const { path, lines } = await threeChanges();
    await writeFile(path, lines.join("").replace('{"sandbox":1', '{"sandbox":2'));
    await expect(openData(path)).rejects.toMatchObject({ kind: "file", facts: { line: 1 } });
  });

  test.each([
    ["a course without a line feed", '{"name":"Knitting"}'],
    ["a course with a line feed", '{"name":"Knitting"}\n'],
    ["two megabytes of zeros", "\0".repeat(2_000_000)],
    ["a line feed", "\n"],
    ["a few bytes", "hi"],
  ])("another kind of file is rejected as a data file and left unchanged: %s", async (_, text) => {
    const path = join(await newFolder(), "x.data");
    await writeFile(path, text);
    await expect(openData(path)).rejects.toMatchObject({ kind: "file", facts: { line: 1 } });
    expect(await readFile(path, "utf8")).toBe(text);
  });
});

describe("data files after a restart", () => {
  test("a data file keeps every character of a course, even in lines of several megabytes", async () => {
    const path = join(await newFolder(), "x.data");
    const name = 'Tab\t, line\n, "quotes", \u2028, \u0000, é, 編み物, 🧶 and half of one: \ud83e}';
    const long_description = "編み物 🧶 ".repeat(300_000);
    const saved: StoredCourse = { ...version(1), name, long_description, extra: [1e21, -0.5] };
    const { store, close } = await openData(path);
    store.put(saved);
    store.put(version(2));
    close();
    expect(await readCourses(path)).toEqual([saved, version(2)]);
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
      const data = await openData(path, { seed: async () => parseSeed({ users }, testClock()) });
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

  test("a changed course keeps its place in a data file, and a recreated course is the last", async () => {
    const path = join(await newFolder(), "x.data");
    const { store, close } = await openData(path);
    for (const number of [1, 2, 3, 4]) store.put(version(number));
    store.put(version(2, "new"));
    store.remove(numbered(1));
    store.put(version(1, "again"));
    store.remove(numbered(3));
    const before = allOf(store);
    expect(before.map(({ id }) => id)).toEqual([2, 4, 1].map(numbered));
    close();
    expect(await readCourses(path)).toEqual(before);
  });

  test("the seed is not read if the data file exists", async () => {
    const path = join(await newFolder(), "x.data");
    (await openData(path)).close();
    const seed = () => Promise.reject(new Error("read"));
    (await openData(path, { seed })).close();
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
});

describe("new data files", () => {
  test("only the owner can read a new data file, because it contains the keys, and no other file remains", async () => {
    const folder = await newFolder();
    const path = join(folder, "x.data");
    (await openData(path)).close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["x.data"]);
  });

  test("a data file is not created if the seed is rejected", async () => {
    const folder = await newFolder();
    const seed = () => Promise.reject(new Error("no seed"));
    await expect(openData(join(folder, "x.data"), { seed })).rejects.toThrow("no seed");
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("paths that cannot be data files", () => {
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

  test("a data file whose name is too long cannot be written", async () => {
    await expect(openData(join(await newFolder(), "x".repeat(300)))).rejects.toMatchObject({
      kind: "output",
      message: "cannot write x.data: name too long",
    });
  });

  test.runIf(process.platform === "linux")("a pipe as a data file is refused", async () => {
    const folder = await newFolder();
    const pipe = join(folder, "pipe");
    spawnSync("mkfifo", [pipe]);
    const message = "cannot write x.data: it is not a regular file";
    await expect(openData(pipe)).rejects.toMatchObject({ kind: "output", message });
    expect((await lstat(pipe)).isFIFO()).toBe(true);
    expect(await readdir(folder)).toEqual(["pipe"]);
  });
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
