/** A folder for a test. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Creates a folder that is removed after the test. @returns its path without links */
export async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "catalog-test-")));
  // An interrupted random case may still be writing.
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
  onTestFinished(() => rm(folder, options));
  return folder;
}
