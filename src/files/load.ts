/** Loads course files: finds, reads, parses and validates one file after another. */
import { yieldToEventLoop } from "../base/async.ts";
import { asCatalogError, CatalogError, unreadError } from "../base/errors.ts";
import { STANDARD_INPUT } from "../base/io.ts";
import { isObject, valueAt } from "../base/values.ts";
import { UniqueValues } from "../course/field-names.ts";
import type { Severity } from "../course/problem.ts";
import {
  courseTest,
  loadCourseFile,
  loadCourseStream,
  type SourceCourse,
  type SourceFile,
} from "./course-file.ts";
import { Defaults } from "./defaults.ts";
import { type Diagnostic, unreadDiagnostic } from "./diagnostic.ts";
import { findSources, NOT_READ, type SourceOptions } from "./find.ts";
import { type EarlierFiles, type ValidationOptions, validateFile } from "./validate.ts";

export interface LoadOptions extends SourceOptions, ValidationOptions {
  /** The severity of entries that look like course files and are not read; by default, a warning. */
  readonly unread?: Severity;
  /** Receives, from time to time, how many of the files have been read. */
  readonly onProgress?: (state: { readonly done: number; readonly of: number }) => void;
  /** Changes each course before it is validated, as flags do. */
  readonly amend?: (course: unknown) => unknown;
}

export interface CourseFile extends SourceFile {
  /** The problems, sorted by position; a file that cannot be read has one, at its start. */
  readonly diagnostics: readonly Diagnostic[];
  /** Why the file could not be read, or that it has no course. */
  readonly failure?: CatalogError;
  /** Whether this is an entry of a folder that is not read, and does not count as a file. */
  readonly isLeftOut?: true;
}

type Source = Awaited<ReturnType<typeof findSources>>[number];

/** How many files are loaded before signals and progress are handled. */
const FILES_PER_TURN = 16;

/**
 * Yields every course file of the paths, in the order of the paths; `-` is standard input. Only the ids, keys and urls
 * of earlier files are remembered, so that ten thousand files need no more memory than the largest file.
 */
export async function* loadCourses(
  paths: readonly string[],
  options: LoadOptions,
): AsyncGenerator<CourseFile, void> {
  const state: EarlierFiles = {
    values: new UniqueValues(),
    defaults: new Defaults(options),
  };
  const sources = await findSources(paths, options);
  let isFound = false;
  for (const [index, source] of sources.entries()) {
    if (index % FILES_PER_TURN === 0) {
      options.onProgress?.({ done: index, of: sources.length });
      await yieldToEventLoop();
    }
    const file = await loadFile(source, state, options);
    isFound ||= file.courses.length > 0 || file.diagnostics.length > 0;
    yield file;
  }
  // Files without problems and without courses have objects of other programs.
  if (isFound || sources.length === 0 || options.mode === "syntax") return;
  const [name = ""] = paths;
  const advice = "Write a course into a file. For a template: catalog courses init intro.yaml";
  yield unreadFile(unreadError(name, "no-course", `${name} contains no course`, advice), options);
}

/** Reads, amends and validates a file. */
async function loadFile(
  source: Source,
  state: EarlierFiles,
  options: LoadOptions,
): Promise<CourseFile> {
  try {
    const file = amend(await readSource(source, state.defaults, options), options);
    const notices = [...file.notices, ...howToBegin(file, options)];
    return { ...file, notices, diagnostics: await validateFile(file, state, options) };
  } catch (error) {
    return unreadFile(asCatalogError(error), options);
  }
}

/** What helps with a file that was named, and so is meant as courses, but has hardly a field of one. */
function howToBegin({ name, isNamed, courses, isTable }: SourceFile, { mode }: LoadOptions) {
  const isCourse = courseTest(
    courses.map(({ value }) => value),
    isTable,
  );
  const hasObject = courses.some(({ value }) => isObject(value));
  const isStart = isNamed && mode !== "syntax" && hasObject;
  if (!isStart || courses.some(({ value }) => isCourse(value))) return [];
  return [`${name}: to begin with a template: catalog courses init intro.yaml`];
}

async function readSource(
  source: Source,
  defaults: Defaults,
  options: LoadOptions,
): Promise<SourceFile> {
  if (source instanceof CatalogError) throw source;
  if (source === STANDARD_INPUT) return await loadCourseStream(options.input.stream, options);
  const onlyBeside = options.mode === "patch" || options.mode === "syntax";
  return await defaults.fill(await loadCourseFile(source, options), source.path, { onlyBeside });
}

/** The result for a file or an entry that is not read. */
function unreadFile(failure: CatalogError, { unread = "warning" }: LoadOptions): CourseFile {
  const diagnostic = unreadDiagnostic(failure);
  const isLeftOut = failure.facts.rule === NOT_READ;
  return {
    name: diagnostic.file,
    courses: [],
    problems: [],
    isEditable: true,
    isNamed: true,
    notices: [],
    diagnostics: [isLeftOut ? { ...diagnostic, severity: unread } : diagnostic],
    ...(isLeftOut ? { isLeftOut } : { failure }),
  };
}

/** Changes courses as flags do. In a partial update, courses of a table also get the `parts` of their cells. */
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
    return value === course.value && parts.length === 0 ? course : { ...course, value, parts };
  });
  return { ...file, courses };
}
