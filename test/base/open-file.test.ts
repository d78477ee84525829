import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemReason } from "../../src/base/errors.ts";
import { OpenFile, readRegular } from "../../src/base/files.ts";

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "catalog-open-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test.skipIf(process.platform === "win32")("readRegular does not wait for a pipe", async () => {
  const path = join(await newFolder(), "pipe");
  execFileSync("mkfifo", [path]);
  expect(readRegular(path, 10)).toBe("not-regular");
});

test("a link is followed for reading, and never for creating", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, "target"), "text");
  await symlink("target", join(folder, "link"));
  expect(String(readRegular(join(folder, "link"), 10))).toBe("text");
  expect(() => new OpenFile(join(folder, "link"), "ax")).toThrow();
  expect(await readFile(join(folder, "target"), "utf8")).toBe("text");
});

test("the reason why a file does not fit into a string is in words", () => {
  const long = Object.assign(new Error("Cannot create a string"), { code: "ERR_STRING_TOO_LONG" });
  expect(systemReason(long)).toBe("the file is too large");
});
