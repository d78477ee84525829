/** Who gets a data file that several want, or that a killed sandbox had. */
import { spawnSync } from "node:child_process";
import {
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Processes } from "../../src/base/processes.ts";
import { systemClock } from "../../src/base/system-clock.ts";
import { type Lock, lockData } from "../../src/sandbox/data-lock.ts";
import { ALONE, newFolder, openData } from "./data-rig.ts";

const EVERYBODY: Processes = { own: process.pid, isRunning: () => true };
const LINUX = process.platform === "linux";

async function lock(path: string, processes = ALONE, now = Date.now()): Promise<Lock> {
  const taken = await lockData("x.data", path, {
    processes,
    clock: { ...systemClock, now: () => now },
  });
  onTestFinished(taken.release);
  return taken;
}

/** The folder of a file's claims, with some that others left behind. */
async function claims(path: string, ...names: readonly string[]): Promise<string> {
  const folder = `${path}.lock`;
  await mkdir(folder);
  for (const name of names) await writeFile(join(folder, name), "holds");
  return folder;
}

const NONCE = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";

/** What the name of a claim of this process says of it. */
async function ownWords(): Promise<{ born: string; place: string }> {
  const path = join(await newFolder(), "own.data");
  const { release } = await lock(path);
  const [name = ""] = await readdir(`${path}.lock`);
  await release();
  const [, born = "", place = ""] = name.split("_");
  return { born, place };
}

describe("a file that is in use", () => {
  test("is refused with the process that has it, until it is given back", async () => {
    const path = join(await newFolder(), "x.data");
    const { close } = await openData(path);
    await expect(openData(path)).rejects.toMatchObject({
      kind: "usage",
      message: `x.data is in use by the sandbox of process ${process.pid}`,
    });
    await close();
    await (await openData(path)).close();
  });

  test("is in use under every name that leads to it", async () => {
    const folder = await newFolder();
    await mkdir(join(folder, "real"));
    const path = join(folder, "real", "x.data");
    await symlink(join("real", "x.data"), join(folder, "link.data"));
    await symlink("real", join(folder, "way"));
    const { close } = await openData(path);
    onTestFinished(close);
    for (const name of ["link.data", "way/x.data", "real/../link.data"]) {
      await expect(openData(join(folder, name))).rejects.toThrow("in use");
    }
    expect((await lstat(join(folder, "link.data"))).isSymbolicLink()).toBe(true);
  });

  test("goes to exactly one of twenty that come at once, whatever was left behind", async () => {
    const { born, place } = await ownWords();
    for (let round = 0; round < 4; round++) {
      const path = join(await newFolder(), "x.data");
      await claims(path, `999999_1_${place}_${NONCE}`, `${process.pid}_${born}1_${place}_${NONCE}`);
      const results = await Promise.allSettled(Array.from({ length: 20 }, () => lock(path)));
      const refused = results.filter(({ status }) => status === "rejected");
      expect(refused).toHaveLength(19);
      for (const result of refused) {
        expect(result).toMatchObject({ reason: { kind: "usage", message: /in use/ } });
      }
      expect(await readdir(`${path}.lock`)).toHaveLength(1);
    }
  });
});

describe("a claim that was left behind", () => {
  test("by a process that is gone counts for nothing, and is cleared away", async () => {
    const { place } = await ownWords();
    const path = join(await newFolder(), "x.data");
    const folder = await claims(path, `999999_1_${place}_${NONCE}`, "new");
    const { release } = await lock(path);
    expect(await readdir(folder)).toHaveLength(1);
    await release();
    await expect(readdir(folder)).rejects.toThrow("ENOENT");
  });

  test.runIf(LINUX)("by one whose number another process has now counts for nothing", async () => {
    const { born, place } = await ownWords();
    const path = join(await newFolder(), "x.data");
    await claims(path, `${process.pid}_${Number(born) - 1}_${place}_${NONCE}`);
    await lock(path, EVERYBODY);
  });

  test.runIf(LINUX)("by one that runs holds the file", async () => {
    const { born, place } = await ownWords();
    const path = join(await newFolder(), "x.data");
    await claims(path, `${process.pid}_${born}_${place}_${NONCE}`);
    await expect(lock(path)).rejects.toThrow("in use");
  });

  test.each([
    ["another container", `1_5_${NONCE}-4026531836_${NONCE}`],
    ["a system that does not tell when it began", `${process.pid}___${NONCE}`],
  ])("in %s holds the file as long as it gives signs of life", async (_, name) => {
    const path = join(await newFolder(), "x.data");
    const folder = await claims(path, name);
    const now = Date.now();
    await utimes(join(folder, name), now / 1000, now / 1000);
    for (const later of [0, 9000, -9000]) {
      await expect(lock(path, EVERYBODY, now + later)).rejects.toThrow("in use");
    }
    await lock(path, EVERYBODY, now + 11_000);
  });

  test("gives signs of life as long as it holds the file", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const path = join(await newFolder(), "x.data");
    const { release } = await lock(path);
    const [name = ""] = await readdir(`${path}.lock`);
    const claim = join(`${path}.lock`, name);
    await utimes(claim, 1, 1);
    vi.advanceTimersByTime(2000);
    const isRecent = async () => Date.now() - (await stat(claim)).mtimeMs < 10_000;
    await vi.waitUntil(isRecent, { interval: 1, timeout: 10_000 });
    await release();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is told from what somebody else put there, which stays", async () => {
    const path = join(await newFolder(), "x.data");
    const folder = await claims(path, "notes.txt", "1_2");
    const { release } = await lock(path);
    await release();
    expect((await readdir(folder)).sort()).toEqual(["1_2", "notes.txt"]);
  });
});

describe("what can be no data file", () => {
  test("a folder, a link to nowhere, and a file with two names are refused", async () => {
    const folder = await newFolder();
    await mkdir(join(folder, "folder"));
    await symlink("nowhere", join(folder, "link"));
    await writeFile(join(folder, "one"), "");
    await link(join(folder, "one"), join(folder, "two"));
    const names = (await readdir(folder)).sort();
    for (const name of ["folder", "link", "one", "two"]) {
      await expect(openData(join(folder, name))).rejects.toMatchObject({ kind: "usage" });
    }
    expect((await readdir(folder)).sort()).toEqual(names);
  });

  test.runIf(LINUX)("a pipe is refused, and stays what it is", async () => {
    const folder = await newFolder();
    const pipe = join(folder, "pipe");
    spawnSync("mkfifo", [pipe]);
    await expect(openData(pipe)).rejects.toMatchObject({
      kind: "usage",
      message: "x.data is no ordinary file",
    });
    expect((await lstat(pipe)).isFIFO()).toBe(true);
    expect(await readdir(folder)).toEqual(["pipe"]);
  });

  test("a file in a folder that is not there is refused, and none is made", async () => {
    const folder = await newFolder();
    await expect(openData(join(folder, "absent", "x.data"))).rejects.toMatchObject({
      kind: "usage",
      message: "there is no folder for x.data",
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test("a file of one's own beside it is not touched", async () => {
    const folder = await newFolder();
    const path = join(folder, "x.data");
    const mine = [`${path}.new`, `${path}.tmp`];
    for (const name of mine) await writeFile(name, "mine");
    await (await openData(path)).close();
    for (const name of mine) expect(await readFile(name, "utf8")).toBe("mine");
    await writeFile(`${path}.lock`, "mine");
    await expect(openData(path)).rejects.toMatchObject({ kind: "output" });
    expect(await readFile(`${path}.lock`, "utf8")).toBe("mine");
  });
});
