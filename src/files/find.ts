/** Finds the course files that paths name: `courses` includes `courses/a.yaml` and `courses/more/b.json`. */
import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { yieldToEventLoop } from "../base/async.ts";
import { asCatalogError, CatalogError, unreadError } from "../base/errors.ts";
import { isInside } from "../base/folders.ts";
import { STANDARD_INPUT } from "../base/io.ts";
import { joinList } from "../base/text.ts";
import { type FoundFile, notAFile, unreadable } from "./decode.ts";
import {
  addRules,
  IGNORE_FILE,
  type IgnoreRules,
  isIgnored,
  type Reader,
  rulesAbove,
} from "./ignore.ts";
import { COURSE_EXTENSIONS, type TableOptions } from "./parse.ts";

export interface SourceOptions extends Reader, TableOptions {
  /** What the path `-` reads. */
  readonly input: { readonly stream: Readable };
  /** Files that are skipped in folders, such as reports of an earlier run. */
  readonly except?: readonly string[];
}

/** A file, standard input, an entry that is not read, or why a path has no file. */
export type FoundSource = FoundFile | UnreadEntry | typeof STANDARD_INPUT | CatalogError;

/** Finds what to load, in the order of the paths. Failures are among the results. */
export async function findSources(
  paths: readonly string[],
  options: SourceOptions,
): Promise<FoundSource[]> {
  const { folder, except = [] } = options;
  const seen = new Set<string>();
  const leftOut = new Set(except.map((path) => resolve(folder, path)));
  const sources: FoundSource[] = [];
  for (const path of paths) {
    if (path === STANDARD_INPUT) {
      sources.push(path);
      continue;
    }
    try {
      const { failures, files, unread } = await findFiles(path, options, seen, leftOut);
      // The user may pass a defaults file together with course files, for example by a pattern of the shell.
      const isDefaults = ({ path }: FoundFile): boolean => DEFAULTS_FILES.includes(basename(path));
      for (const source of [...failures, ...unread]) sources.push(source);
      for (const source of files) if (!isDefaults(source)) sources.push(source);
    } catch (error) {
      sources.push(asCatalogError(error));
    }
  }
  if (sources.length === 0 && paths.length > 0) {
    const message = `${DEFAULTS_FILE} is not a course file`;
    const advice =
      "Pass its folder, to check the defaults together with the courses that they fill.";
    sources.push(unreadError(DEFAULTS_FILE, "no-course", message, advice));
  }
  return sources;
}

const COURSE_FILE: ReadonlySet<string> = new Set(COURSE_EXTENSIONS);
/** The file with default values for the courses of a folder; not a course file itself. */
export const DEFAULTS_FILE = "catalog.defaults.yaml";
/** Its possible names; the last one wins. */
export const DEFAULTS_FILES: readonly string[] = ["catalog.defaults.yml", DEFAULTS_FILE];
const OTHER_FILE =
  /^(package\.json|package-lock\.json|tsconfig\.json|.+\.schema\.json|\.catalogrc.*|catalog\.(config\..*|defaults\.ya?ml))$/;

/** An entry of a folder that looks like a course file or a folder, and is not read. */
export interface UnreadEntry {
  readonly name: string;
  /** Why the entry is not read: a clause that follows "it". */
  readonly reason: string;
}

interface Found {
  readonly files: readonly FoundFile[];
  readonly unread: UnreadEntry[];
  /** Why folders below the path cannot be read. */
  readonly failures: CatalogError[];
}

interface Entry extends FoundFile {
  readonly real: string;
}

type Below = Omit<Found, "files"> & { readonly files: Entry[] };

/**
 * Finds the files of one path, in the order of their names.
 *
 * @param seen the real paths of files that count already; new files are added
 * @param except absolute paths that are skipped in folders
 */
export async function findFiles(
  name: string,
  reader: Reader,
  seen: Set<string>,
  except: ReadonlySet<string> = new Set(),
): Promise<Found> {
  const path = resolve(reader.folder, name);
  const below: Below = { files: [], unread: [], failures: [] };
  try {
    // Synchronous, because waiting takes longer than checking a file.
    const kind = kindOf(path);
    if (kind === "other") throw notAFile(name);
    const entry = { name, path, real: realpathSync.native(path) };
    if (kind === "file") below.files.push({ ...entry, isNamed: true });
    else {
      const rules = await rulesAbove(path, reader);
      await walk(entry, { root: entry.real, rules, reader }, below);
    }
  } catch (cause) {
    throw cause instanceof CatalogError ? cause : unreadable(name, cause);
  }
  if (below.files.length === 0 && below.failures.length === 0) throw noCourseFile(name);
  const files = below.files.filter((file) => {
    const isNew = !seen.has(file.real);
    seen.add(file.real);
    return isNew && (file.path === path || !except.has(file.path));
  });
  return { ...below, files };
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
async function walk(folder: Entry, search: Search, below: Below): Promise<void> {
  const { root, rules: above, reader } = search;
  await yieldToEventLoop();
  let entries: Dirent[];
  try {
    entries = readdirSync(folder.path, { withFileTypes: true });
  } catch (cause) {
    below.failures.push(unreadable(folder.name, cause));
    return;
  }
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  const hasRules = entries.some(({ name }) => name === IGNORE_FILE);
  const name = join(folder.name, IGNORE_FILE);
  const rules = hasRules ? await addRules(folder.path, name, above, reader) : above;
  for (const entry of entries) {
    if (isSkipped(entry.name)) continue;
    const path = join(folder.path, entry.name);
    if (isIgnored(path, entry.isDirectory(), rules)) continue;
    // Only links need `realpath`, which is slow.
    const real = folder.real === folder.path ? path : join(folder.real, entry.name);
    const inside: Entry = { name: join(folder.name, entry.name), path, real };
    if (entry.isDirectory()) await walk(inside, { ...search, rules }, below);
    else if (entry.isSymbolicLink()) addLink(inside, root, below);
    else if (!isCourseFile(entry.name)) continue;
    else if (entry.isFile()) below.files.push(inside);
    else below.unread.push({ name: inside.name, reason: "is neither a file nor a folder" });
  }
}

/** Whether searching a folder skips an entry with this name. Excel creates a file with ~$ while a workbook is open. */
export function isSkipped(name: string): boolean {
  return /^(\.|~\$|node_modules$)/.test(name);
}

/** Adds a link to a course file inside the folder. Linked folders are never searched. */
function addLink(link: Entry, root: string, below: Below): void {
  const looksLikeCourse = isCourseFile(link.name);
  const leaveOut = (reason: string): void => {
    below.unread.push({ name: link.name, reason });
  };
  let real: string;
  let kind: ReturnType<typeof kindOf>;
  try {
    real = realpathSync.native(link.path);
    kind = kindOf(real);
  } catch {
    if (looksLikeCourse) leaveOut("is a broken link");
    return;
  }
  if (!looksLikeCourse && kind !== "folder") return;
  if (!isInside(real, root)) leaveOut("is a link that leads out of the folder");
  else if (kind === "file") below.files.push({ ...link, real });
  else if (kind === "other") leaveOut("is neither a file nor a folder");
}

/** Whether searching a folder finds a file with this name. */
export function isCourseFile(name: string): boolean {
  return COURSE_FILE.has(extname(name).toLowerCase()) && !OTHER_FILE.test(basename(name));
}
