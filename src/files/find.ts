/** Finds the course files of paths. */
import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, extname, join, resolve, sep } from "node:path";
import { yieldToEventLoop } from "../base/async.ts";
import { CatalogError } from "../base/errors.ts";
import { joinList } from "../base/text.ts";
import { notAFile, unreadable } from "./bytes.ts";
import { COURSE_EXTENSIONS } from "./formats.ts";

/** A file to read. */
export interface FoundFile {
  /** As messages name it: as it was given, or below the folder that was. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

const COURSE_FILE: ReadonlySet<string> = new Set(COURSE_EXTENSIONS);
/** The file with the values that the course files of a folder leave out; not a course file itself. */
export const DEFAULTS_FILE = "catalog.defaults.yaml";
const OTHER_FILE =
  /^(package\.json|package-lock\.json|tsconfig\.json|.+\.schema\.json|\.catalogrc.*|catalog\.(config\..*|defaults\.yaml))$/;

/** The course files of a path. */
export interface Found {
  readonly files: readonly FoundFile[];
  /** Folders below it that cannot be read, by name. */
  readonly failures: readonly CatalogError[];
}

/**
 * Finds the files of one path, in the order of their names.
 *
 * @param seen the real paths found before; one real file counts once, however it is reached
 * @param except absolute paths that folders do not include, such as reports of an earlier run
 * @throws CatalogError of kind `file` for a path that cannot be read, `usage` for a folder without
 * course files
 */
export async function findFiles(
  name: string,
  folder: string,
  seen: Set<string>,
  except: ReadonlySet<string> = new Set(),
): Promise<Found> {
  const path = resolve(folder, name);
  const { entries, failures } = await entriesOf(name, path);
  const files: FoundFile[] = [];
  for (const { real, ...file } of entries) {
    const isLeftOut = file.path !== path && except.has(file.path);
    if (!seen.has(real) && !isLeftOut) files.push(file);
    seen.add(real);
  }
  return { files, failures };
}

/** A file with its real path. */
interface Entry extends FoundFile {
  readonly real: string;
}

interface Entries {
  readonly entries: Entry[];
  readonly failures: CatalogError[];
}

async function entriesOf(name: string, path: string): Promise<Entries> {
  try {
    // Synchronous, because waiting takes longer than checking a file.
    const kind = kindOf(path);
    if (kind === "other") throw notAFile(name);
    const real = realpathSync.native(path);
    if (kind === "file") return { entries: [{ name, path, real }], failures: [] };
    const below: Entries = { entries: [], failures: [] };
    await walk({ name, path, real }, real, below);
    if (below.entries.length === 0 && below.failures.length === 0) throw noCourseFile(name);
    return below;
  } catch (cause) {
    throw cause instanceof CatalogError ? cause : unreadable(name, cause);
  }
}

function noCourseFile(name: string): CatalogError {
  return new CatalogError("usage", `the folder ${name} contains no course file`, {
    file: name,
    rule: "no-course",
    advice: `Course files end in ${joinList(COURSE_EXTENSIONS)}; hidden folders and node_modules are skipped.`,
  });
}

function kindOf(path: string): "file" | "folder" | "other" {
  const entry = statSync(path);
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "folder" : "other";
}

/** Adds every course file below a folder, in the order of their names. */
async function walk(folder: Entry, root: string, below: Entries): Promise<void> {
  await yieldToEventLoop();
  let entries: Dirent[];
  try {
    entries = readdirSync(folder.path, { withFileTypes: true });
  } catch (cause) {
    below.failures.push(unreadable(folder.name, cause));
    return;
  }
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    // Only a link has to be resolved; resolving every file would be slow.
    const inside: Entry = {
      name: join(folder.name, entry.name),
      path: join(folder.path, entry.name),
      real: join(folder.real, entry.name),
    };
    if (entry.isDirectory()) await walk(inside, root, below);
    else if (isCourseFile(entry.name)) {
      const real = realFileOf(inside, entry, root);
      if (real !== undefined) below.entries.push({ ...inside, real });
    }
  }
}

/** The real path of a file, or of a link to a file inside the folder; never of a linked folder. */
function realFileOf(inside: Entry, entry: Dirent, root: string): string | undefined {
  if (!entry.isSymbolicLink()) return entry.isFile() ? inside.real : undefined;
  try {
    const real = realpathSync.native(inside.path);
    return isBelow(real, root) && kindOf(real) === "file" ? real : undefined;
  } catch {
    // A broken link is ignored.
    return undefined;
  }
}

/** Whether a real path is below a folder's real path. */
export function isBelow(path: string, root: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Whether a file of this name is a course file if a folder is searched. */
export function isCourseFile(name: string): boolean {
  return COURSE_FILE.has(extname(name).toLowerCase()) && !OTHER_FILE.test(basename(name));
}
