/** Whether another user may have placed or changed a file that the program finds by its name. */
import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { attempt } from "./errors.ts";
import type { Environment, User } from "./process.ts";

/** Who runs the program. */
export interface TrustSources {
  readonly environment: Environment;
  readonly user?: User | undefined;
}

const ROOT = 0;
/** The permission of users who are neither the owner nor in the group. */
const OTHERS_WRITE = 0o002;

/**
 * Why a file must not be used, as a clause that follows its name: in a parent folder such as /tmp, anyone
 * could put it. It and its folder must belong to the user or root; if it is a link, so must what it leads to.
 * git has the same rule.
 *
 * @throws the system's error if there is no such file
 */
export function distrust(path: string, { environment, user }: TrustSources): string | undefined {
  if (user === undefined) return undefined;
  const trusted = [ROOT, user.id, ...callerOf(environment, user)];
  const isOwn = ({ uid }: Stats): boolean => trusted.includes(uid);
  for (const place of linksOf(path)) {
    const [entry, folder] = [lstatSync(place), statSync(dirname(place))];
    if (!isOwn(entry)) return "belongs to another user";
    if (!entry.isSymbolicLink() && isOpen(entry)) return "can be written by other users";
    // The owner of a folder can replace each file in it.
    const where = place === path ? "is in a folder" : "leads to a folder";
    if (!isOwn(folder)) return `${where} that belongs to another user`;
    if (isOpen(folder)) return `${where} that other users can write to`;
  }
  return undefined;
}

/** The path, and what it leads to if it is a link, which may be a link again. */
function* linksOf(path: string): Generator<string> {
  yield path;
  const target = attempt(() => readlinkSync(path));
  if (target !== undefined) yield* linksOf(resolve(realpathSync.native(dirname(path)), target));
}

function isOpen({ mode }: Stats): boolean {
  return (mode & OTHERS_WRITE) !== 0;
}

/** The user who runs the program through sudo. */
function callerOf({ SUDO_UID = "" }: Environment, user: User): number[] {
  return user.id === ROOT && /^\d+$/.test(SUDO_UID) ? [Number(SUDO_UID)] : [];
}
