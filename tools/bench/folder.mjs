/** A folder for what a benchmark writes. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Does the work in a new folder, which goes with it. @returns what the work returns */
export async function inFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), "catalog-bench-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
