/** The place where V8's code of the program is kept: one that nobody but its user can write to. */
import { lstatSync, mkdirSync, readdirSync, rmSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A folder for each build, and its place in the user's folder for what saves time. */
export interface CodePlace {
  /** `$XDG_CACHE_HOME/catalog`. */
  readonly all: string;
  /** That of this build, within it. */
  readonly own: string;
  /** The number of the user who runs the program; undefined on systems without. */
  readonly user: number | undefined;
}

/** What others may do to a file or a folder. */
const OTHERS_WRITE = 0o022;
/** In such a folder everybody may make files, and nobody may replace another's. */
const STICKY = 0o1000;

/** Whether something is its user's own, and nobody else can change it. */
export function isOwn({ uid, mode }: Stats, user: number | undefined): boolean {
  return user === undefined || (uid === user && (mode & OTHERS_WRITE) === 0);
}

/** Whether nobody else can have put there what stands in the place of this build. */
export function isSafe({ all, own, user }: CodePlace): boolean {
  return isSafeAbove(dirname(all), user) && [all, own].every((folder) => isOwnFolder(folder, user));
}

/**
 * Makes the folders of a place where they are missing, in a home that belongs to the user.
 *
 * @returns whether the place is safe
 */
export function makePlace(place: CodePlace): boolean {
  const { all, own, user } = place;
  const above = dirname(all);
  // Who runs this as somebody else must not leave folders there that their owner cannot use.
  if (!isThere(above) && isOwnFolder(dirname(above), user)) make(above);
  if (!isSafeAbove(above, user)) return false;
  make(all);
  const isNew = make(own);
  if (!isSafe(place)) return false;
  if (isNew) tidy(place);
  return true;
}

/** Makes one folder: to make several at once never ends on some systems. @returns whether it is new */
function make(folder: string): boolean {
  try {
    mkdirSync(folder, 0o700);
    return true;
  } catch {
    return false;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** A link leads wherever somebody likes. */
function isOwnFolder(path: string, user: number | undefined): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && isOwn(found, user);
}

/** Whether nobody else can exchange what stands in a folder, be it another's. */
function isSafeAbove(path: string, user: number | undefined): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return false;
  if (user === undefined) return true;
  const isShared = (found.mode & OTHERS_WRITE) !== 0 && (found.mode & STICKY) === 0;
  return !isShared && (found.uid === user || found.uid === 0);
}

/** Milliseconds after which code that nothing was added to is given up: it is made again in a moment. */
const LONGEST_UNCHANGED = 30 * 24 * 3600 * 1000;
/** How the folders are called. */
const BUILD = /^[0-9a-f]{16}-[\d.]+(-node\.\d+)?-\w+$/;

/** Removes what builds and releases of Node.js kept that nobody runs any more. */
function tidy({ all, own, user }: CodePlace): void {
  for (const name of readdirSync(all)) {
    const folder = join(all, name);
    if (!BUILD.test(name) || name === basename(own) || !isOwnFolder(folder, user)) continue;
    if (Date.now() - lstatSync(folder).mtimeMs > LONGEST_UNCHANGED) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
