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

const NONE: FolderDefaults = new Map();
/** The two names of a course's provider: a course that has one needs no default for the other. */
const PROVIDER_KEYS: readonly string[] = ["provider_id", PROVIDER_KEY];
const DEFAULT_FIELDS: ReadonlySet<string> = new Set(
  COURSE_SHAPE.keys
    .filter(({ name, readOnly }) => !readOnly && !WITHOUT_DEFAULT.includes(name))
    .map(({ name }) => name),
);

/** Remembers problems of default values, so that each is reported once and not for each course. */
export class ReportedProblems {
  readonly #reported = new Set<string>();

  /** Whether a problem is about the course itself, or about a default value and not yet reported. */
  isNew({ defaults }: SourceCourse, problem: Problem): boolean {
    const source = defaults?.get(String(problem.path[0]));
    return source === undefined || this.add(source, problem);
  }

  /** @returns whether the problem was not yet reported */
  add({ file }: SourceCourse, { rule, path, message }: Problem): boolean {
    const before = this.#reported.size;
    return this.#reported.add(JSON.stringify([file, rule, path, message])).size > before;
  }
}

/** Reads the defaults files of folders, each once. */
export class Defaults {
  readonly #reader: Reader;
  readonly #byFolder = new Map<string, Promise<FolderDefaults>>();
  #diagnostics: Diagnostic[] = [];
  readonly reported = new ReportedProblems();
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

  /** The default values for a course file that does not exist yet. @param path absolute */
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
    const known = this.#byFolder.get(folder);
    if (known !== undefined) return known;
    const found = this.#read(folder);
    this.#byFolder.set(folder, found);
    return found;
  }

  async #read(folder: string): Promise<FolderDefaults> {
    const [, parent] = foldersAbove(folder, this.#reader.folder);
    const inherited = parent === undefined ? NONE : await this.#of(parent);
    const all = new Map(inherited);
    for (const path of DEFAULTS_FILES.map((name) => join(folder, name))) {
      const name = relative(this.#reader.folder, path);
      const own = await this.#readFile({ name, path, isNamed: true });
      if (PROVIDER_KEYS.some((name) => own.has(name))) {
        for (const name of PROVIDER_KEYS) all.delete(name);
      }
      for (const [name, found] of own) all.set(name, found);
    }
    return all;
  }

  async #readFile(file: FoundFile): Promise<FolderDefaults> {
    const read = await this.#loadFile(file).catch(asCatalogError);
    if (read === undefined) return NONE;
    this.names.push(file.name);
    if (read instanceof CatalogError) {
      // A defaults file may contain only comments.
      if (read.facts.rule !== "no-course") this.#diagnostics.push(unreadDiagnostic(read));
      return NONE;
    }
    this.#diagnostics.push(...read.problems);
    const [source, ...others] = read.courses;
    if (source === undefined) return NONE;
    for (const problem of problemsOf(source.value, others.length)) {
      this.reported.add(source, problem);
      this.#diagnostics.push(await placeProblem(source, problem));
    }
    if (!isObject(source.value)) return NONE;
    const fields = Object.entries(source.value).filter(([name]) => DEFAULT_FIELDS.has(name));
    return new Map(fields.map(([name, value]) => [name, { value, source }]));
  }

  async #loadFile(file: FoundFile): Promise<SourceFile | undefined> {
    const content = readFolderFile(file, this.#reader);
    return content && (await loadCourseFile(file, {}, content));
  }
}

function problemsOf(value: unknown, others: number): Problem[] {
  const facts = { rule: "not-a-course", severity: "error", at: "value", path: [] } as const;
  if (others > 0 || !isObject(value)) {
    return [
      { ...facts, message: "defaults must be fields of one course: write name: value lines" },
    ];
  }
  const names = Object.keys(value).filter((name) => WITHOUT_DEFAULT.includes(name));
  const unique = names.map((name): Problem => {
    const message = `${name} cannot have a default value, because each course has a different one`;
    return { rule: "unknown-key", severity: "error", at: "key", path: [name], message };
  });
  const given = Object.fromEntries(
    Object.entries(value).filter(
      ([name]) => !WITHOUT_DEFAULT.includes(name) && !isPrivateKey(name),
    ),
  );
  return [...unique, ...checkCourse(given, { mode: "patch", most: MAX_FINDINGS })];
}

function missingDefaults(value: unknown, all: FolderDefaults): [string, Default][] {
  const course = isObject(value) ? value : {};
  const hasProvider = PROVIDER_KEYS.some((name) => Object.hasOwn(course, name));
  return [...all].filter(
    ([name]) => !Object.hasOwn(course, name) && !(hasProvider && PROVIDER_KEYS.includes(name)),
  );
}

function valuesOf(defaults: readonly [string, Default][]): PlainObject {
  return Object.fromEntries(defaults.map(([name, { value }]) => [name, value]));
}
