/** What a damaged, cut off or foreign data file comes to. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Data, dataIn } from "../../src/sandbox/data-file.ts";
import { courseOf } from "../../src/sandbox/held.ts";
import type { StoredCourse } from "../../src/sandbox/record.ts";
import { allOf, heldIn, newFolder, openData, version } from "./data-rig.ts";
import { numbered } from "./rig.ts";

type Step = { readonly act: "put" | "remove"; readonly number: number };

const steps = fc.array(
  fc.record<Step>({ act: fc.constantFrom("put", "put", "remove"), number: fc.nat(4) }),
  { minLength: 1, maxLength: 12 },
);

const cutting = fc.array(fc.nat(), { minLength: 8, maxLength: 8 });

/** What the bytes of a file come to. */
async function read(bytes: Buffer): Promise<Data | undefined> {
  return await dataIn("x.data", one(bytes));
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes;
}

/** Where each line of the file ends. */
function endsOf(bytes: Buffer): number[] {
  const ends: number[] = [];
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, end + 1)) ends.push(end + 1);
  return ends;
}

describe("a file that was cut off", () => {
  test("at any byte holds every change up to there, and nothing of a later one", async () => {
    const folder = await newFolder();
    let files = 0;
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), cutting, async (all, atOnce, cuts) => {
        const path = join(folder, `${++files}.data`);
        const { store, close } = await openData(path);
        const states = [allOf(store)];
        const kept: Promise<void>[] = [];
        for (const [index, { act, number }] of all.entries()) {
          const id = numbered(number);
          const exists = store.hasCourse(id);
          if (act === "remove" && !exists) continue;
          const change =
            act === "remove"
              ? store.remove(id)
              : exists
                ? store.replace(version(number, index))
                : store.add(version(number, index));
          states.push(allOf(store));
          kept.push(change);
          if (!atOnce) await change;
        }
        await Promise.all(kept);
        await close();
        const bytes = await readFile(path);
        const ends = endsOf(bytes);
        const [first = 0] = ends;
        expect(ends).toHaveLength(states.length);
        for (const cut of [
          first,
          ...cuts.map((cut) => first + (cut % (bytes.length - first + 1))),
        ]) {
          const whole = ends.filter((end) => end <= cut).length;
          const data = await read(bytes.subarray(0, cut));
          expect(data?.courses.map(courseOf)).toEqual(states[whole - 1]);
          expect(data?.end).toEqual({ length: ends[whole - 1], number: whole });
        }
      }),
      { numRuns: 30 },
    );
  });

  test("goes on where its last whole line ends", async () => {
    const { path, bytes } = await threeChanges();
    const [, , third = 0] = endsOf(bytes);
    await writeFile(path, bytes.subarray(0, -1));
    const { store, close } = await openData(path);
    expect((await stat(path)).size).toBe(third);
    await store.add(version(3));
    await close();
    const ids = (await heldIn(path)).map(({ id }) => id);
    expect(ids).toEqual([numbered(1), numbered(2), numbered(3)]);
  });

  test("in its first line is refused, and left as it is", async () => {
    const { path, bytes } = await threeChanges();
    const [first = 0] = endsOf(bytes);
    for (const cut of [1, 8, 9, 12, first - 2, first - 1]) {
      await writeFile(path, bytes.subarray(0, cut));
      await expect(openData(path)).rejects.toMatchObject({ kind: "file", facts: { line: 1 } });
      expect((await stat(path)).size).toBe(cut);
    }
  });

  test("to nothing counts as a new one", async () => {
    const path = join(await newFolder(), "x.data");
    await writeFile(path, "");
    expect(await heldIn(path)).toEqual([]);
    expect(await readFile(path, "latin1")).toMatch(/^[\da-f]{8} 1 \{"sandbox":1,/);
  });
});

/** A file of a heading and three changes. */
async function threeChanges(): Promise<{ path: string; bytes: Buffer }> {
  const path = join(await newFolder(), "x.data");
  const { store, close } = await openData(path);
  await store.add(version(1));
  await store.add(version(2));
  await store.replace(version(1, "é"));
  await close();
  return { path, bytes: await readFile(path) };
}

