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

describe("data file lock", () => {
  test("a second process is rejected with the id of the first, until that unlocks", async () => {
    const path = join(await newFolder(), "x.data");
    const unlock = lock(path, processWith(1, 1, 2));
    expect(() => lock(path, processWith(2, 1, 2))).toThrow(
      "x.data is in use by the sandbox of process 1",
    );
    unlock();
    lock(path, processWith(2, 1, 2))();
    expect(await readdir(join(path, ".."))).toEqual([]);
  });

  test("every name of a file has the same lock", async () => {
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

  test("the claims of dead processes do not count", async () => {
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

  test("a file that is not a lock file is not touched", async () => {
    const path = join(await newFolder(), "yarn");
    await writeFile(`${path}.lock`, "mine\n");
    expect(() => lock(path, processWith(1, 1))).toThrow("is not a lock file of a sandbox");
    expect(await readFile(`${path}.lock`, "utf8")).toBe("mine\n");
  });
});
