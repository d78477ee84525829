/** A repository of courses and the service for it, for tests of CI workflows. */
import { readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/base/io.ts";
import { parseSeeds } from "../../src/sandbox/seed.ts";
import { example, newFolder, type ServedSandbox, serve } from "./rig.ts";

/** The key for the service. The sandboxes in the workflows have another one. */
export const KEY = "ci-only.0f1e2d3c4b5a6978";

/** The number of courses in the repository. */
export const COURSES = 14;

/** The providers of these courses. */
export const PROVIDERS: readonly { readonly domain: string }[] = JSON.parse(
  readFileSync(example("providers.json"), "utf8"),
);

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

/** The service with these users, or with one before the first push; its variables select the first user. */
export async function serveUsers(
  users: readonly { readonly key: string; readonly providers: unknown }[] = [
    { key: KEY, providers: PROVIDERS },
  ],
  ...changes: readonly unknown[]
): Promise<ServedSandbox> {
  const seed = parseSeeds([{ users }, ...changes], systemClock);
  const served = await serve([], { seed });
  const CATALOG_API_KEY = users[0]?.key ?? KEY;
  return { ...served, environment: { ...served.environment, CATALOG_API_KEY } };
}
