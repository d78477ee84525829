/** Refuses outputs that would destroy what the command reads, before it starts: reports, plans, listings, pages, drafts. */
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { attempt, CatalogError, usageError } from "../base/errors.ts";
import { STANDARD_INPUT } from "../base/io.ts";
import type { System } from "../cli/context.ts";
import { parseCourseFile } from "../files/course-file.ts";
import { readBytes } from "../files/decode.ts";
import { findSources, IGNORE_FILE, isDefaults } from "../files/find.ts";
import { CONFIG_FILES, findUserConfig } from "../settings/config-file.ts";
import { SETTINGS } from "../settings/table.ts";

/** The files that the flags of a command line name to be written, and the paths that it names to be read. */
export interface NamedFiles {
  readonly written: readonly string[];
  readonly read: readonly string[];
}

/**
 * @param config the config file that a flag names
 * @throws CatalogError of kind `usage` if two outputs are one file, or if the command reads courses or settings from one
 */
export async function checkOutputs(
  { written, read }: NamedFiles,
  config: unknown,
  system: Pick<System, "environment" | "folder" | "platform" | "uid">,
): Promise<void> {
  const { environment, folder = "", uid } = system;
  const outputs = new Map<string, string>();
  for (const name of written) {
    const path = realPath(resolve(folder, name));
    if (outputs.has(path)) throw usageError(`two outputs have the name ${name}`, ADVICE);
    outputs.set(path, name);
  }
  const existing = new Map([...outputs].filter(([path]) => existsSync(path)));
  if (existing.size === 0) return;
  const inputs = read.filter((path) => path !== STANDARD_INPUT);
  for (const found of await findSources(inputs, { folder, uid })) {
    if (found instanceof CatalogError) continue;
    const name = existing.get(found.real);
    if (name !== undefined && (found.isNamed || (await hasCourses(found)))) throw refused(name);
  }
  const named = [config ?? environment[SETTINGS.config.variable], findUserConfig(system)];
  const configs = named.map((path) => path && realPath(resolve(folder, `${path}`)));
  const isConfig = (real: string): boolean =>
    configs.includes(real) || CONFIG_FILES.includes(basename(real));
  for (const [real, name] of existing) {
    if (isDefaults(real) || basename(real) === IGNORE_FILE || isConfig(real)) throw refused(name);
  }
}

/** The path of a file that may not exist, without the links in it. */
function realPath(path: string): string {
  const real = attempt(() => realpathSync.native(path));
  const parent = dirname(path);
  return real ?? (parent === path ? path : join(realPath(parent), basename(path)));
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
