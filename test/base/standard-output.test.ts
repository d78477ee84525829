/** Outputs on descriptors of the process (docs/contributing/start-up.md). */
import { closeSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { standardOutput } from "../../src/base/io.ts";

test("standard output that is a file is written without the stream and is not a terminal", async () => {
  const folder = await mkdtemp(join(tmpdir(), "catalog-output-"));
  try {
    const path = join(folder, "out.txt");
    await withDescriptor(path, async (descriptor) => {
      const output = standardOutput(descriptor, process.platform, unused);
      expect(output.isTerminal).toBe(false);
      await output.write("one\n");
      await output.write("two\n");
      await output.write(Buffer.from([0, 0xff]));
    });
    expect(await readFile(path, "latin1")).toBe("one\ntwo\n\0\xff");
  } finally {
    await rm(folder, { recursive: true });
  }
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

async function withDescriptor(path: string, work: (descriptor: number) => Promise<void>) {
  const descriptor = openSync(path, "w");
  try {
    await work(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function unused(): never {
  throw new Error("the stream was opened");
}
