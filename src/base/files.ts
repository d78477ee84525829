/**
 * Opens files, creates folders, and finds the user's folders. Only `atomic-write.ts` and `io.ts` also open files. Only
 * regular files are read: a pipe could block forever.
 */
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, isAbsolute, join, posix, relative, sep, win32 } from "node:path";
import { attempt } from "./errors.ts";
import type { Environment } from "./io.ts";

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

/** A path in the system's folder for temporary files. */
export function temporaryPath(name: string, { TMPDIR }: Environment): string {
  return join(TMPDIR || tmpdir(), name);
}

/** The variables of the folder, in general and on Windows, and its usual path in the user's home folder. */
const USER_FOLDERS = {
  config: ["XDG_CONFIG_HOME", "APPDATA", ".config"],
  state: ["XDG_STATE_HOME", "LOCALAPPDATA", ".local/state"],
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
  const [general, windows, usual] = USER_FOLDERS[kind];
  const isWindows = platform === "win32";
  const { isAbsolute } = isWindows ? win32 : posix;
  const { HOME, USERPROFILE } = environment;
  const homes = [HOME, USERPROFILE].map((home) => home && join(home, usual));
  const named = [environment[general], isWindows ? environment[windows] : undefined];
  const base = [...named, ...homes].find((path) => isAbsolute(path ?? ""));
  return base && join(base, "catalog", ...names);
}

/** The mode of a folder such as /tmp: all users may create files in it, and remove only their own. */
const STICKY = 0o1000;
const ROOT = 0;

/**
 * Why a file that is found by its name must not be used: another user may have left it there for others to find.
 *
 * @param uid the numeric id of the user; undefined on systems without one
 * @param decidesForKey whether the file decides where a key is sent; root may then use any user's file
 * @returns undefined if it may be used
 */
export function describeForeign(
  path: string,
  uid: number | undefined,
  decidesForKey = false,
): string | undefined {
  const { uid: owner } = lstatSync(path);
  if (uid === undefined || owner === uid || owner === ROOT) return undefined;
  const isShared = (statSync(dirname(path)).mode & STICKY) !== 0;
  if (isShared) return "it belongs to another user, in a folder that all users share";
  return decidesForKey && uid !== ROOT ? "it belongs to another user" : undefined;
}

/** Whether a path is a folder or below it, judged by the spelling of both paths. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** A file that is appended to. The methods throw the system's errors. */
export class OpenFile {
  readonly #descriptor: number;

  /** @param flags `ax` refuses what exists, even a link; `a` creates a missing file, which only its owner can use */
  constructor(path: string, flags: "a" | "ax") {
    this.#descriptor = openSync(path, flags, PRIVATE_FILE);
  }

  /** Appends a text completely or not at all: a full disk may have had room for a part. */
  append(text: string): void {
    const { size } = fstatSync(this.#descriptor);
    try {
      appendFileSync(this.#descriptor, text);
    } catch (cause) {
      attempt(() => ftruncateSync(this.#descriptor, size));
      throw cause;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Reads a regular file; links are followed. @param limit the most bytes @throws the system's error */
export function readRegular(
  path: string,
  limit = Number.POSITIVE_INFINITY,
): Buffer | "not-regular" | "too-large" {
  // Opening a pipe would wait for its other end.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const entry = fstatSync(file);
    if (!entry.isFile()) return "not-regular";
    return entry.size > limit ? "too-large" : readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** The formats of files with courses or rows. */
const FORMATS = ["yaml", "json", "ndjson", "csv", "tsv", "xlsx"] as const;

/** The format of a file by its extension, in any case: `csv` for `a.CSV`; undefined for any other extension. */
export function formatByName(path: string): (typeof FORMATS)[number] | undefined {
  const extension = extname(path).slice(1).toLowerCase();
  const name = { yml: "yaml", jsonl: "ndjson" }[extension] ?? extension;
  return FORMATS.find((format) => format === name);
}
