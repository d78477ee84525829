/** Creates folders, and finds the program's folders in the user's home. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Environment } from "./process.ts";

/**
 * Creates a folder and its missing parents. Node.js's recursive `mkdir` never returns below `/proc`,
 * which reports an existing parent as missing (seen with Node.js 20).
 *
 * @throws the system's error if one cannot be created
 */
export function makeFolders(path: string, mode?: number): void {
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolders(parent, mode);
  try {
    mkdirSync(path, mode);
  } catch (cause) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw cause;
  }
}

const USER_FOLDERS = {
  cache: { variable: "XDG_CACHE_HOME", windows: "LOCALAPPDATA", usual: [".cache"] },
  config: { variable: "XDG_CONFIG_HOME", windows: "APPDATA", usual: [".config"] },
  state: { variable: "XDG_STATE_HOME", windows: "LOCALAPPDATA", usual: [".local", "state"] },
} as const;

/**
 * The program's folder for the user's settings, state or cache: `$XDG_CONFIG_HOME/catalog`,
 * `$XDG_STATE_HOME/catalog`, `$XDG_CACHE_HOME/catalog`, or their usual paths. Undefined if the
 * environment has neither these variables nor a home folder.
 */
export function userFolder(
  kind: keyof typeof USER_FOLDERS,
  environment: Environment,
  platform: NodeJS.Platform,
): string | undefined {
  const { variable, windows, usual } = USER_FOLDERS[kind];
  const configured = environment[variable];
  // The XDG specification says that relative paths must be ignored.
  if (configured?.startsWith("/")) return join(configured, "catalog");
  const roaming = platform === "win32" ? environment[windows] : undefined;
  if (roaming) return join(roaming, "catalog");
  const home = environment.HOME || environment.USERPROFILE;
  return home ? join(home, ...usual, "catalog") : undefined;
}
