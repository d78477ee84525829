/** A folder for what a benchmark or the build writes. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs `work` in a new folder and removes it. @returns what `work` returns */
export async function withTemporaryFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), "catalog-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
