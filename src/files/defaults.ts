/**
 * Fills fields that are missing from course files. With `pace: self_paced` in `courses/catalog.defaults.yaml`, a course
 * in `courses/knitting.yaml` without `pace` is self-paced. The nearest folder wins, field by field.
 */
import { dirname, join, relative, resolve } from "node:path";
import { asCatalogError } from "../base/errors.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { COURSE_SHAPE } from "../course/fields.ts";
import { type Problem, problemAt, wholeProblem } from "../course/problem.ts";
import { PROVIDER_KEYS, WITHOUT_DEFAULT } from "../course/special-fields.ts";
import { type CourseFile, parseCourseFile, type SourceCourse, unreadFile } from "./course-file.ts";
import type { FindPlace } from "./diagnostic.ts";
import { DEFAULTS_FILES, foldersAbove, type Reader, readFolderFile } from "./find.ts";

/** Reads the defaults files of folders, each once. */
export class Defaults {
  readonly #reader: Reader;
  readonly #byFolder = new Map<string, SourceCourse | undefined>();
  /** The defaults files that were read. */
  readonly files: CourseFile[] = [];

  /** @param reader has the folder to which names in messages are relative */
  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Fills the fields that are missing from the courses of a file. @param path of the file, absolute */
  async fill(file: CourseFile, path: string): Promise<CourseFile> {
    const defaults = await this.#of(dirname(path));
    if (defaults === undefined) return file;
    return { ...file, courses: file.courses.map((course) => fillCourse(course, defaults)) };
  }

  /**
   * The default values for a course file, which need not exist.
   *
   * @param path absolute
   * @param other the path of another file, for which values from the same defaults files are left out
   */
  async valuesFor(path: string, other?: string): Promise<PlainObject> {
    const { folder } = this.#reader;
    const own = await this.#of(dirname(path));
    const shared = other === undefined ? [] : foldersAbove(dirname(other), folder);
    const isShared = (name: string): boolean =>
      shared.includes(dirname(resolve(folder, (own?.defaults?.get(name) ?? own)?.file ?? "")));
    return Object.fromEntries(defaultEntries(own).filter(([name]) => !isShared(name)));
  }

  async #of(folder: string): Promise<SourceCourse | undefined> {
    if (this.#byFolder.has(folder)) return this.#byFolder.get(folder);
    const [, parent] = foldersAbove(folder, this.#reader.folder);
    let all = parent === undefined ? undefined : await this.#of(parent);
    for (const name of DEFAULTS_FILES) {
      const own = await this.#readFile(join(folder, name));
      if (own !== undefined) all = fillCourse(own, all);
    }
    this.#byFolder.set(folder, all);
    return all;
  }

  async #readFile(path: string): Promise<SourceCourse | undefined> {
    const found = { name: relative(this.#reader.folder, path), path, isNamed: true };
    try {
      const bytes = readFolderFile(found, this.#reader);
      if (bytes === undefined) return undefined;
      const file = await parseCourseFile(found, bytes);
      this.files.push({ ...file, isNamed: false, isLeftOut: true });
      return file.courses[0];
    } catch (thrown) {
      const error = asCatalogError(thrown);
      // A defaults file may contain only comments.
      if (error.facts.rule !== "no-course") this.files.push(unreadFile(error));
      return undefined;
    }
  }
}

/** The problems of a defaults file, in which each value is read like a course. */
export function checkDefaults({ value, index }: SourceCourse): Problem[] {
  if (index > 0 || !isObject(value)) {
    const message = "defaults must be fields of one course: write name: value lines";
    return [wholeProblem("not-a-course", message)];
  }
  const unique = WITHOUT_DEFAULT.filter((name) => Object.hasOwn(value, name));
  const text = "cannot have a default value, because each course has a different one";
  const found = checkCourse(value, "patch");
  return [
    ...unique.map((name) => problemAt([name], "unknown-field", text, { at: "key" })),
    ...found.filter(({ path }) => !unique.includes(String(path[0]))),
  ];
}

function defaultEntries(defaults: SourceCourse | undefined): [string, unknown][] {
  const isDefault = ([name]: [string, unknown]): boolean => {
    const key = COURSE_SHAPE.byName.get(name);
    return key !== undefined && !key.readOnly && !WITHOUT_DEFAULT.includes(name);
  };
  return isObject(defaults?.value) ? Object.entries(defaults.value).filter(isDefault) : [];
}

/** A course, or the defaults of a folder, with the defaults for the fields that it does not have. */
function fillCourse(course: SourceCourse, from: SourceCourse | undefined): SourceCourse {
  const { value: own } = course;
  if (from === undefined || !isObject(own)) return course;
  // A course that names its provider needs no other name of it.
  const names = PROVIDER_KEYS.some((name) => Object.hasOwn(own, name)) ? PROVIDER_KEYS : [];
  const missing = defaultEntries(from).filter(
    ([name]) => !Object.hasOwn(own, name) && !names.includes(name),
  );
  if (missing.length === 0) return course;
  const defaults = new Map(missing.map(([name]) => [name, from.defaults?.get(name) ?? from]));
  // The place of a default value is in its own file.
  const place: FindPlace = (path, at) => (defaults.get(String(path[0])) ?? course).place(path, at);
  return { ...course, value: { ...own, ...Object.fromEntries(missing) }, place, defaults };
}
