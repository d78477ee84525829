/** A repository of courses, and the service that they are for: what CI has to do with. */
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { parseSeed } from "../../src/sandbox/seed.ts";
import { example, newFolder, type ServedSandbox, serve } from "./rig.ts";

/** The key to the service. No sandbox of a rehearsal has this one. */
export const KEY = "ci-only.0f1e2d3c4b5a6978";

/** How many courses the repository has. */
export const COURSES = 14;

/** A folder with courses, and with the providers for a rehearsal beside them. */
export async function newRepository(): Promise<string> {
  const folder = await newFolder();
  await cp(example("courses"), join(folder, "courses"), { recursive: true });
  await cp(example("providers.json"), join(folder, "providers.json"));
  return folder;
}

/** Adds a file to a repository whose fourth line is the first mistake. */
export async function breakCourse(repository: string): Promise<void> {
  await cp(example("broken.yaml"), join(repository, "courses/broken.yaml"));
}

/** The service as it is before the first push: it has the providers, and no course. */
export async function serveProviders(): Promise<ServedSandbox> {
  const providers: unknown = JSON.parse(await readFile(example("providers.json"), "utf8"));
  const seed = parseSeed({ users: [{ key: KEY, providers, courses: [] }] }, systemClock);
  const served = await serve([], { seed });
  return { ...served, environment: { ...served.environment, CATALOG_API_KEY: KEY } };
}
