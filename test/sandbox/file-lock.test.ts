import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { lockFile } from "../../src/sandbox/data-file.ts";
import { newFolder, openData, processWith } from "./data-rig.ts";

describe("the lock of a data file", () => {
  test("a second process is rejected with the id of the first process until the first process unlocks", async () => {
    const path = join(await newFolder(), "x.data");
    const unlock = lockFile("x.data", path, processWith(1, 1, 2));
    expect(() => lockFile("x.data", path, processWith(2, 1, 2))).toThrow(
      "x.data is in use by the sandbox of process 1",
    );
    unlock();
    lockFile("x.data", path, processWith(2, 1, 2))();
    expect(await readdir(join(path, ".."))).toEqual([]);
  });

  test("a data file has the same lock through every folder", async () => {
    const folder = await newFolder();
    await mkdir(join(folder, "real"));
    const path = join(folder, "real", "x.data");
    await symlink("real", join(folder, "way"));
    (await openData(path)).close();
    const { close } = await openData(path, { processes: processWith(1, 1) });
    onTestFinished(close);
    const processes = processWith(2, 1, 2);
    for (const name of ["way/x.data", "real/../way/x.data"]) {
      await expect(openData(join(folder, name), { processes })).rejects.toThrow("in use");
    }
  });

  test("the lock of a process that has ended is taken over", async () => {
    const path = join(await newFolder(), "x.data");
    await writeFile(`${path}.lock`, "7\n");
    lockFile("x.data", path, processWith(9, 9));
    expect(await readFile(`${path}.lock`, "utf8")).toBe("9\n");
  });

  test("a lock with the id of this process is taken over, as after a kill in a container", async () => {
    const path = join(await newFolder(), "x.data");
    await writeFile(`${path}.lock`, "7\n");
    lockFile("x.data", path, processWith(7, 7))();
  });

  test.each<[what: string, content: string]>([
    ["a line", "mine\n"],
    ["a line without an end", "PRECIOUS"],
    ["no content", ""],
    ["an id and a line without an end", "7\nmine"],
  ])("a file with %s is not a lock file and stays unchanged", async (_, content) => {
    const path = join(await newFolder(), "yarn");
    await writeFile(`${path}.lock`, content);
    expect(() => lockFile("x.data", path, processWith(1, 1))).toThrow(
      "x.data is in use by another program",
    );
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
    expect(() => lockFile("x.data", path, processWith(1, 1))).toThrow(
      "x.data is in use by another program",
    );
    expect(await readFile(join(folder, "target"), "utf8")).toBe("PRECIOUS");
    expect((await readdir(folder)).sort()).toEqual(["target", "x.data.lock"]);
  });
});
