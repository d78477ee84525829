/** Reads the seed of a sandbox: a file of users, or course files. */
import { isObject } from "../base/values.ts";
import type { Context } from "../cli/context.ts";
import { loadAllCourses, stopAtErrors } from "../cli/course-files.ts";
import { FileCourse, locateError } from "../core/located.ts";
import { writtenValue } from "../files/course-file.ts";
import { defaultSeed, isSeedCourse, parseSeed, SeedError } from "../sandbox/seed.ts";
import type { Seed } from "../sandbox/store.ts";

/** @param path of a file or folder; undefined for the default seed */
export async function readSeed(path: string | undefined, context: Context): Promise<Seed> {
  if (path === undefined) return defaultSeed();
  const loaded = await loadAllCourses([path], context, { mode: "syntax" });
  await stopAtErrors(loaded.diagnostics, context, "the sandbox did not start");
  const sources = loaded.courses;
  const [only] = sources;
  const written = sources.map(writtenValue);
  const hasUsers = written.length === 1 && isObject(written[0]) && "users" in written[0];
  // Courses have the values of the catalog.defaults.yaml in their folders.
  const list = written.some(isSeedCourse) ? sources.map(({ value }) => value) : written;
  try {
    return parseSeed(hasUsers ? written[0] : list, context.clock);
  } catch (error) {
    if (!(error instanceof SeedError)) throw error;
    // A list is the list of the first user: `users[0].courses[3]` is the fourth item of all files.
    const source = hasUsers ? only : sources[Number(error.path[3])];
    const inside = hasUsers ? error.path : error.path.slice(4);
    throw await locateError(error, source && new FileCourse(source, {}), inside);
  }
}