describe("a flipped bit", () => {
  test("at any byte of a whole line is refused with that line", async () => {
    const { bytes } = await threeChanges();
    const ends = endsOf(bytes);
    const wrong: string[] = [];
    for (let at = 0; at < bytes.length; at++) {
      // A line feed is what a line ends by, and has every bit tried.
      const bits = bytes[at] === 10 ? [0, 1, 2, 3, 4, 5, 6, 7] : [at % 8];
      for (const bit of bits) {
        const line = ends.findIndex((end) => at < end) + 1;
        const outcome = await told(flipped(bytes, at, bit));
        if (outcome !== `line ${line}`) wrong.push(`byte ${at}, bit ${bit}: ${outcome}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("in a last line that was cut off is refused, or as if that line were not there", async () => {
    const { bytes } = await threeChanges();
    const [, , third = 0] = endsOf(bytes);
    const cut = bytes.subarray(0, third + 200);
    for (let at = third; at < cut.length; at++) {
      expect(["2 courses", "line 4"]).toContain(await told(flipped(cut, at, at % 8)));
    }
    // The line feed before it makes one line of both, of which the first half was acknowledged.
    expect(await told(flipped(cut, third - 1, 0))).toBe("line 3");
  });

  async function told(bytes: Buffer): Promise<string> {
    try {
      return `${(await read(bytes))?.courses.length ?? "no"} courses`;
    } catch (error) {
      const { kind, facts } = error as { kind?: string; facts?: { line?: number } };
      return kind === "file" ? `line ${facts?.line}` : String(error);
    }
  }

  function flipped(bytes: Buffer, at: number, bit: number): Buffer {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ (1 << bit);
    return copy;
  }
});

describe("lines", () => {
  /** What comes of the lines that this makes of the four of a file. */
  async function rearranged(change: (lines: string[]) => string[]): Promise<Data | undefined> {
    const { bytes } = await threeChanges();
    const lines = bytes.toString("utf8").split(/(?<=\n)/);
    return await read(Buffer.from(change(lines).join("")));
  }

  test.each<[string, number, (lines: string[]) => string[]]>([
    ["swapped", 3, ([a = "", b = "", c = "", d = ""]) => [a, c, b, d]],
    ["repeated", 4, ([a = "", b = "", c = "", d = ""]) => [a, b, c, b, d]],
    ["repeated at the end", 5, (lines) => [...lines, ...lines.slice(-1)]],
    ["with the heading again", 5, (lines) => [...lines, ...lines.slice(0, 1)]],
    ["blank in between", 3, ([a = "", b = "", ...others]) => [a, b, "\n", ...others]],
    [
      "of another provider",
      2,
      ([a = "", ...others]) => [resummed(a.replaceAll("6f0f8a34", "00000000")), ...others],
    ],
    ["that end in CRLF", 1, (lines) => lines.map((line) => line.replace("\n", "\r\n"))],
    ["behind a byte order mark", 1, (lines) => ["\ufeff", ...lines]],
    ["without their heading", 1, ([, ...lines]) => lines],
  ])("%s are refused with the line %i", async (_, line, change) => {
    await expect(rearranged(change)).rejects.toMatchObject({ kind: "file", facts: { line } });
  });

  test("may be taken out by hand", async () => {
    const data = await rearranged(([a = "", b = "", , d = ""]) => [a, b, d]);
    expect(data?.courses.map(({ id }) => id)).toEqual([numbered(1)]);
  });

  test("of another version are refused with its number", async () => {
    const other = rearranged(([a = ""]) => [resummed(a.replace('{"sandbox":1', '{"sandbox":2'))]);
    await expect(other).rejects.toMatchObject({
      kind: "file",
      message: "x.data is a data file of version 2, which this catalog cannot read",
    });
  });

  function resummed(line: string): string {
    const text = line.slice(9, -1);
    return `${crc32(text).toString(16).padStart(8, "0")} ${text}\n`;
  }
});

describe("a file of something else", () => {
  test.each([
    [
      "a course without a line feed",
      '{"name":"Knitting","url":"https://academy.example/knitting"}',
    ],
    ["a course with one", '{"name":"Knitting"}\n'],
    ["two megabytes of nothing", "\0".repeat(2_000_000)],
    ["a line feed", "\n"],
    ["a few bytes", "hi"],
  ])("%s is refused, and left as it is", async (_, text) => {
    const path = join(await newFolder(), "x.data");
    await writeFile(path, text);
    await expect(openData(path)).rejects.toMatchObject({ kind: "file", facts: { line: 1 } });
    expect(await readFile(path, "utf8")).toBe(text);
  });
});

test("a file is the same in whatever pieces it is read", async () => {
  const { bytes } = await threeChanges();
  for (const size of [16, 100, 701, 1000]) {
    const pieces = async function* (): AsyncGenerator<Buffer> {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    expect(await dataIn("x.data", pieces())).toEqual(await read(bytes));
  }
});

test("a course comes back with every letter of it", async () => {
  const path = join(await newFolder(), "x.data");
  const name = 'Tab\t, line\n, "quotes", \u2028, \u0000, é, 編み物, 🧶 and half of one: \ud83e}';
  const kept: StoredCourse = { ...version(1), name, extra: { "}": [1e21, -0.5, null] } };
  const { store, close } = await openData(path);
  await store.add(kept);
  await close();
  expect(await heldIn(path)).toEqual([kept]);
});
