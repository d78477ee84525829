/**
 * Files that apply to all courses of a folder, and what `.catalogignore` excludes: with the line `drafts/` in
 * `courses/.catalogignore`, no file in `courses/drafts` is read.
 */
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Ignore } from "ignore";
import { attempt, type CatalogError, unreadError } from "../base/errors.ts";
import { describeForeign, isInside } from "../base/folders.ts";
import { decode, type FoundFile, readBytes } from "./decode.ts";

/** The file with patterns, in the syntax of .gitignore, for entries below its folder. */
export const IGNORE_FILE = ".catalogignore";

export interface Reader {
  /** The folder that relative paths start from. */
  readonly folder: string;
  /** The numeric id of the user; undefined on systems without one. */
  readonly uid?: number | undefined;
}

/** The patterns that apply to a folder: of the folder itself, then of each folder above. */
export type IgnoreRules = readonly { readonly folder: string; readonly patterns: Ignore }[];

/** The patterns of the folders above `path`, except patterns that exclude `path`: the user asks for its files. */
export async function rulesAbove(path: string, reader: Reader): Promise<IgnoreRules> {
  let above: IgnoreRules = [];
  for (const folder of foldersAbove(path, reader.folder).slice(1).reverse()) {
    above = await addRules(folder, above, reader);
  }
  return above.filter((rules) => !isIgnored(path, true, [rules]));
}

/**
 * A path, and the folders above whose files apply to it, the nearest first: up to the folder of the repository or,
 * outside of repositories, up to the current folder, so that a file that was left in /tmp does not apply to a project.
 */
export function foldersAbove(path: string, current: string): string[] {
  const all: string[] = [];
  for (let folder = path; all.at(-1) !== folder; folder = dirname(folder)) all.push(folder);
  const repository = all.findIndex((folder) => existsSync(join(folder, ".git")));
  if (repository !== -1) return all.slice(0, repository + 1);
  return all.filter((each) => each === path || each === current || !isInside(current, each));
}

/** Adds the patterns of a folder, if it has any. */
export async function addRules(
  folder: string,
  above: IgnoreRules,
  reader: Reader,
): Promise<IgnoreRules> {
  const path = join(folder, IGNORE_FILE);
  const name = relative(reader.folder, path);
  const bytes = readFolderFile({ name, path }, reader);
  if (bytes === undefined) return above;
  const { text, problem } = decode(bytes);
  if (problem !== undefined) throw unusable(name, problem.message);
  const { default: ignore } = await import("ignore");
  return [{ folder, patterns: ignore().add(text) }, ...above];
}

/**
 * Reads a file that applies to a folder. A file that is there and must not be used is an error, because a run without
 * it would publish what it keeps back.
 *
 * @returns undefined if there is none @throws CatalogError of kind `file`
 */
export function readFolderFile(file: FoundFile, { folder, uid }: Reader): Buffer | undefined {
  const { name, path } = file;
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const project = foldersAbove(dirname(path), folder).at(-1) ?? folder;
  const target = attempt(() => realpathSync.native(path)) ?? "";
  const isIn = isInside(target, realpathSync.native(project));
  const link = isIn ? undefined : "it is a link that leads out of the project, or is broken";
  const reason = describeForeign(path, uid) ?? link;
  if (reason !== undefined) throw unusable(name, reason);
  return readBytes(file);
}

function unusable(name: string, reason: string): CatalogError {
  const advice = "Correct or remove the file, or copy your own version of it.";
  return unreadError(name, "unreadable", `cannot use ${name}: ${reason}`, advice);
}

/** Whether an entry is excluded; the nearest patterns that match it decide. @param path absolute */
export function isIgnored(path: string, isFolder: boolean, rules: IgnoreRules): boolean {
  for (const { folder, patterns } of rules) {
    const below = relative(folder, path).split(sep).join("/");
    const { ignored, unignored } = patterns.test(isFolder ? `${below}/` : below);
    if (ignored || unignored) return ignored;
  }
  return false;
}
