/** Decides whether a config file that was found, not named, may be used. */
import { lstatSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { usageError } from "../base/errors.ts";
import type { Environment, User } from "../base/process.ts";

const ROOT = 0;
/** The permission of users who are neither the owner nor in the group. */
const OTHERS_WRITE = 0o002;

/**
 * Refuses a config file that another user may have placed there or changed: in a parent folder such
 * as /tmp, it would decide where the key is sent. git has the same rule.
 */
export function requireTrusted(path: string, environment: Environment, user: User): void {
  const trusted = [ROOT, user.id, ...callerOf(environment, user)];
  const isOwn = ({ uid }: Stats): boolean => trusted.includes(uid);
  const [file, folder] = [statSync(path), statSync(dirname(path))];
  // Of a link, both the link and its target.
  if (!isOwn(lstatSync(path)) || !isOwn(file)) throw refusal(path, "belongs to another user");
  if (isOpen(file)) throw refusal(path, "can be written by other users");
  // The owner of a folder can replace each file in it.
  if (!isOwn(folder)) throw refusal(path, "is in a folder that belongs to another user");
  if (isOpen(folder)) throw refusal(path, "is in a folder that other users can write to");
}

function isOpen({ mode }: Stats): boolean {
  return (mode & OTHERS_WRITE) !== 0;
}

/** The user who runs the program through sudo. */
function callerOf({ SUDO_UID = "" }: Environment, user: User): number[] {
  return user.id === ROOT && /^\d+$/.test(SUDO_UID) ? [Number(SUDO_UID)] : [];
}

function refusal(path: string, reason: string) {
  return usageError(
    `the config file ${path} ${reason}, so it is not used`,
    `If you trust it, pass --config ${path}; otherwise name a config file of your own.`,
  );
}
