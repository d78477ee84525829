/** Reads the courses of a git commit, for `--base`. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { yieldToEventLoop } from "../base/async.ts";
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { STANDARD_INPUT } from "../base/io.ts";
import { escapeName, pluralize } from "../base/text.ts";
import { addTo, isObject, type PlainObject } from "../base/values.ts";
import type { TableOptions } from "../files/content.ts";
import { loadCourseFile, ownCourses } from "../files/course-file.ts";
import { unreadable } from "../files/decode.ts";
import { Defaults } from "../files/defaults.ts";
import { DEFAULTS_FILE, isCourseFile } from "../files/find.ts";
import {
  addRules,
  IGNORE_FILE,
  type IgnoreRules,
  isIgnored,
  type Reader,
  rulesAbove,
} from "../files/ignore.ts";
import type { Context } from "./context.ts";
import {
  type CommitFile,
  findRepository,
  listCommit,
  pathInRepository,
  type Repository,
  readContents,
} from "./git.ts";
import { showWork } from "./work.ts";

/**
 * The courses in the files of a commit, with the values of its defaults files. Reads the files below the paths and,
 * if those are not enough because a file was moved, every file that no longer exists in the repository. Omits the
 * courses of files that cannot be read, with a warning.
 *
 * @param sources paths as typed (`-` stands for the current folder), and how to read tables
 * @param isEnough whether these courses are all that the caller needs
 * @throws CatalogError of kind `usage` if git or the commit is missing
 */
export async function readCommitCourses(
  ref: string,
  { paths, ...tables }: { readonly paths: readonly string[] } & TableOptions,
  context: Context,
  isEnough: (courses: readonly PlainObject[]) => boolean,
): Promise<readonly PlainObject[]> {
  return await showWork("Reading the commit", context, async () => {
    const places = [...new Set(paths)].map((path) => placeOf(path, context));
    const folders = places.map(({ folder }) => folder);
    const repository = await findRepository(folders, context);
    // A list of files can be empty.
    if (repository === undefined) return [];
    const files = await listCommit(ref, repository, context);
    // If no course differs, only the existence of the commit matters.
    if (isEnough([])) return [];
    const own = new Set(places.map(({ path }) => pathInRepository(path, repository)));
    const named = new Map<CommitFile, string>();
    const others = new Map<CommitFile, string>();
    for (const file of files) {
      const below = findAbove(file.path, own);
      if (below !== undefined) named.set(file, below);
      // A file that still exists was not moved: staging/a.yaml is not the base of production/a.yaml.
      else if (isCandidate(file.path, "") && !existsSync(join(repository.root, file.path))) {
        others.set(file, "");
      }
    }
    const commit = new Commit(repository, tables, context);
    await commit.readSettings(files);
    const courses = await commit.load(named);
    await commit.warn(ref);
    if (others.size === 0 || isEnough(courses)) return courses;
    // Most of these files belong to other programs, so there is no warning about files that cannot be read.
    return [...courses, ...(await commit.load(others))];
  });
}

/** The real path of an argument, and its folder: the path itself if it is one. */
function placeOf(name: string, context: Context): { path: string; folder: string } {
  try {
    const path = realpathSync.native(resolve(context.folder, name === STANDARD_INPUT ? "." : name));
    const entry = statSync(path);
    if (entry.isDirectory()) return { path, folder: path };
    if (entry.isFile()) return { path, folder: dirname(path) };
  } catch (cause) {
    throw unreadable(name, cause);
  }
  // A pipe has no folder.
  return placeOf(STANDARD_INPUT, context);
}

/** Files that apply to the courses of their folders. */
const SETTINGS: ReadonlySet<string> = new Set([DEFAULTS_FILE, IGNORE_FILE]);
/** Matches paths in folders that are not searched: see `files/find.ts`. */
const HIDDEN = /(^|\/)(\.|node_modules(\/|$))/;

/** The path in a set that is the file itself or a folder above it; undefined without one. */
function findAbove(path: string, paths: ReadonlySet<string>): string | undefined {
  for (let above = path; ; above = above.slice(0, Math.max(above.lastIndexOf("/"), 0))) {
    if (paths.has(above) && isCandidate(path, above)) return above;
    if (above === "") return undefined;
  }
}

/** Whether a search of a folder finds the file, or the path is the file itself. */
function isCandidate(path: string, below: string): boolean {
  return path === below || (isCourseFile(basename(path)) && !HIDDEN.test(path.slice(below.length)));
}

/** After this many files, the event loop gets a turn, so that signals have an effect. */
const FILES_PER_TURN = 16;
/** The most bytes of all course files. A commit can contain one large file at many paths. */
const MAX_BYTES = 1024 ** 3;
/** The most bytes of all defaults and ignore files, which are in memory together. */
const MAX_SETTINGS = 64 * 1024 ** 2;

/** The course files of a commit, which are parsed in memory and never written to the disk. */
class Commit {
  readonly #repository: Repository;
  readonly #tables: TableOptions;
  readonly #context: Context;
  readonly #settings = new Map<string, Buffer>();
  readonly #sources: Reader;
  readonly #defaults: Defaults;
  readonly #rules = new Map<string, Promise<IgnoreRules | undefined>>();
  readonly #unread = new Set<string>();

