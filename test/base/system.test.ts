/** Files and outputs of the system: pipes, links, drafts and descriptors (docs/contributing/start-up.md). */
import { execFileSync } from "node:child_process";
import { closeSync, openSync, watch } from "node:fs";
import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { destinationIn, writeFileAtomically } from "../../src/base/atomic-write.ts";
import { systemReason } from "../../src/base/errors.ts";
import { OpenFile, readRegular } from "../../src/base/files.ts";
import { standardOutput } from "../../src/base/io.ts";
import { newFolder } from "../folder.ts";

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

test("writeFileAtomically writes to a hidden draft, which a search for course files does not find", async () => {
  const folder = await newFolder();
  const seen = new Set<string>();
  const watcher = watch(folder, (_, name) => seen.add(String(name)));
  onTestFinished(() => watcher.close());
  await writeFileAtomically(destinationIn(folder, "x.yaml"), "text");
  await vi.waitFor(() => expect([...seen].at(-1)).toBe("x.yaml"));
  expect([...seen][0]).toMatch(/^\.x\.yaml\..+\.tmp$/);
  expect(await readdir(folder)).toEqual(["x.yaml"]);
});

test("standard output that is a file is written without the stream and is not a terminal", async () => {
  const path = join(await newFolder(), "out.txt");
  const descriptor = openSync(path, "w");
  onTestFinished(() => closeSync(descriptor));
  const output = standardOutput(descriptor, process.platform, () => {
    throw new Error("the stream was opened");
  });
  expect(output.isTerminal).toBe(false);
  await output.write("one\n");
  await output.write(Buffer.from([0, 0xff]));
  expect(await readFile(path, "latin1")).toBe("one\n\0\xff");
});

test("standard output is closed if its terminal is gone, and reports an error if its file cannot be written", async () => {
  const failing = (isTTY: boolean) => {
    const failure = Object.assign(new Error("i/o"), { code: "EIO" });
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(failure) });
    return standardOutput(-1, process.platform, () => Object.assign(stream, { isTTY }));
  };
  const terminal = failing(true);
  await terminal.write("one\n");
  await terminal.write("two\n");
  expect(terminal.closed).toBe(true);
  await expect(failing(false).write("one\n")).rejects.toMatchObject({ kind: "output" });
});
