/**
 * Finds the course files that paths name: `courses` includes `courses/a.yaml` and `courses/more/b.json`. With the line
 * `drafts/` in `courses/.catalogignore`, no file in `courses/drafts` is read.
 */
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { attempt, CatalogError, unreadError } from "../base/errors.ts";
import { describeForeign, formatByName, isInside } from "../base/files.ts";
import { STANDARD_INPUT, STDIN_NAME } from "../base/io.ts";
import { decode, type FoundFile, noCourse, notAFile, readBytes, unreadable } from "./decode.ts";
import type { readPatterns } from "./ignore-patterns.ts";

/** The names of the file with default values for the courses of a folder, which is not a course file; the last one wins. */
export const DEFAULTS_FILES: readonly string[] = ["catalog.defaults.yml", "catalog.defaults.yaml"];
const OTHER_FILE =
  /^(package(-lock)?\.json|tsconfig\.json|.+\.schema\.json|catalog\.(config\..*|defaults\.ya?ml))$/;

export function isDefaults(path: string): boolean {
  return DEFAULTS_FILES.includes(basename(path));
}

/** Whether searching a folder finds a file with this name. */
export function isCourseFile(name: string): boolean {
  return formatByName(name) !== undefined && !OTHER_FILE.test(basename(name));
}

/** Whether searching a folder skips an entry with this name. Excel creates a file with ~$ while a workbook is open. */
export function isSkipped(name: string): boolean {
  return /^(\.|~\$|node_modules$)/.test(name);
}

/** The rule of an entry of a folder that looks like a course file or a folder, and is not read. */
export const NOT_READ = "not-read";

/**
 * Finds what to load, in the order of the paths: files, and why a path or an entry is not read. A file is found once,
 * however it is reached: it is named if a path names it, and where it is rather than where a link to it is. Standard
 * input has no path.
 */
export async function findSources(
  paths: readonly string[],
  reader: Reader,
): Promise<(Entry | CatalogError)[]> {
  const sources = new Map<unknown, Entry | CatalogError>();
  for (const path of paths) {
    for (const each of await find(path, reader)) {
      if (each instanceof CatalogError) sources.set(each, each);
      else sources.set(each.real, unite(each, sources.get(each.real)));
    }
  }
  return [...sources.values()];
}

/** A file that was perhaps reached before. */
function unite(entry: Entry, before: Entry | CatalogError = entry): Entry {
  if (before instanceof CatalogError) return entry;
  const own = before.isLink && !entry.isLink ? entry : before;
  return { ...own, isNamed: before.isNamed === true || entry.isNamed === true };
}

/** A file that was found. */
export interface Entry extends FoundFile {
  /** The path without links. */
  readonly real: string;
  readonly isLink?: boolean;
}

/** Finds the files of one path, in the order of their names. */
async function find(name: string, reader: Reader): Promise<(Entry | CatalogError)[]> {
  if (name === STANDARD_INPUT) return [{ name: STDIN_NAME, path: "", real: "", isNamed: true }];
  const path = resolve(reader.folder, name);
  try {
    // Synchronous, because waiting takes longer than checking a file.
    const entry = statSync(path);
    const real = realpathSync.native(path);
    // The user may pass a defaults file together with course files, for example by a pattern of the shell.
    const isLink = lstatSync(path).isSymbolicLink();
    if (entry.isFile())
      return isDefaults(name) ? [] : [{ name, path, real, isNamed: true, isLink }];
    if (!entry.isDirectory()) return [notAFile(name)];
    const found = await walk({ name, path, real }, await rulesAbove(path, reader), real, reader);
    const isRead = (each: Entry | CatalogError): boolean =>
      !(each instanceof CatalogError && each.facts.rule === NOT_READ);
    return found.some(isRead) ? found : [noCourse(name)];
  } catch (cause) {
    return [unreadable(name, cause)];
  }
}

