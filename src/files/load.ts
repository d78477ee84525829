/** Loads course files: finds, reads, parses and validates one file after another. */
import type { Readable } from "node:stream";
import { yieldToEventLoop } from "../base/async.ts";
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { valueAt } from "../base/values.ts";
import { UniqueValues } from "../course/field-names.ts";
import type { Severity } from "../course/problem.ts";
import {
  type CourseFile,
  noCourse,
  parseCourseFile,
  type SourceCourse,
  type SourceFile,
  unreadFile,
} from "./course-file.ts";
import { type FoundFile, readSource } from "./decode.ts";
import { Defaults } from "./defaults.ts";
import { type FindOptions, findSources } from "./find.ts";
import type { TableOptions } from "./parse.ts";
import { type EarlierFiles, type ValidationOptions, validateFile } from "./validate.ts";

export interface LoadOptions extends FindOptions, TableOptions, ValidationOptions {
  /** What the path `-` reads. */
  readonly input: { readonly stream: Readable };
  /** The severity of entries that look like course files and are not read; by default, a warning. */
  readonly unread?: Severity;
  /** Receives, from time to time, how many of the files have been read. */
  readonly onProgress?: (state: { readonly done: number; readonly of: number }) => void;
  /** Changes each course before it is validated, as flags do. */
  readonly amend?: (course: unknown) => unknown;
}

/** How many files are loaded before signals and progress are handled. */
const FILES_PER_TURN = 16;

/**
 * Yields every course file of the paths, in the order of the paths, and each defaults file before the first file that
 * it fills; `-` is standard input. Only the ids, keys and urls of earlier files are remembered, so that ten thousand
 * files need no more memory than the largest file.
 */
export async function* loadCourses(
  paths: readonly string[],
  options: LoadOptions,
): AsyncGenerator<CourseFile, void> {
  const defaults = new Defaults(options);
  const earlier: EarlierFiles = { values: new UniqueValues(), reported: defaults.reported };
  const sources = await findSources(paths, options);
  let isFound = paths.length === 0 || options.mode === "syntax";
  for (const [index, source] of sources.entries()) {
    if (index % FILES_PER_TURN === 0) {
      options.onProgress?.({ done: index, of: sources.length });
      await yieldToEventLoop();
    }
    const file = await loadFile(source, earlier, defaults, options);
    isFound ||= file.courses.length > 0 || file.diagnostics.length > 0;
    yield* defaults.files.splice(0);
    yield file;
  }
  // Files without problems and without courses have objects of other programs.
  if (!isFound) yield unreadFile(noCourse(paths[0] ?? ""));
}

/** Reads, amends and validates a file. */
async function loadFile(
  source: FoundFile | CatalogError,
  earlier: EarlierFiles,
  defaults: Defaults,
  options: LoadOptions,
): Promise<CourseFile> {
  const { mode, unread } = options;
  try {
    if (source instanceof CatalogError) throw source;
    const bytes = await readSource(source, options.input.stream);
    const written = await parseCourseFile(source, bytes, options);
    // A partial file leaves out what does not change.
    const isComplete = mode !== "patch" && source.path !== "";
    const file = amend(isComplete ? await defaults.fill(written, source.path) : written, options);
    const notices = [...file.notices];
    if (file.isNamed && !file.hasCourse && file.courses.length > 0 && mode !== "syntax") {
      notices.push(`${file.name}: to begin with a template: catalog courses init intro.yaml`);
    }
    return { ...file, notices, diagnostics: await validateFile(file, earlier, options) };
  } catch (error) {
    return unreadFile(asCatalogError(error), unread);
  }
}

/** Changes courses as flags do. In a partial update, cells that are only parts of a field are also the course's `parts`. */
function amend(file: SourceFile, { amend: change, mode }: LoadOptions): SourceFile {
  const inside = mode === "patch" ? (file.columns ?? []).filter(({ length }) => length > 1) : [];
  if (change === undefined && inside.length === 0) return file;
  const courses = file.courses.map((course): SourceCourse => {
    const value = change === undefined ? course.value : change(course.value);
    const parts = inside.flatMap((path) => {
      const part = valueAt(course.value, path);
      const field = path.slice(0, 1);
      // A flag that replaces a field also replaces all parts of the field.
      const isReplaced = valueAt(value, field) !== valueAt(course.value, field);
      return part === undefined || isReplaced ? [] : [{ path, value: part }];
    });
    // V8 gives the result of each spread another hidden class, which costs memory.
    if (value === course.value && parts.length === 0) return course;
    return { ...course, value, parts };
  });
  return { ...file, courses };
}
