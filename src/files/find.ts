/** Finds the course files that paths stand for (cli.md sections 7 and 11). */
import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, extname, join, relative, resolve, sep } from "node:path";
import { CatalogError, systemCode, usageError } from "../base/errors.ts";

/** A file to read. */
export interface FoundFile {
  /** As messages name it: as it was given, or below the folder that was. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

const COURSE_FILE = new Set([".json", ".yaml", ".yml"]);
const OTHER_FILE =
  /^(package\.json|package-lock\.json|tsconfig\.json|\.catalogrc.*|catalog\.config\..*)$/;

/**
 * Finds the files of one path, in the order of their names.
 *
 * @param seen the real paths found before; one real file counts once, however it is reached
 * @throws CatalogError of kind `file` for a path that cannot be read, `usage` for a folder without
 * course files
 */
export async function findFiles(
  name: string,
  folder: string,
  seen: Set<string>,
): Promise<readonly FoundFile[]> {
  const files: FoundFile[] = [];
  for (const file of await filesOf(name, resolve(folder, name))) {
    const real = await realpath(file.path);
    if (!seen.has(real)) files.push(file);
    seen.add(real);
  }
  return files;
}

async function filesOf(name: string, path: string): Promise<FoundFile[]> {
  const kind = await kindOf(path).catch((cause: unknown) => {
    throw unreadable(name, cause);
  });
  if (kind === "file") return [{ name, path }];
  if (kind === "other") {
    throw new CatalogError("file", `${name} is neither a file nor a folder`, { file: name });
  }
  const root = await realpath(path);
  const below = await walk(path, root).catch((cause: unknown) => {
    throw unreadable(name, cause);
  });
  if (below.length === 0) {
    throw usageError(
      `the folder ${name} holds no course file`,
      "Course files end in .yaml, .yml or .json; hidden folders and node_modules are left out.",
    );
  }
  return below.map((file) => ({ name: join(name, relative(path, file)), path: file }));
}

async function kindOf(path: string): Promise<"file" | "folder" | "other"> {
  const entry = await stat(path);
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "folder" : "other";
}

/** Every course file below a folder, in the order of their names. */
async function walk(folder: string, root: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  const found: string[] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (name.startsWith(".") || name === "node_modules") continue;
    const path = join(folder, name);
    if (entry.isDirectory()) found.push(...(await walk(path, root)));
    else if (isCourseFile(name) && (await isFileOf(path, entry, root))) found.push(path);
  }
  return found;
}

/** Whether an entry is a file, or a link to a file inside the folder; never a link to a folder. */
async function isFileOf(path: string, entry: Dirent, root: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  // A broken link is part of nothing.
  const real = await realpath(path).catch(() => undefined);
  return real !== undefined && isBelow(real, root) && (await kindOf(real)) === "file";
}

function isBelow(path: string, root: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function isCourseFile(name: string): boolean {
  return COURSE_FILE.has(extname(name).toLowerCase()) && !OTHER_FILE.test(basename(name));
}

function unreadable(name: string, cause: unknown): CatalogError {
  const code = systemCode(cause);
  const why: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file or folder",
    EACCES: "it may not be read",
    EPERM: "it may not be read",
    ELOOP: "its links lead in a circle",
    ENOTDIR: "a part of the path is no folder",
    ENAMETOOLONG: "the name is too long",
  };
  const reason = why[code ?? ""] ?? code ?? String(cause);
  return new CatalogError("file", `could not read ${name}: ${reason}`, { file: name, cause });
}