/** Every course file below a folder, in the order of their names. @param root the real path of the searched folder */
async function walk(
  folder: Entry,
  above: IgnoreRules,
  root: string,
  reader: Reader,
): Promise<(Entry | CatalogError)[]> {
  await yieldToEventLoop();
  const found: (Entry | CatalogError)[] = [];
  try {
    const rules = await addRules(folder.path, above, reader);
    const entries = readdirSync(folder.path, { withFileTypes: true });
    const [name, path, real] = [folder.name, folder.path, folder.real].map(prefixOf);
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const { name: own } = entry;
      const inside = { name: `${name}${own}`, path: `${path}${own}`, real: `${real}${own}` };
      const isFolder = entry.isDirectory();
      if (isSkipped(own) || isIgnored(inside.path, isFolder, rules)) continue;
      if (entry.isFile()) found.push(...(isCourseFile(own) ? [inside] : []));
      else if (!isFolder) found.push(...findLinked(inside, root));
      // Not spread: a folder may contain more files than a call can have arguments.
      else for (const each of await walk(inside, rules, root, reader)) found.push(each);
    }
  } catch (cause) {
    found.push(unreadable(folder.name, cause));
  }
  return found;
}

/** What the paths of the entries of a folder begin with: `courses/`; nothing for `.`. */
function prefixOf(folder: string): string {
  return join(folder, "x").slice(0, -1);
}

/** What an entry is that is neither a file nor a folder: a link to a file that may be read, or why it is not read. */
function findLinked(entry: Entry, root: string): (Entry | CatalogError)[] {
  const { name, path } = entry;
  const real = attempt(() => realpathSync.native(path));
  const target = attempt(() => statSync(path));
  const isFolder = target?.isDirectory() === true;
  if (!isCourseFile(name) && !isFolder) return [];
  const isIn = real !== undefined && isInside(real, root);
  const message = "not read, because it is neither a file nor a link to one in the folder";
  if (isIn && target?.isFile()) return [{ ...entry, real, isLink: true }];
  // A linked folder inside is searched where it is.
  return isIn && isFolder ? [] : [unreadError(name, NOT_READ, message)];
}

/** The file with patterns, in the syntax of .gitignore, for entries below its folder. */
export const IGNORE_FILE = ".catalogignore";

export interface Reader {
  /** The folder that relative paths start from. */
  readonly folder: string;
  /** The numeric id of the user; undefined on systems without one. */
  readonly uid?: number | undefined;
}

/** The patterns that apply to a folder: of the folder itself, then of each folder above. */
type IgnoreRules = readonly {
  readonly folder: string;
  readonly isExcluded: ReturnType<typeof readPatterns>;
}[];

/** The patterns of the folders above `path`, except patterns that exclude `path`: the user asks for its files. */
async function rulesAbove(path: string, reader: Reader): Promise<IgnoreRules> {
  const folders = foldersAbove(path, reader.folder);
  let above: IgnoreRules = [];
  for (const folder of folders.slice(1).reverse()) above = await addRules(folder, above, reader);
  return above.filter((rules) => {
    const below = folders.slice(0, folders.indexOf(rules.folder));
    return !below.some((folder) => isIgnored(folder, true, [rules]));
  });
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
async function addRules(folder: string, above: IgnoreRules, reader: Reader): Promise<IgnoreRules> {
  const path = join(folder, IGNORE_FILE);
  const name = relative(reader.folder, path);
  const bytes = readFolderFile({ name, path }, reader);
  if (bytes === undefined) return above;
  const { text, problem } = decode(bytes);
  if (problem !== undefined) throw unusable(name, problem.message);
  // PowerShell appends UTF-16 to a file in UTF-8, whose patterns would match nothing.
  if (text.includes("\0")) throw unusable(name, "the file has a NUL character: save it as UTF-8");
  const { readPatterns } = await import("./ignore-patterns.ts");
  return [{ folder, isExcluded: readPatterns(text) }, ...above];
}

/**
 * Reads a file that applies to a folder. A file that exists and must not be used is an error, because a run without
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
function isIgnored(path: string, isFolder: boolean, rules: IgnoreRules): boolean {
  for (const { folder, isExcluded } of rules) {
    const below = relative(folder, path).split(sep).join("/");
    const found = isExcluded(isFolder ? `${below}/` : below);
    if (found !== undefined) return found;
  }
  return false;
}
