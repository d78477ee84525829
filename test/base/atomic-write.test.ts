import { type FSWatcher, watch } from "node:fs";
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { destinationIn, writeFileAtomically } from "../../src/base/atomic-write.ts";

test("writeFileAtomically writes to a hidden draft, which a search for course files does not find", async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "catalog-write-")));
  const seen = new Set<string>();
  const watcher: FSWatcher = watch(folder, (_, name) => seen.add(String(name)));
  onTestFinished(async () => {
    watcher.close();
    await rm(folder, { recursive: true, force: true });
  });
  await writeFileAtomically(destinationIn(folder, "x.yaml"), "text");
  await vi.waitFor(() => expect([...seen].at(-1)).toBe("x.yaml"));
  expect([...seen][0]).toMatch(/^\.x\.yaml\..+\.tmp$/);
  expect(await readdir(folder)).toEqual(["x.yaml"]);
});
