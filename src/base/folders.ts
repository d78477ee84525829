/** Creates folders, finds the user's folders for settings and state, and refuses links that lead out of a folder. */
import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { attempt, CatalogError, systemReason } from "./errors.ts";
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
  const variables = [variable, platform === "win32" ? windows : undefined];
  const configured = variables.map((name) => name && environment[name]);
  const base = configured.find((path) => isAbsoluteOn(path, platform));
  if (base !== undefined) return join(base, "catalog", ...names);
  const homes = [environment.HOME, environment.USERPROFILE];
  const home = homes.find((path) => isAbsoluteOn(path, platform));
  return home === undefined ? undefined : join(home, ...usual, "catalog", ...names);
}

/** Whether a path is absolute. Unlike `isAbsolute` of `node:path`, for any platform. */
function isAbsoluteOn(path: string | undefined, platform: NodeJS.Platform): path is string {
  if (path === undefined) return false;
  return path.startsWith("/") || (platform === "win32" && /^([a-z]:)?[\\/]/i.test(path));
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

/**
 * Refuses a path below a folder if a symbolic link makes the path lead out of the folder. Without this check, a
 * cloned project could choose which of the user's files is replaced. A path that is not below the folder was
 * chosen by the user, and is accepted.
 *
 * @throws CatalogError of kind `output`
 */
export function requireLinksInside(name: string, path: string, folder: string): void {
  const real = followLinks(folder) ?? folder;
  if (!isBelow(path, real)) return;
  const target = followLinks(path);
  if (target !== undefined && isInside(target, real)) return;
  const where = target === undefined ? "in a circle" : `to ${target}, outside the current folder`;
  throw new CatalogError("output", `cannot write ${name}: a symbolic link leads ${where}`, {
    file: name,
    advice: "Remove the link, or pass the path of the file that you want to write.",
  });
}

/** Whether a path is a folder or below it, after links and different spellings are resolved. */
function isBelow(path: string, real: string): boolean {
  if (isInside(attempt(() => realpathSync.native(path)) ?? path, real)) return true;
  return path !== dirname(path) && isBelow(dirname(path), real);
}

/** Whether a path is a folder or below it, judged by the spelling of both paths. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The number of links that Linux follows in one path. */
const MAX_LINKS = 40;

/** The path without links, even if nothing exists there yet; undefined if the links form a circle. */
function followLinks(path: string, left = MAX_LINKS): string | undefined {
  const existing = attempt(() => realpathSync.native(path));
  if (existing !== undefined || left === 0) return existing;
  const parent = dirname(path);
  if (parent === path) return path;
  const link = attempt(() => readlinkSync(path));
  if (link !== undefined) return followLinks(resolve(parent, link), left - 1);
  const real = followLinks(parent, left);
  return real === undefined ? undefined : join(real, basename(path));
}
