/** Looks at the place of a course file that is about to be created. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { writeError } from "../base/atomic-write.ts";
import { isCourseFile } from "./find.ts";

/** The names of the regular files in a folder that a course file could have; none without it. */
export function listCourseFileNames(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && isCourseFile(entry.name))
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Requires that nothing exists at a path, not even a link, which would be written through. */
export function requireFreePath(name: string, folder: string, file: string): void {
  const entry = lstatSync(join(folder, file), { throwIfNoEntry: false });
  if (entry === undefined) return;
  const what = entry.isDirectory() ? "a folder" : entry.isSymbolicLink() ? "a symbolic link" : "";
  throw writeError(name, new Error(what === "" ? "it exists already" : `it is ${what}`));
}
