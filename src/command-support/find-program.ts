/** Finds programs in the folders of the variable `PATH`. */
import { lstatSync, statSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import { attempt } from "../base/errors.ts";
import type { Environment } from "../base/process.ts";

/** The extensions of programs on Windows without the variable `PATHEXT`. */
const EXTENSIONS = ".COM;.EXE;.BAT;.CMD";

/**
 * The name or path that starts a program; undefined if there is none.
 *
 * Windows looks for a bare name first in the current folder, which may be a stranger's project, so this looks only in
 * `PATH`, as other systems do.
 */
export function locate(
  name: string,
  environment: Environment,
  platform: NodeJS.Platform,
): string | undefined {
  return platform !== "win32" || /[\\/:]/.test(name)
    ? name
    : findProgram(name, environment, platform);
}

/**
 * The path of a program in the absolute folders of `PATH`; undefined if there is none. A relative folder may be in a
 * stranger's project.
 */
export function findProgram(
  name: string,
  environment: Environment,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== "win32") {
    const paths = absoluteFolders(environment.PATH, platform).map((folder) => join(folder, name));
    return paths.find((path) => {
      const entry = attempt(() => statSync(path));
      return entry?.isFile() === true && (entry.mode & EXECUTABLE) !== 0;
    });
  }
  // On Windows, the names of variables have no case.
  const read = (variable: string) =>
    Object.entries(environment).find(([each]) => each.toUpperCase() === variable)?.[1];
  const extensions = (read("PATHEXT") || EXTENSIONS).toUpperCase().split(";").filter(Boolean);
  const names = ["", ...extensions]
    .map((extension) => `${name}${extension}`)
    .filter((each) => extensions.some((extension) => each.toUpperCase().endsWith(extension)));
  return absoluteFolders(read("PATH"), platform)
    .flatMap((folder) => names.map((each) => join(folder, each)))
    .find((path) => attempt(() => lstatSync(path))?.isDirectory() === false);
}

const EXECUTABLE = 0o111;

/** The absolute folders in the value of `PATH`. */
export function absoluteFolders(list: string | undefined, platform: NodeJS.Platform): string[] {
  const { delimiter, isAbsolute } = platform === "win32" ? win32 : posix;
  const folders = (list ?? "").split(delimiter);
  const named = platform === "win32" ? folders.map((each) => each.replaceAll('"', "")) : folders;
  return named.filter((folder) => isAbsolute(folder));
}
