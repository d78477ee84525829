/** Creates folders, finds the program's in the user's home, and refuses links that lead out of a folder. */
import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { attempt, CatalogError, systemReason } from "./errors.ts";
import type { Environment, User } from "./process.ts";

/** The permissions of files and folders that only their owner can read. */
export const [PRIVATE_FILE, PRIVATE_FOLDER] = [0o600, 0o700];

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

/** Creates a folder if needed. @returns its real path @throws CatalogError of kind `output` */
export function createFolder(name: string, path: string): string {
  try {
    makeFolders(path);
    return realpathSync.native(path);
  } catch (cause) {
    throw new CatalogError("output", `cannot write to ${name}: ${systemReason(cause)}`, { cause });
  }
}

const USER_FOLDERS = {
  config: { variable: "XDG_CONFIG_HOME", windows: "APPDATA", usual: [".config"] },
  state: { variable: "XDG_STATE_HOME", windows: "LOCALAPPDATA", usual: [".local", "state"] },
} as const;

/** What decides where the user's folders are. */
export interface FolderSources {
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  readonly user?: User | undefined;
}

/**
 * The program's folder for the user's settings or state: `$XDG_CONFIG_HOME/catalog`,
 * `$XDG_STATE_HOME/catalog`, or their usual paths; or what the names lead to in it. Undefined if the
 * environment has neither these variables nor a home folder. Relative paths are ignored: they would
 * lead into the current folder, which may be someone else's project. So are those of another user.
 */
export function userFolder(
  kind: keyof typeof USER_FOLDERS,
  { environment, platform, user }: FolderSources,
  ...names: readonly string[]
): string | undefined {
  const { variable, windows, usual } = USER_FOLDERS[kind];
  const roaming = platform === "win32" ? windows : undefined;
  const configured = [variable, roaming].map((name) => name && environment[name]);
  const homes = [environment.HOME, environment.USERPROFILE];
  const candidates = [
    ...configured.map((base) => ({ base, below: ["catalog", ...names] })),
    ...homes.map((base) => ({ base, below: [...usual, "catalog", ...names] })),
  ].flatMap(({ base, below }) => (isAbsoluteOn(base, platform) ? [{ base, below }] : []));
  const found = candidates.find(({ base, below }) => !isAnothers(base, below, user));
  if (found !== undefined) return join(found.base, ...found.below);
  const hasHome = homes.some((home) => isAbsoluteOn(home, platform));
  const below = [...usual, "catalog", ...names];
  if (!hasHome || !user?.home || isPrepared(user.home, below, user)) return undefined;
  return join(user.home, ...below);
}

/** Whether files would be those of another user. */
function isAnothers(base: string, below: readonly string[], user: User | undefined): boolean {
  if (user === undefined) return false;
  return (user.id === 0 && isAnotherUsers(base)) || isPrepared(base, below, user);
}

/** Whether another user has made something on the way, as anyone can in a folder that all share. */
function isPrepared(base: string, below: readonly string[], user: User): boolean {
  const isForeign = (path: string): boolean =>
    [lstatSync, statSync].some((stat) => {
      const owner = attempt(() => stat(path).uid);
      return owner !== undefined && owner !== 0 && owner !== user.id;
    });
  return below.some((_, index) => isForeign(join(base, ...below.slice(0, index + 1))));
}

/** Not that of `node:path`: the platform is a parameter. */
function isAbsoluteOn(path: string | undefined, platform: NodeJS.Platform): path is string {
  if (path === undefined) return false;
  return path.startsWith("/") || (platform === "win32" && /^([a-z]:)?[\\/]/i.test(path));
}

/** Whether root would create the folder for another user: sudo can preserve the variables of its caller. */
function isAnotherUsers(path: string): boolean {
  const owner = attempt(() => statSync(path).uid);
  if (owner !== undefined) return owner !== 0;
  // It does not exist yet; the folder that it would be created in decides.
  return path !== dirname(path) && isAnotherUsers(dirname(path));
}

/**
 * Requires that no symbolic link in a folder makes a path below it lead out of it: a cloned project
 * could otherwise choose which of the user's files is replaced. Paths that are not below the folder
 * were chosen by the user.
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

/** Whether a path is below a folder, whatever links and spelling lead to that or to a part of it. */
function isBelow(path: string, real: string): boolean {
  if (isInside(attempt(() => realpathSync.native(path)) ?? path, real)) return true;
  return path !== dirname(path) && isBelow(dirname(path), real);
}

/** Whether a path is that of a folder, or below it by its spelling. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** As many links as Linux follows in one path. */
const MAX_LINKS = 40;

/** Where a path leads, even if nothing exists there yet; undefined if its links form a circle. */
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
