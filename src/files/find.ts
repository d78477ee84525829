/** Finds the course files that paths name: `courses` includes `courses/a.yaml` and `courses/more/b.json`. */
import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { yieldToEventLoop } from "../base/async.ts";
import { CatalogError, unreadError } from "../base/errors.ts";
import { isInside } from "../base/folders.ts";
import { STANDARD_INPUT } from "../base/io.ts";
import { joinList } from "../base/text.ts";
import { type FoundFile, notAFile, unreadable } from "./decode.ts";
import { addRules, type IgnoreRules, isIgnored, type Reader, rulesAbove } from "./ignore.ts";
import { COURSE_EXTENSIONS, type TableOptions } from "./parse.ts";

export interface SourceOptions extends Reader, TableOptions {
  /** What the path `-` reads. */
  readonly input: { readonly stream: Readable };
  /** Files that are skipped in folders, such as reports of an earlier run. */
  readonly except?: readonly string[];
}

const COURSE_FILE: ReadonlySet<string> = new Set(COURSE_EXTENSIONS);
/** The file with default values for the courses of a folder; not a course file itself. */
export const DEFAULTS_FILE = "catalog.defaults.yaml";
/** Its possible names; the last one wins. */
export const DEFAULTS_FILES: readonly string[] = ["catalog.defaults.yml", DEFAULTS_FILE];
const OTHER_FILE =
  /^(package\.json|package-lock\.json|tsconfig\.json|.+\.schema\.json|\.catalogrc.*|catalog\.(config\..*|defaults\.ya?ml))$/;

/** The rule of an entry of a folder that looks like a course file or a folder, and is not read. */
export const NOT_READ = "not-read";

/**
 * Finds what to load, in the order of the paths: files, standard input, and why a path or an entry is not read. A file is
 * found once, however it is reached.
 */
export async function findSources(
  paths: readonly string[],
  options: Reader & Pick<SourceOptions, "except">,
): Promise<(FoundFile | typeof STANDARD_INPUT | CatalogError)[]> {
  const seen = new Set<string>();
  const except = new Set(options.except?.map((path) => resolve(options.folder, path)));
  const isSource = (each: Entry | CatalogError, path: string): boolean => {
    if (each instanceof CatalogError) return true;
    const isNew = !seen.has(each.real);
    seen.add(each.real);
    const isNamed = each.path === resolve(options.folder, path);
    // The user may pass a defaults file together with course files, for example by a pattern of the shell.
    const isLeftOut = (!isNamed && except.has(each.path)) || isDefaults(each.path);
    return isNew && !isLeftOut;
  };
  const sources: (FoundFile | typeof STANDARD_INPUT | CatalogError)[] = [];
  for (const path of paths) {
    if (path === STANDARD_INPUT) sources.push(path);
    else for (const each of await find(path, options)) if (isSource(each, path)) sources.push(each);
  }
  if (sources.length > 0 || paths.length === 0) return sources;
  const message = `${DEFAULTS_FILE} is not a course file`;
  const advice = "Pass its folder, to check the defaults together with the courses that they fill.";
  return [unreadError(DEFAULTS_FILE, "no-course", message, advice)];
}

interface Entry extends FoundFile {
  readonly real: string;
}

type Found = (Entry | CatalogError)[];

/** Finds the files of one path, in the order of their names. */
async function find(name: string, reader: Reader): Promise<Found> {
  const path = resolve(reader.folder, name);
  try {
    // Synchronous, because waiting takes longer than checking a file.
    const kind = kindOf(path);
    if (kind === "other") return [notAFile(name)];
    const entry = { name, path, real: realpathSync.native(path) };
    if (kind === "file") return [{ ...entry, isNamed: true }];
    const found: Found = [];
    await walk(entry, { root: entry.real, rules: await rulesAbove(path, reader), reader }, found);
    const isEmpty = found.every(
      (each) => each instanceof CatalogError && each.facts.rule === NOT_READ,
    );
    return isEmpty ? [noCourseFile(name)] : found;
  } catch (cause) {
    return [cause instanceof CatalogError ? cause : unreadable(name, cause)];
  }
}

function noCourseFile(name: string): CatalogError {
  const advice = `Course files end in ${joinList(COURSE_EXTENSIONS)}; catalog skips hidden folders, node_modules and what .catalogignore excludes.`;
  return unreadError(name, "no-course", `the folder ${name} contains no course file`, advice);
}

function kindOf(path: string): "file" | "folder" | "other" {
  const entry = statSync(path);
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "folder" : "other";
}

/** A search of a folder: the folder's real path, and what is excluded. */
interface Search {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly reader: Reader;
}

/** Adds every course file below a folder, in the order of their names. */
async function walk(folder: Entry, search: Search, found: Found): Promise<void> {
  await yieldToEventLoop();
  const entries = readFolder(folder, found);
  const rules = await addRules(folder.path, search.rules, search.reader);
  for (const entry of entries) {
    const path = join(folder.path, entry.name);
    if (isSkipped(entry.name) || isIgnored(path, entry.isDirectory(), rules)) continue;
    // Only links need `realpath`, which is slow.
    const real = join(folder.real, entry.name);
    const inside: Entry = { name: join(folder.name, entry.name), path, real };
    if (entry.isDirectory()) await walk(inside, { ...search, rules }, found);
    else if (entry.isSymbolicLink()) addLink(inside, search.root, found);
    else if (!isCourseFile(entry.name)) continue;
    else if (entry.isFile()) found.push(inside);
    else found.push(notRead(inside, "is neither a file nor a folder"));
  }
}

function readFolder({ name, path }: Entry, found: Found) {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (cause) {
    found.push(unreadable(name, cause));
    return [];
  }
}

/** Whether searching a folder skips an entry with this name. Excel creates a file with ~$ while a workbook is open. */
export function isSkipped(name: string): boolean {
  return /^(\.|~\$|node_modules$)/.test(name);
}

/** Adds a link to a course file inside the folder. Linked folders are never searched. */
function addLink(link: Entry, root: string, found: Found): void {
  const looksLikeCourse = isCourseFile(link.name);
  try {
    const real = realpathSync.native(link.path);
    const kind = kindOf(real);
    if (!looksLikeCourse && kind !== "folder") return;
    if (!isInside(real, root)) found.push(notRead(link, "is a link that leads out of the folder"));
    else if (kind === "file") found.push({ ...link, real });
    else if (kind === "other") found.push(notRead(link, "is neither a file nor a folder"));
  } catch {
    if (looksLikeCourse) found.push(notRead(link, "is a broken link"));
  }
}

/** @param reason a clause that follows "it" */
function notRead({ name }: Entry, reason: string): CatalogError {
  return unreadError(name, NOT_READ, `not read, because it ${reason}`);
}

function isDefaults(path: string): boolean {
  return DEFAULTS_FILES.includes(basename(path));
}

/** Whether searching a folder finds a file with this name. */
export function isCourseFile(name: string): boolean {
  return COURSE_FILE.has(extname(name).toLowerCase()) && !OTHER_FILE.test(basename(name));
}
