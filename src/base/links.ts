/** Refuses to write through links that a folder's author, not the user, may have made. */
import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { attempt, CatalogError } from "./errors.ts";

/**
 * Requires that no symbolic link in a folder makes a path below it lead out of it: a cloned project
 * could otherwise choose which of the user's files is replaced. Paths that are not below the folder
 * were chosen by the user.
 */
export function requireLinksInside(name: string, path: string, folder: string): void {
  if (!isInside(path, folder)) return;
  const target = followLinks(path);
  if (target !== undefined && isInside(target, followLinks(folder) ?? folder)) return;
  const where = target === undefined ? "in a circle" : `to ${target}, outside the current folder`;
  throw new CatalogError("output", `cannot write ${name}: a symbolic link leads ${where}`, {
    file: name,
    advice: "Remove the link, or pass the path of the file that you want to write.",
  });
}

function isInside(path: string, folder: string): boolean {
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
