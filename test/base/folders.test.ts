import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolders } from "../../src/base/folders.ts";

async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "catalog-folders-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("makeFolders creates missing parents with the same mode", async () => {
  const folder = await newFolder();
  makeFolders(join(folder, "a/b/c"), 0o700);
  for (const path of ["a", "a/b", "a/b/c"]) {
    expect((await stat(join(folder, path))).mode & 0o777).toBe(0o700);
  }
});

test("makeFolders leaves an existing folder unchanged, even if a link leads to the folder", async () => {
  const folder = await newFolder();
  await mkdir(join(folder, "real"));
  await symlink(join(folder, "real"), join(folder, "link"));
  makeFolders(join(folder, "real"));
  makeFolders(join(folder, "link/inner"));
  expect(await readdir(join(folder, "real"))).toEqual(["inner"]);
});

test("makeFolders throws if a file is at the path or above it", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, "file"), "");
  expect(() => makeFolders(join(folder, "file"))).toThrow("EEXIST");
  expect(() => makeFolders(join(folder, "file/a/b"))).toThrow("ENOTDIR");
});

test("makeFolders throws if a link in the path is broken", async () => {
  const folder = await newFolder();
  await symlink(join(folder, "nowhere"), join(folder, "link"));
  expect(() => makeFolders(join(folder, "link/a"))).toThrow(/ENOENT|EEXIST/);
});

test.runIf(existsSync("/proc/self"))(
  "makeFolders fails immediately below /proc, where no folders can be created",
  () => {
    expect(() => makeFolders("/proc/catalog-test/a/b")).toThrow("ENOENT");
  },
);
