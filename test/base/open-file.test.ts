/** Opening pipes and links: reading never waits for a writer, and a full pipe loses no text. */
import { execFile, execFileSync } from "node:child_process";
import { constants } from "node:fs";
import { mkdtemp, open, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { OpenFile, readAny, readRegular } from "../../src/base/open-file.ts";

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "catalog-open-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe.skipIf(process.platform === "win32")("pipes", () => {
  async function newPipe(): Promise<string> {
    const path = join(await newFolder(), "pipe");
    execFileSync("mkfifo", [path]);
    return path;
  }

  test("readRegular does not read a pipe as a regular file", async () => {
    expect(readRegular(await newPipe(), 10)).toBe("not-regular");
  });

  test("readAny reports a pipe to which no program writes", async () => {
    expect(await readAny(await newPipe(), 10)).toBe("silent");
  });

  test("a full pipe receives appended texts completely and in order as its reader reads", async () => {
    const path = await newPipe();
    // The pipe exists, although its reader is not yet there, and is full before that.
    const held = await open(path, constants.O_RDWR | constants.O_NONBLOCK);
    const file = new OpenFile(path, "append");
    const texts = ["a", "b", "c"].map((letter) => letter.repeat(200_000));
    const written = Promise.all(texts.map((text) => file.append(text)));
    const read = promisify(execFile)("cat", [path], { maxBuffer: 1_000_000 });
    await written;
    file.close();
    await held.close();
    expect((await read).stdout === texts.join("")).toBe(true);
  });
});

test("a link is followed only if the user chose the file name, not if the program chose it", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, "target"), "text");
  await symlink("target", join(folder, "link"));
  expect(String(readRegular(join(folder, "link"), 10))).toBe("text");
  for (const use of ["read", "append", "change", "create"] as const) {
    expect(() => new OpenFile(join(folder, "link"), use, { isOwn: true })).toThrow();
  }
  expect(await readFile(join(folder, "target"), "utf8")).toBe("text");
});

test("a file that is larger than allowed is not read", async () => {
  const path = join(await newFolder(), "file");
  await writeFile(path, "12345");
  expect([String(readRegular(path, 5)), readRegular(path, 4)]).toEqual(["12345", "too-large"]);
  expect(await readAny(path, 4)).toBe("too-large");
});
