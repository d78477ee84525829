/**
 * Fills fields that are missing from course files. With `pace: self_paced` in `courses/catalog.defaults.yaml`, a course
 * in `courses/knitting.yaml` without `pace` is self-paced. The nearest folder wins, field by field.
 */
import { dirname, join, relative } from "node:path";
import { asCatalogError } from "../base/errors.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { PROVIDER_KEYS, WITHOUT_DEFAULT } from "../course/field-names.ts";
import { COURSE_SHAPE } from "../course/fields.ts";
import type { Problem } from "../course/problem.ts";
import {
  type CourseFile,
  parseCourseFile,
  type SourceCourse,
  type SourceFile,
  unreadFile,
} from "./course-file.ts";
import { type FindPlace, placeProblem } from "./diagnostic.ts";
import { DEFAULTS_FILES } from "./find.ts";
import { foldersAbove, type Reader, readFolderFile } from "./ignore.ts";
import { MAX_FINDINGS } from "./limits.ts";
import { Findings } from "./validate.ts";

interface Default {
  readonly value: unknown;
  readonly source: SourceCourse;
}

type FolderDefaults = ReadonlyMap<string, Default>;

/** Reads the defaults files of folders, each once. */
export class Defaults {
  readonly #reader: Reader;
  readonly #byFolder = new Map<string, Promise<FolderDefaults>>();
  /** The problems that were reported, of which each course would have another one. */
  readonly reported = new Set<string>();
  /** The defaults files that were read, with their problems. */
  readonly files: CourseFile[] = [];

  /** @param reader has the folder to which names in messages are relative */
  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Fills the fields that are missing from the courses of a file. @param path of the file, absolute */
  async fill(file: SourceFile, path: string): Promise<SourceFile> {
    const all = await this.#of(dirname(path));
    if (all.size === 0) return file;
    const courses = file.courses.map((course): SourceCourse => {
      if (!isObject(course.value)) return course;
      const missing = withoutOwn(all, Object.keys(course.value));
      const defaults = new Map([...missing].map(([name, { source }]) => [name, source]));
      const value = { ...course.value, ...valuesOf(missing) };
      // The place of a default value is in its own file.
      const place: FindPlace = (path, at) =>
        (defaults.get(String(path[0])) ?? course).place(path, at);
      return { ...course, value, place, defaults };
    });
    return { ...file, courses };
  }

  /** The default values for a course file, which need not exist. @param path absolute */
  async valuesFor(path: string): Promise<PlainObject> {
    return valuesOf(await this.#of(dirname(path)));
  }

  #of(folder: string): Promise<FolderDefaults> {
    const found = this.#byFolder.get(folder) ?? this.#read(folder);
    this.#byFolder.set(folder, found);
    return found;
  }

  async #read(folder: string): Promise<FolderDefaults> {
    const [, parent] = foldersAbove(folder, this.#reader.folder);
    let all: FolderDefaults = parent === undefined ? new Map() : await this.#of(parent);
    for (const name of DEFAULTS_FILES) {
      const own = await this.#readFile(join(folder, name));
      all = new Map([...withoutOwn(all, [...own.keys()]), ...own]);
    }
    return all;
  }

  async #readFile(path: string): Promise<FolderDefaults> {
    const name = relative(this.#reader.folder, path);
    const found = { name, path, isNamed: true };
    try {
      const bytes = readFolderFile(found, this.#reader);
      if (bytes === undefined) return new Map();
      const { courses, ...file } = await parseCourseFile(found, bytes);
      const diagnostics = [...file.problems];
      this.files.push({ ...file, courses: [], diagnostics, isLeftOut: true });
      const [source] = courses;
      if (source === undefined) return new Map();
      const value = courses.length === 1 && isObject(source.value) ? source.value : undefined;
      const all = Object.entries(value ?? {});
      const findings = new Findings(undefined, this.reported);
      const problems = value === undefined ? [NOT_FIELDS] : problemsOf(value);
      for (const problem of findings.add(
        problems,
        new Map(all.map(([field]) => [field, source])),
      )) {
        diagnostics.push(await placeProblem(source, problem));
      }
      const given = all.filter(([field]) => DEFAULT_FIELDS.has(field));
      return new Map(given.map(([field, each]) => [field, { value: each, source }]));
    } catch (thrown) {
      const error = asCatalogError(thrown);
      // A defaults file may contain only comments.
      if (error.facts.rule === "no-course") return new Map();
      this.files.push({ ...unreadFile(error), failure: undefined, isLeftOut: true });
      return new Map();
    }
  }
}

const DEFAULT_FIELDS: ReadonlySet<string> = new Set(
  COURSE_SHAPE.keys
    .filter(({ name, readOnly }) => !readOnly && !WITHOUT_DEFAULT.includes(name))
    .map(({ name }) => name),
);

const NOT_FIELDS: Problem = {
  rule: "not-a-course",
  severity: "error",
  at: "value",
  path: [],
  message: "defaults must be fields of one course: write name: value lines",
};

function problemsOf(fields: PlainObject): Problem[] {
  const isUnique = (name: unknown): boolean => WITHOUT_DEFAULT.some((each) => each === name);
  const unique = Object.keys(fields)
    .filter(isUnique)
    .map((name): Problem => {
      const message = `${name} cannot have a default value, because each course has a different one`;
      return { rule: "unknown-key", severity: "error", at: "key", path: [name], message };
    });
  const found = checkCourse(fields, { mode: "patch", most: MAX_FINDINGS });
  return [...unique, ...found.filter(({ path }) => !isUnique(path[0]))];
}

/** The defaults for the fields that an object does not have. One that names its provider needs no other name of it. */
function withoutOwn(all: FolderDefaults, own: readonly string[]): FolderDefaults {
  const hasProvider = PROVIDER_KEYS.some((name) => own.includes(name));
  const isOwn = (name: string): boolean =>
    own.includes(name) || (hasProvider && PROVIDER_KEYS.includes(name));
  return new Map([...all].filter(([name]) => !isOwn(name)));
}

function valuesOf(defaults: FolderDefaults): PlainObject {
  return Object.fromEntries([...defaults].map(([name, { value }]) => [name, value]));
}
