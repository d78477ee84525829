/** Finds programs in the folders of the variable `PATH`, on Windows. */
import { lstatSync } from "node:fs";
import { join, win32 } from "node:path";
import { attempt } from "../base/errors.ts";
import type { Environment } from "../base/process.ts";

/** The extensions of programs on Windows without the variable `PATHEXT`. */
const EXTENSIONS = ".COM;.EXE;.BAT;.CMD";

/**
 * The name or path that starts a program; undefined if there is none.
 *
 * Windows looks for a bare name first in the current folder, which may be a stranger's project, so this looks only in
 * the absolute folders of `PATH`, as other systems do.
 */
export function locate(
  name: string,
  environment: Environment,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== "win32" || /[\\/:]/.test(name)) return name;
  // On Windows, the names of variables have no case.
  const read = (variable: string) =>
    Object.entries(environment).find(([each]) => each.toUpperCase() === variable)?.[1];
  const extensions = (read("PATHEXT") || EXTENSIONS).toUpperCase().split(";").filter(Boolean);
  const names = ["", ...extensions]
    .map((extension) => `${name}${extension}`)
    .filter((each) => extensions.some((extension) => each.toUpperCase().endsWith(extension)));
  return (read("PATH") ?? "")
    .split(win32.delimiter)
    .map((folder) => folder.replaceAll('"', ""))
    .filter((folder) => win32.isAbsolute(folder))
    .flatMap((folder) => names.map((each) => join(folder, each)))
    .find((path) => attempt(() => lstatSync(path))?.isDirectory() === false);
}
