/** A repository of courses and the service for it, for tests of CI workflows. */
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/base/io.ts";
import { parseSeeds } from "../../src/sandbox/seed.ts";
import { example, newFolder, type ServedSandbox, serve } from "./rig.ts";

/** The key for the service. The sandboxes in the workflows have another one. */
export const KEY = "ci-only.0f1e2d3c4b5a6978";

/** The number of courses in the repository. */
export const COURSES = 14;

/** A folder with courses, and with the providers for a sandbox. */
export async function newRepository(): Promise<string> {
  const folder = await newFolder();
  await cp(example("courses"), join(folder, "courses"), { recursive: true });
  await cp(example("providers.json"), join(folder, "providers.json"));
  return folder;
}

/** Adds a file to a repository; its first mistake is on the fourth line. */
export async function breakCourse(repository: string): Promise<void> {
  await cp(example("broken.yaml"), join(repository, "courses/broken.yaml"));
}

/** The service before the first push, with the providers and without courses. */
export async function serveProviders(): Promise<ServedSandbox> {
  const providers: unknown = JSON.parse(await readFile(example("providers.json"), "utf8"));
  const seed = parseSeeds([{ users: [{ key: KEY, providers, courses: [] }] }], systemClock);
  const served = await serve([], { seed });
  return { ...served, environment: { ...served.environment, CATALOG_API_KEY: KEY } };
}
