import { spawnSync } from "node:child_process";
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Processes } from "../../src/base/process.ts";
import { lockFile } from "../../src/sandbox/data-file.ts";
import { newFolder, openData, processWith } from "./data-rig.ts";

const NONCE = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";

function lock(path: string, processes: Processes, host = "here"): () => void {
  return lockFile("x.data", path, { processes, host });
}

describe("the lock of a data file", () => {
  test("a second process is rejected with the id of the first process until the first process unlocks", async () => {
    const path = join(await newFolder(), "x.data");
    const unlock = lock(path, processWith(1, 1, 2));
    expect(() => lock(path, processWith(2, 1, 2))).toThrow(
      "x.data is in use by the sandbox of process 1",
    );
    unlock();
    lock(path, processWith(2, 1, 2))();
    expect(await readdir(join(path, ".."))).toEqual([]);
  });

  test("every name of a data file has the same lock", async () => {
    const folder = await newFolder();
    await mkdir(join(folder, "real"));
    const path = join(folder, "real", "x.data");
    await symlink(join("real", "x.data"), join(folder, "link.data"));
    await symlink("real", join(folder, "way"));
    (await openData(path)).close();
    const { close } = await openData(path, { processes: processWith(1, 1) });
    onTestFinished(close);
    const processes = processWith(2, 1, 2);
    for (const name of ["link.data", "way/x.data", "real/../link.data"]) {
      await expect(openData(join(folder, name), { processes })).rejects.toThrow("in use");
    }
    expect((await lstat(join(folder, "link.data"))).isSymbolicLink()).toBe(true);
  });

  test("claims of dead processes do not lock a data file", async () => {
    const path = join(await newFolder(), "x.data");
    await writeFile(`${path}.lock`, `7 ${NONCE}\n8 ${NONCE}\n`);
    lock(path, processWith(9, 9));
    expect(() => lock(path, processWith(10, 9, 10))).toThrow("process 9");
  });

  test("a claim with the id of this process is stale, as after a kill in a container", async () => {
    const path = join(await newFolder(), "x.data");
    await writeFile(`${path}.lock`, `7 ${NONCE}\n`);
    lock(path, processWith(7, 7))();
  });

  test("a rejected claim does not win after the first process is killed", async () => {
    const path = join(await newFolder(), "x.data");
    lock(path, processWith(1, 1, 2));
    expect(() => lock(path, processWith(2, 1, 2))).toThrow("in use");
    lock(path, processWith(3, 3))();
  });

  test("a process of another machine or container counts as running, even with the same id", async () => {
    const path = join(await newFolder(), "x.data");
    const unlock = lock(path, processWith(1, 1), "container-a");
    const claims = await readFile(`${path}.lock`, "utf8");
    expect(() => lock(path, processWith(1, 1), "container-b")).toThrow(
      "x.data is in use by the sandbox of process 1 on container-a",
    );
    expect(await readFile(`${path}.lock`, "utf8")).toBe(claims);
    // The same container, started again after a kill.
    lock(path, processWith(1, 1), "container-a");
    unlock();
    lock(path, processWith(1, 1), "container-b")();
  });

  test("a process of another namespace counts as running, even with the same host name and id", async () => {
    const path = join(await newFolder(), "x.data");
    const inside = (namespace?: string): Processes => ({ ...processWith(3, 3), namespace });
    const unlock = lock(path, inside("41"));
    expect(() => lock(path, inside("42"))).toThrow("in use by the sandbox of process 3 on here-41");
    expect(() => lock(path, inside())).toThrow("in use");
    lock(path, inside("41"));
    unlock();
    // A claim of before there were namespaces in claims.
    await writeFile(`${path}.lock`, `3 ${NONCE} here\n`);
    expect(() => lock(path, inside("42"))).toThrow("in use by the sandbox of process 3 on here");
  });

  test.each<[what: string, content: string]>([
    ["a line", "mine\n"],
    ["a line without an end", "PRECIOUS"],
    ["no content", ""],
    ["a claim and a line without an end", `7 ${NONCE}\nmine`],
  ])("a file with %s is not a lock file and stays unchanged", async (_, content) => {
    const path = join(await newFolder(), "yarn");
    await writeFile(`${path}.lock`, content);
    expect(() => lock(path, processWith(1, 1))).toThrow("is not a sandbox lock file");
    expect(await readFile(`${path}.lock`, "utf8")).toBe(content);
  });

  test.each<[what: string, make: (path: string, folder: string) => unknown]>([
    ["a link to a file", (path, folder) => symlink(join(folder, "target"), path)],
    ["a link to nothing", (path, folder) => symlink(join(folder, "absent"), path)],
    ["a link to a device that never ends", (path) => symlink("/dev/zero", path)],
    ["a pipe", (path) => spawnSync("mkfifo", [path])],
    ["a folder", (path) => mkdir(path)],
  ])("%s is not a lock file and stays unchanged", async (_, make) => {
    const folder = await newFolder();
    await writeFile(join(folder, "target"), "PRECIOUS");
    await make(join(folder, "x.data.lock"), folder);
    const path = join(folder, "x.data");
    expect(() => lock(path, processWith(1, 1))).toThrow("is not a sandbox lock file");
    expect(await readFile(join(folder, "target"), "utf8")).toBe("PRECIOUS");
    expect((await readdir(folder)).sort()).toEqual(["target", "x.data.lock"]);
  });
});
