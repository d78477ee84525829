/** Outputs on descriptors of the process (docs/start-up.md). */
import { closeSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { standardOutput } from "../../src/base/io.ts";

test("standard output: a file is written without the stream, and is no terminal", async () => {
  const folder = await mkdtemp(join(tmpdir(), "catalog-output-"));
  try {
    const path = join(folder, "out.txt");
    await withDescriptor(path, async (descriptor) => {
      const output = standardOutput(descriptor, process.platform, unused);
      expect(output.isTerminal).toBe(false);
      await output.write("one\n");
      await output.write("two\n");
    });
    expect(await readFile(path, "utf8")).toBe("one\ntwo\n");
  } finally {
    await rm(folder, { recursive: true });
  }
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
