/** Decides whether another user may have placed or changed a file that catalog finds by its name. */
import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { attempt } from "./errors.ts";
import type { Environment, User } from "./process.ts";

export interface TrustSources {
  readonly environment: Environment;
  readonly user?: User | undefined;
}

const ROOT = 0;
/** The permission bit with which all users may write. */
const OTHERS_WRITE = 0o002;

/**
 * Why a file must not be used, as the end of a sentence: `belongs to another user`. In a folder such as /tmp,
 * another user could have placed the file. As in git, the file and its folder, and the target of a link, must
 * belong to the user or to root.
 *
 * @returns undefined for a file that can be trusted
 * @throws the system's error if the file does not exist
 */
export function distrust(path: string, { environment, user }: TrustSources): string | undefined {
  if (user === undefined) return undefined;
  const trusted = [ROOT, user.id, ...callerOf(environment, user)];
  const isOwn = ({ uid }: Stats): boolean => trusted.includes(uid);
  for (const place of linksOf(path)) {
    const [entry, folder] = [lstatSync(place), statSync(dirname(place))];
    if (!isOwn(entry)) return "belongs to another user";
    if (!entry.isSymbolicLink() && isOpen(entry)) return "can be changed by other users";
    // The owner of a folder can replace every file in the folder.
    const where = place === path ? "is in a folder" : "leads to a folder";
    if (!isOwn(folder)) return `${where} that belongs to another user`;
    if (isOpen(folder)) return `${where} that other users can write to`;
  }
  return undefined;
}

/** The path and, for a link, the paths that the chain of links leads to. */
function* linksOf(path: string): Generator<string> {
  yield path;
  const target = attempt(() => readlinkSync(path));
  if (target !== undefined) yield* linksOf(resolve(realpathSync.native(dirname(path)), target));
}

function isOpen({ mode }: Stats): boolean {
  return (mode & OTHERS_WRITE) !== 0;
}

function callerOf({ SUDO_UID = "" }: Environment, user: User): number[] {
  return user.id === ROOT && /^\d+$/.test(SUDO_UID) ? [Number(SUDO_UID)] : [];
}
