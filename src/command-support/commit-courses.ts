/** The courses of a git commit. */
import { realpathSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { yieldToEventLoop } from "../base/async.ts";
import { createTemporaryFile, createTemporaryFolder } from "../base/atomic-write.ts";
import { asCatalogError, CatalogError, systemCode } from "../base/errors.ts";
import { STANDARD_INPUT } from "../base/io.ts";
import { escapeName, pluralize } from "../base/text.ts";
import { addTo, isObject, type PlainObject } from "../base/values.ts";
import { loadCourseFile, ownCourses } from "../files/course-file.ts";
import { unreadable } from "../files/decode.ts";
import { Defaults } from "../files/defaults.ts";
import { DEFAULTS_FILE, findSources, isCourseFile } from "../files/find.ts";
import { IGNORE_FILE } from "../files/ignore.ts";
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
 * The courses as the files of a commit have them, with the values of its defaults files: those below the paths and, if
 * they are not enough, because a file was moved, those of the whole repository. Courses of files that cannot
 * be read are left out, with a warning.
 *
 * @param paths as given; `-` is the current folder
 * @param isEnough whether the courses below the paths are all that are needed
 * @throws CatalogError of kind `usage` if git or the commit is missing, `output` if nothing can be written to the
 * temporary folder
 */
export async function readCommitCourses(
  ref: string,
  paths: readonly string[],
  context: Context,
  isEnough: (courses: readonly PlainObject[]) => boolean,
): Promise<readonly PlainObject[]> {
  // After Ctrl-C, the temporary folder is removed.
  const release = context.deferShutdown();
  let folder: string | undefined;
  try {
    return await showWork("Reading the commit", context, async () => {
      const places = [...new Set(paths)].map((path) => placeOf(path, context));
      const repository = await findRepository(
        places.map((place) => place.folder),
        context,
      );
      const files = await listCommit(ref, repository, context);
      folder = await createTemporaryFolder("commit", context);
      const copy = new CommitCopy(folder, repository, context);
      const own = new Set(places.map(({ path }) => pathInRepository(path, repository)));
      const above = new Map(files.map((file) => [file, findAbove(file.path, own)]));
      const first = files.filter((file) => above.get(file) !== undefined);
      const others = files.filter(
        (file) => above.get(file) === undefined && isCandidate(file.path, ""),
      );
      const settings = files.filter(({ path }) => SETTINGS.has(basename(path)));
      await copy.write([...settings, ...first]);
      const courses = await copy.load(new Set(first.flatMap((file) => above.get(file) ?? [])));
      await copy.warn(ref);
      if (others.length === 0 || isEnough(courses)) return courses;
      await copy.write(others);
      // Most of them belong to other programs: what cannot be read is not worth a warning.
      return [...courses, ...(await copy.load(new Set([""])))];
    });
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    release();
  }
}

/** The real path of what an argument names, and the folder that it is in. */
function placeOf(
  name: string,
  context: Context,
): { readonly path: string; readonly folder: string } {
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

/** Signals are served after this many files. */
const FILES_PER_TURN = 16;
/** Files that apply to the courses of their folders. */
const SETTINGS: ReadonlySet<string> = new Set([DEFAULTS_FILE, IGNORE_FILE]);
/** In what is not searched: see `files/find.ts`. */
const HIDDEN = /(^|\/)(\.|node_modules(\/|$))/;

/** The path, of several, that names a file or a folder in which it is found. */
function findAbove(path: string, paths: ReadonlySet<string>): string | undefined {
  for (let above = path; ; above = above.slice(0, Math.max(above.lastIndexOf("/"), 0))) {
    if (paths.has(above) && isCandidate(path, above)) return above;
    if (above === "") return undefined;
  }
}

/** Whether a file is found below a folder, or is named itself. */
function isCandidate(path: string, below: string): boolean {
  return path === below || (isCourseFile(basename(path)) && !HIDDEN.test(path.slice(below.length)));
}

/** Bytes of a copy: one file can be at any number of paths. */
const MOST_BYTES = 1024 ** 3;

/** A temporary copy of the course files of a commit, from which they are read as all others. */
class CommitCopy {
  readonly #folder: string;
  readonly #repository: Repository;
  readonly #context: Context;
  readonly #defaults: Defaults;
  /** For what the folders above the repository give to all of its courses. */
  readonly #outerDefaults: Defaults;
  readonly #read = new Set<string>();
  readonly #unread = new Set<string>();
  #size = 0;
  #files = 0;

  constructor(folder: string, repository: Repository, context: Context) {
    this.#folder = folder;
    this.#repository = repository;
    this.#context = context;
    this.#defaults = new Defaults(this.#reader);
    this.#outerDefaults = new Defaults(context);
  }

  get #reader() {
    const { environment, user, io } = this.#context;
    return { environment, user, input: io.in, folder: this.#folder, top: this.#folder };
  }

  /** Writes files, up to a limit. */
  async write(files: readonly CommitFile[]): Promise<void> {
    const paths = new Map<string, string[]>();
    for (const { id, path } of files) addTo(paths, id, path);
    const ids = [...paths.keys()];
    for await (const { id, bytes } of readContents(ids, this.#repository, this.#context)) {
      for (const path of paths.get(id)?.splice(0) ?? []) {
        if (this.#files++ % FILES_PER_TURN === 0) await this.#takeSignals();
        this.#size += bytes.length;
        if (this.#size <= MOST_BYTES) this.#writeFile(path, bytes);
        else this.#unread.add(join(this.#folder, path));
      }
    }
    // Those that are too large.
    for (const path of [...paths.values()].flat()) this.#unread.add(join(this.#folder, path));
  }

  #writeFile(path: string, bytes: Buffer): void {
    try {
      createTemporaryFile(join(this.#folder, path), bytes);
    } catch (cause) {
      // This file system may not have such a name, or have two of them as one.
      const code = systemCode(asCatalogError(cause).facts.cause) ?? "";
      if (!/^(EEXIST|ENOTDIR|ENAMETOOLONG|EILSEQ)$/.test(code)) throw cause;
    }
  }

  /** The courses below paths in the repository, of files that were not loaded before. */
  async load(paths: ReadonlySet<string>): Promise<PlainObject[]> {
    const courses: PlainObject[] = [];
    const options = { ...this.#reader, except: [...this.#read] };
    const found = await findSources(
      [...paths].map((path) => join(this.#folder, path)),
      options,
    );
    for (const [index, source] of found.entries()) {
      if (index % FILES_PER_TURN === 0) await this.#takeSignals();
      if (source instanceof CatalogError) this.#addUnread(source);
      else if (source !== STANDARD_INPUT && "path" in source) {
        this.#read.add(source.path);
        for (const course of await this.#loadFile(source.path)) courses.push(course);
      }
    }
    for (const name of this.#defaults.names) await this.#parse(join(this.#folder, name));
    return courses;
  }

  async #loadFile(path: string): Promise<PlainObject[]> {
    const file = await this.#parse(path);
    if (file === undefined) return [];
    const own = { ...file, courses: ownCourses(file) };
    const inner = await this.#defaults.fill(own, path, { onlyBeside: false });
    const outer = await this.#outerDefaults.fill(inner, this.#repository.root, {
      onlyBeside: false,
    });
    return outer.courses.flatMap(({ value }) => (isObject(value) ? [value] : []));
  }

  /** Undefined for a file that cannot be read, or contains nothing. */
  async #parse(path: string) {
    const file = await loadCourseFile({ name: path, path }).catch(asCatalogError);
    if (file instanceof CatalogError) return this.#addUnread(file);
    if (file.problems.length === 0) return file;
    this.#unread.add(path);
    return undefined;
  }

  #addUnread({ facts: { file, rule } }: CatalogError): undefined {
    if (file !== undefined && rule !== "no-course") this.#unread.add(file);
  }

  /** Names the files that could not be read. */
  async warn(ref: string): Promise<void> {
    const [first, ...others] = this.#unread;
    if (first === undefined) return;
    const isOne = others.length === 0;
    const more = isOne ? "" : ` and ${pluralize(others.length, "other file")}`;
    const name = escapeName(relative(this.#folder, first));
    await this.#context.messages.warn(
      `${name}${more} cannot be read at the commit ${escapeName(ref)}: ${isOne ? "its" : "their"} courses have no base.`,
    );
  }

  async #takeSignals(): Promise<void> {
    await yieldToEventLoop();
    if (this.#context.stop.reason !== undefined)
      throw new CatalogError("interrupted", "interrupted");
  }
}
