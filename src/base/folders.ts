/** Creates folders, and finds the user's folders for settings and state. */
import { existsSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, posix, relative, resolve, sep, win32 } from "node:path";
import { CatalogError, systemReason } from "./errors.ts";
import type { Environment } from "./process.ts";

/** The permissions of files and folders that only their owner can read. */
export const [PRIVATE_FILE, PRIVATE_FOLDER] = [0o600, 0o700];

/** Creates a folder and its parents. Node.js's recursive `mkdir` never returns below `/proc` (seen with Node.js 20). */
export function makeFolders(path: string, mode?: number): void {
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolders(parent, mode);
  try {
    mkdirSync(path, mode);
  } catch (cause) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw cause;
  }
}

/** Creates a folder if needed. @returns its real path @throws CatalogError of kind `output` */
export function createFolder(name: string, path: string): string {
  try {
    makeFolders(path);
    return realpathSync.native(path);
  } catch (cause) {
    throw new CatalogError("output", `cannot write to ${name}: ${systemReason(cause)}`, { cause });
  }
}

/** A path in the system's folder for temporary files. */
export function temporaryPath(
  name: string,
  { environment, folder }: { readonly environment: Environment; readonly folder: string },
): string {
  return join(resolve(folder, environment.TMPDIR || tmpdir()), name);
}

const USER_FOLDERS = {
  config: { variable: "XDG_CONFIG_HOME", windows: "APPDATA", usual: [".config"] },
  state: { variable: "XDG_STATE_HOME", windows: "LOCALAPPDATA", usual: [".local", "state"] },
} as const;

export interface FolderSources {
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
}

/**
 * The path of catalog's folder for the user's settings or state, or of a file in that folder. For example,
 * `XDG_STATE_HOME=/s` and the name `history` give `/s/catalog/history`, and `HOME=/home/ada` gives
 * `/home/ada/.local/state/catalog/history`. Relative paths are ignored, because they would lead into the current
 * folder, which may be a hostile project.
 *
 * @returns undefined if the environment has neither these variables nor a home folder
 */
export function userFolder(
  kind: keyof typeof USER_FOLDERS,
  { environment, platform }: FolderSources,
  ...names: readonly string[]
): string | undefined {
  const { variable, windows, usual } = USER_FOLDERS[kind];
  const { isAbsolute } = platform === "win32" ? win32 : posix;
  const bases: readonly (readonly [string | undefined, ...string[]])[] = [
    [environment[variable]],
    [platform === "win32" ? environment[windows] : undefined],
    [environment.HOME, ...usual],
    [environment.USERPROFILE, ...usual],
  ];
  const found = bases.find(([base = ""]) => isAbsolute(base));
  if (found === undefined) return undefined;
  const [base = "", ...below] = found;
  return join(base, ...below, "catalog", ...names);
}

/** The mode of a folder such as /tmp: all users may create files in it, and remove only their own. */
const STICKY = 0o1000;
const ROOT = 0;

/**
 * Why a file that is found by its name must not be used: another user may have left it there for others to find.
 *
 * @param uid the numeric id of the user; undefined on systems without one
 * @returns undefined if it may be used
 */
export function describeForeign(path: string, uid: number | undefined): string | undefined {
  const { uid: owner } = lstatSync(path);
  if (uid === undefined || owner === uid || owner === ROOT) return undefined;
  const isShared = (statSync(dirname(path)).mode & STICKY) !== 0;
  return isShared ? "it belongs to another user, in a folder that all users share" : undefined;
}

/** Whether a path is a folder or below it, judged by the spelling of both paths. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
