/** Creates temporary folders for benchmarks and the build. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs `work` with a new folder, which is removed afterwards. @returns the result of `work` */
export async function withTemporaryFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), "catalog-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
