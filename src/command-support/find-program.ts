/** Finds the programs that the variable `PATH` names. */
import { lstatSync, statSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import { attempt } from "../base/errors.ts";
import type { Environment } from "../base/process.ts";

/** What Windows has without the variable `PATHEXT`. */
const EXTENSIONS = ".COM;.EXE;.BAT;.CMD";

/**
 * What starts a program. On Windows, the system looks for a bare name in the current folder first, which may
 * be someone else's project; so this finds its path, as other systems do. @returns undefined without one
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
 * The path of a program in one of the absolute folders of `PATH`: a relative one may be part of someone
 * else's project. @returns undefined without one
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
  // Names of variables have no case there.
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

/** The permissions to execute a file. */
const EXECUTABLE = 0o111;

/** The absolute folders of a list such as `PATH`. */
export function absoluteFolders(list: string | undefined, platform: NodeJS.Platform): string[] {
  const { delimiter, isAbsolute } = platform === "win32" ? win32 : posix;
  const folders = (list ?? "").split(delimiter);
  const named = platform === "win32" ? folders.map((each) => each.replaceAll('"', "")) : folders;
  return named.filter((folder) => isAbsolute(folder));
}
