/** Refuses outputs that would destroy what the command reads, before it starts: reports, plans, listings, pages, drafts. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { attempt, CatalogError, usageError } from "../base/errors.ts";
import { STANDARD_INPUT } from "../base/io.ts";
import type { System } from "../cli/context.ts";
import { parseCourseFile } from "../files/course-file.ts";
import { readBytes } from "../files/decode.ts";
import { findSources, isDefaults } from "../files/find.ts";

/** The files that the flags of a command line name to be written, and the paths that it names to be read. */
export interface NamedFiles {
  readonly written: readonly string[];
  readonly read: readonly string[];
}

/** @throws CatalogError of kind `usage` if two outputs have one name, or if the command reads courses from one */
export async function checkOutputs(
  { written, read }: NamedFiles,
  { folder = "", uid }: Pick<System, "folder" | "uid">,
): Promise<void> {
  const paths = new Map<string, string>();
  for (const name of written) {
    const path = resolve(folder, name);
    if (paths.has(path)) throw usageError(`two outputs have the name ${name}`, ADVICE);
    paths.set(path, name);
  }
  const existing = new Map(
    [...paths].flatMap(([path, name]) => {
      const real = attempt(() => realpathSync.native(path));
      return real === undefined ? [] : [[real, name] as const];
    }),
  );
  if (existing.size === 0) return;
  const inputs = read.filter((path) => path !== STANDARD_INPUT);
  for (const found of await findSources(inputs, { folder, uid })) {
    if (found instanceof CatalogError) continue;
    const name = existing.get(found.real);
    if (name !== undefined && (found.isNamed || (await hasCourses(found)))) throw refused(name);
  }
  for (const [real, name] of existing) if (isDefaults(real)) throw refused(name);
}

const ADVICE = "Choose another file.";

function refused(name: string): CatalogError {
  return usageError(`cannot write ${name}: it is one of the files that the command reads`, ADVICE);
}

/** Whether a file has courses, or problems because of which they are not known; a report of an earlier run has none. */
async function hasCourses(file: Parameters<typeof parseCourseFile>[0]): Promise<boolean> {
  try {
    const { courses, diagnostics } = await parseCourseFile(file, readBytes(file));
    return courses.length > 0 || diagnostics.length > 0;
  } catch {
    return false;
  }
}
