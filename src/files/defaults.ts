/**
 * Fills fields that are missing from course files. With `pace: self_paced` in `courses/catalog.defaults.yaml`, a course
 * in `courses/knitting.yaml` without `pace` is self-paced. The nearest folder wins, field by field.
 */
import { dirname, join, relative } from "node:path";
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { isPrivateKey, PROVIDER_KEY, WITHOUT_DEFAULT } from "../course/field-names.ts";
import { COURSE_SHAPE } from "../course/fields.ts";
import type { Problem } from "../course/problem.ts";
import { loadCourseFile, type SourceCourse, type SourceFile } from "./course-file.ts";
import type { FoundFile } from "./decode.ts";
import { type Diagnostic, type FindPlace, placeProblem, unreadDiagnostic } from "./diagnostic.ts";
import { DEFAULTS_FILES } from "./find.ts";
import { foldersAbove, type Reader, readFolderFile } from "./ignore.ts";
import { MAX_FINDINGS } from "./limits.ts";

interface Default {
  readonly value: unknown;
  readonly source: SourceCourse;
}

type FolderDefaults = ReadonlyMap<string, Default>;

/** The two names of a course's provider: a course that has one needs no default for the other. */
const PROVIDER_KEYS: readonly string[] = ["provider_id", PROVIDER_KEY];
const DEFAULT_FIELDS: ReadonlySet<string> = new Set(
  COURSE_SHAPE.keys
    .filter(({ name, readOnly }) => !readOnly && !WITHOUT_DEFAULT.includes(name))
    .map(({ name }) => name),
);

/** Knows which problems of default values were reported, so that each is reported once and not for each course. */
export class NewProblems {
  readonly #reported = new Set<string>();

  /** @returns whether the problem is about the course itself, or about a default value and not yet reported */
  add({ defaults }: Pick<SourceCourse, "defaults">, { rule, path, message }: Problem): boolean {
    const source = defaults?.get(String(path[0]));
    if (source === undefined) return true;
    const before = this.#reported.size;
    return this.#reported.add(JSON.stringify([source.file, rule, path, message])).size > before;
  }
}

/** Reads the defaults files of folders, each once. */
export class Defaults {
  readonly #reader: Reader;
  readonly #byFolder = new Map<string, Promise<FolderDefaults>>();
  #diagnostics: Diagnostic[] = [];
  readonly reported = new NewProblems();
  /** The defaults files that were read, as messages name them. */
  readonly names: string[] = [];

  /** @param reader has the folder to which names in messages are relative */
  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /**
   * Fills the fields that are missing from the courses of a file.
   *
   * @param path of the file, absolute
   * @param options with `onlyBeside`, the courses stay as written, and get the values as `defaultValues`
   */
  async fill(
    file: SourceFile,
    path: string,
    { onlyBeside }: { readonly onlyBeside: boolean },
  ): Promise<SourceFile> {
    const all = await this.#of(dirname(path));
    if (all.size === 0) return file;
    const fill = (course: SourceCourse): SourceCourse => {
      const missing = missingDefaults(course.value, all);
      if (onlyBeside) return { ...course, defaultValues: valuesOf(missing) };
      if (!isObject(course.value)) return course;
      const defaults = new Map(missing.map(([name, { source }]) => [name, source]));
      const value = { ...course.value, ...valuesOf(missing) };
      // The place of a default value is in its own file.
      const place: FindPlace = (path, at) =>
        (defaults.get(String(path[0])) ?? course).place(path, at);
      return { ...course, value, place, defaults };
    };
    return { ...file, courses: file.courses.map(fill) };
  }

  /** The default values for a course file, which need not exist. @param path absolute */
  async valuesFor(path: string): Promise<PlainObject> {
    return valuesOf([...(await this.#of(dirname(path)))]);
  }

  /** The problems of the defaults files that were read since the last call. */
  takeDiagnostics(): Diagnostic[] {
    const found = this.#diagnostics;
    this.#diagnostics = [];
    return found;
  }

  #of(folder: string): Promise<FolderDefaults> {
    const found = this.#byFolder.get(folder) ?? this.#read(folder);
    this.#byFolder.set(folder, found);
    return found;
  }

  async #read(folder: string): Promise<FolderDefaults> {
    const [, parent] = foldersAbove(folder, this.#reader.folder);
    const all = new Map(parent === undefined ? [] : await this.#of(parent));
    for (const path of DEFAULTS_FILES.map((name) => join(folder, name))) {
      const own = await this.#readFile(relative(this.#reader.folder, path), path);
      if (hasProvider(own)) for (const name of PROVIDER_KEYS) all.delete(name);
      for (const [name, found] of own) all.set(name, found);
    }
    return all;
  }

  async #readFile(name: string, path: string): Promise<FolderDefaults> {
    const file = await loadFile({ name, path, isNamed: true }, this.#reader);
    if (file === undefined) return new Map();
    this.names.push(name);
    if (file instanceof CatalogError) {
      // A defaults file may contain only comments.
      if (file.facts.rule !== "no-course") this.#diagnostics.push(unreadDiagnostic(file));
      return new Map();
    }
    this.#diagnostics.push(...file.problems);
    const [source, ...others] = file.courses;
    if (source === undefined) return new Map();
    const { value } = source;
    const fields = isObject(value) && others.length === 0 ? Object.entries(value) : undefined;
    const defaults = new Map((fields ?? []).map(([key, field]) => [key, { value: field, source }]));
    const of = { defaults: new Map([...defaults.keys()].map((key) => [key, source])) };
    for (const problem of fields === undefined ? [NOT_FIELDS] : problemsOf(fields)) {
      this.reported.add(of, problem);
      this.#diagnostics.push(await placeProblem(source, problem));
    }
    return new Map([...defaults].filter(([key]) => DEFAULT_FIELDS.has(key)));
  }
}

async function loadFile(file: FoundFile, reader: Reader) {
  try {
    const content = readFolderFile(file, reader);
    return content && (await loadCourseFile(file, {}, content));
  } catch (error) {
    return asCatalogError(error);
  }
}

const NOT_FIELDS: Problem = {
  rule: "not-a-course",
  severity: "error",
  at: "value",
  path: [],
  message: "defaults must be fields of one course: write name: value lines",
};

function problemsOf(fields: readonly [string, unknown][]): Problem[] {
  const isUnique = ([name]: readonly [string, unknown]): boolean => WITHOUT_DEFAULT.includes(name);
  const unique = fields.filter(isUnique).map(([name]): Problem => {
    const message = `${name} cannot have a default value, because each course has a different one`;
    return { rule: "unknown-key", severity: "error", at: "key", path: [name], message };
  });
  const given = fields.filter((field) => !isUnique(field) && !isPrivateKey(field[0]));
  const options = { mode: "patch", most: MAX_FINDINGS } as const;
  return [...unique, ...checkCourse(Object.fromEntries(given), options)];
}

function missingDefaults(value: unknown, all: FolderDefaults): [string, Default][] {
  const own = new Set(isObject(value) ? Object.keys(value) : []);
  const isOwned = hasProvider(own);
  return [...all].filter(([name]) => !own.has(name) && !(isOwned && PROVIDER_KEYS.includes(name)));
}

function hasProvider(names: { readonly has: (name: string) => boolean }): boolean {
  return PROVIDER_KEYS.some((name) => names.has(name));
}

function valuesOf(defaults: readonly [string, Default][]): PlainObject {
  return Object.fromEntries(defaults.map(([name, { value }]) => [name, value]));
}