  constructor(repository: Repository, tables: TableOptions, context: Context) {
    const { uid } = context;
    this.#repository = repository;
    this.#tables = tables;
    this.#context = context;
    this.#sources = {
      uid,
      folder: context.folder,
      contentOf: (path) => {
        const inside = this.#inside(path);
        return inside.startsWith("../") ? undefined : (this.#settings.get(inside) ?? null);
      },
    };
    this.#defaults = new Defaults(this.#sources);
  }

  async readSettings(files: readonly CommitFile[]): Promise<void> {
    const settings = files.filter(({ path }) => SETTINGS.has(basename(path)));
    await this.#read(settings, MAX_SETTINGS, async (path, bytes) => {
      // A copy, because the original is a part of a larger buffer.
      this.#settings.set(path, Buffer.from(bytes));
    });
  }

  /** The courses of files. @param files each with the path below which it was found */
  async load(files: ReadonlyMap<CommitFile, string>): Promise<PlainObject[]> {
    const included: CommitFile[] = [];
    for (const [file, below] of files) {
      if (!(await this.#isExcluded(file.path, below))) included.push(file);
    }
    const courses: PlainObject[] = [];
    await this.#read(included, MAX_BYTES, async (path, bytes) => {
      const file = await this.#parse(path, bytes);
      if (file === undefined) return;
      const own = { ...file, courses: ownCourses(file) };
      const filled = await this.#defaults.fill(own, this.#at(path), { onlyBeside: false });
      for (const { value } of filled.courses) if (isObject(value)) courses.push(value);
    });
    for (const name of this.#defaults.names) {
      const path = this.#inside(resolve(this.#context.folder, name));
      const bytes = this.#settings.get(path);
      if (bytes !== undefined) await this.#parse(path, bytes);
    }
    return courses;
  }

  async warn(ref: string): Promise<void> {
    const [first, ...others] = this.#unread;
    if (first === undefined) return;
    const isOne = others.length === 0;
    const more = isOne ? "" : ` and ${pluralize(others.length, "other file")}`;
    await this.#context.messages.warn(
      `cannot read ${escapeName(first)}${more} at the commit ${escapeName(ref)}, so ${isOne ? "its" : "their"} courses have no base`,
    );
  }

  #at(path: string): string {
    return join(this.#repository.root, path);
  }

  #inside(path: string): string {
    return pathInRepository(path, this.#repository);
  }

  async #read(
    files: readonly CommitFile[],
    most: number,
    work: (path: string, bytes: Buffer) => Promise<void>,
  ): Promise<void> {
    const paths = new Map<string, string[]>();
    for (const { id, path } of files) addTo(paths, id, path);
    let [count, size] = [0, 0];
    const ids = [...paths.keys()];
    for await (const { id, bytes } of readContents(ids, this.#repository, this.#context)) {
      for (const path of paths.get(id)?.splice(0) ?? []) {
        if (count++ % FILES_PER_TURN === 0) await yieldToEventLoop();
        size += bytes.length;
        if (size <= most) await work(path, bytes);
        else this.#unread.add(path);
      }
    }
    // `readContents` does not yield files that are too large.
    for (const path of [...paths.values()].flat()) this.#unread.add(path);
  }

  /** The parsed file; undefined if it cannot be parsed, or contains no course. */
  async #parse(path: string, bytes: Buffer) {
    const place = { name: path, path: this.#at(path) };
    const file = await loadCourseFile(place, this.#tables, bytes).catch(asCatalogError);
    if (!(file instanceof CatalogError) && file.problems.length === 0) return file;
    if (!(file instanceof CatalogError) || file.facts.rule !== "no-course") this.#unread.add(path);
    return undefined;
  }

  /** Whether patterns exclude a file that was found below a path, or a folder on the way to the file. */
  async #isExcluded(path: string, below: string): Promise<boolean> {
    if (path === below) return false;
    try {
      const rules = await this.#rulesOf(dirname(path), below === "" ? "." : below);
      return rules === undefined || isIgnored(this.#at(path), false, rules);
    } catch (error) {
      const { file } = asCatalogError(error).facts;
      if (file === undefined) throw error;
      this.#unread.add(this.#inside(resolve(this.#repository.root, file)));
      return true;
    }
  }

  /** The patterns that apply in a folder that was found below another; undefined if they exclude the folder. */
  #rulesOf(folder: string, below: string): Promise<IgnoreRules | undefined> {
    const key = JSON.stringify([folder, below]);
    const known = this.#rules.get(key);
    if (known !== undefined) return known;
    const find = async (): Promise<IgnoreRules | undefined> => {
      const path = this.#at(folder);
      const isTop = folder === below;
      const above = isTop
        ? await rulesAbove(path, this.#sources)
        : await this.#rulesOf(dirname(folder), below);
      if (above === undefined || (!isTop && isIgnored(path, true, above))) return undefined;
      return await addRules(path, join(folder, IGNORE_FILE), above, this.#sources);
    };
    const found = find();
    this.#rules.set(key, found);
    return found;
  }
}
