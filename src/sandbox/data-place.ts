/** Looks at the place where a data file is, or is to be. */

import type { Stats } from "node:fs";
import { lstat, realpath, stat } from "node:fs/promises";
import { writeError } from "../base/atomic-write.ts";
import { systemCode, usageError } from "../base/errors.ts";

/** A file that may be a data file, or nothing yet. */
export interface Place {
  /** Without links, so that all who mean this file mean this path. */
  readonly path: string;
  /** What is there. */
  readonly found: Stats | undefined;
}

const ANOTHER = "Name another file; one that is not there yet is made.";

/**
 * The place that a path leads to.
 *
 * @throws CatalogError of kind `usage` when no data file can be there: it is a folder or a device,
 * it leads nowhere, or it has a second name, under which another sandbox could have it
 */
export async function placeOf(file: string, path: string): Promise<Place> {
  const found = await statOf(file, path);
  if (found === undefined) {
    const isLink = await lstat(path).then(
      () => true,
      () => false,
    );
    if (isLink) throw usageError(`${file} is a link that leads nowhere`, ANOTHER);
    return { path, found };
  }
  if (!found.isFile()) {
    const what = found.isDirectory() ? "a folder" : "no ordinary file";
    throw usageError(`${file} is ${what}`, ANOTHER);
  }
  if (found.nlink > 1) {
    throw usageError(
      `${file} has another name, under which another sandbox could have it`,
      "Make a copy, and name that.",
    );
  }
  return { path: await realpath(path), found };
}

async function statOf(file: string, path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return undefined;
    throw writeError(file, cause);
  }
}
