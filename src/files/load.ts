/** Loads course files: finds, reads, parses and validates them, file after file. */
import { yieldToEventLoop } from "../base/async.ts";
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { STANDARD_INPUT } from "../base/io.ts";
import { valueAt } from "../base/values.ts";
import { UniqueValues } from "../course/field-names.ts";
import type { Severity } from "../course/problem.ts";
import {
  loadCourseFile,
  loadCourseStream,
  type SourceCourse,
  type SourceFile,
} from "./course-file.ts";
import { Defaults } from "./defaults.ts";
import { type Diagnostic, leftOutDiagnostic, unreadDiagnostic } from "./diagnostic.ts";
import { findSources, type SourceOptions, type UnreadEntry } from "./find.ts";
import { LineIndex } from "./position.ts";
import { type EarlierFiles, type ValidationOptions, validateFile } from "./validate.ts";

/** What to load, and how to validate it. */
export interface LoadOptions extends SourceOptions, ValidationOptions {
  /** How entries that look like course files and are not read are reported; by default as warnings. */
  readonly unread?: Severity;
  /** Receives how many of the files were read, from time to time. */
  readonly onProgress?: (state: { readonly done: number; readonly of: number }) => void;
  /** Changes each course before it is validated, as flags do. */
  readonly amend?: (course: unknown) => unknown;
}

/** A file that was loaded, or could not be. */
export interface LoadedFile extends SourceFile {
  /** Sorted by position; a file that cannot be read has one at its beginning. */
  readonly diagnostics: readonly Diagnostic[];
  /** Why the file could not be read, or that it is empty. */
  readonly failure?: CatalogError;
  /** Whether it is an entry of a folder that is not read, so that it counts as no file. */
  readonly isLeftOut?: true;
}

/** Signals and progress are served after this many files. */
const FILES_PER_TURN = 16;

/**
 * Yields every course file of the paths, in their order; `-` is standard input. Only the ids,
 * keys and urls of earlier files are remembered, so that ten thousand files need no more memory than the
 * largest.
 */
export async function* loadCourses(
  paths: readonly string[],
  options: LoadOptions,
): AsyncGenerator<LoadedFile, void> {
  const state: EarlierFiles = {
    values: new UniqueValues(),
    defaults: new Defaults(options),
  };
  const sources = await findSources(paths, options);
  for (const [index, source] of sources.entries()) {
    if (index % FILES_PER_TURN === 0) {
      options.onProgress?.({ done: index, of: sources.length });
      await yieldToEventLoop();
    }
    if (source instanceof CatalogError) yield unreadFile(source);
    else if (source === STANDARD_INPUT) {
      yield await loadFile(
        loadCourseStream(options.input.stream, options),
        undefined,
        state,
        options,
      );
    } else if ("reason" in source) yield unreadEntry(source, options);
    else {
      const { mode } = options;
      const filled = loadCourseFile(source, options).then((file) =>
        state.defaults.fill(file, source.path, {
          onlyBeside: mode === "patch" || mode === "syntax",
        }),
      );
      yield await loadFile(filled, () => loadCourseFile(source, options), state, options);
    }
  }
}

/** Amends and validates a file that is read. @param reread undefined for what can only be read once */
async function loadFile(
  read: Promise<SourceFile>,
  reread: (() => Promise<SourceFile>) | undefined,
  state: EarlierFiles,
  options: LoadOptions,
): Promise<LoadedFile> {
  const file = await read.catch(asCatalogError);
  if (file instanceof CatalogError) return unreadFile(file);
  const amended = amend(file, options);
  return {
    ...amended,
    diagnostics: await validateFile(amended, reread ?? (async () => file), state, options),
  };
}

function unreadFile(failure: CatalogError): LoadedFile {
  return { ...emptyFile(unreadDiagnostic(failure)), failure };
}

/** An entry that is left alone: whether the run can go on without it depends only on the severity. */
function unreadEntry(entry: UnreadEntry, { unread }: LoadOptions): LoadedFile {
  const severity = entry.isOther ? "warning" : unread;
  return { ...emptyFile(leftOutDiagnostic(entry, severity)), isLeftOut: true };
}

function emptyFile(diagnostic: Diagnostic): LoadedFile {
  return {
    name: diagnostic.file,
    courses: [],
    problems: [],
    isEditable: true,
    notices: [],
    lines: new LineIndex(""),
    diagnostics: [diagnostic],
  };
}

/** The file with its courses as flags change them, and with the parts of fields that rows of a patch give. */
function amend(file: SourceFile, { amend: change, mode }: LoadOptions): SourceFile {
  const inside = mode === "patch" ? (file.columns ?? []).filter(({ length }) => length > 1) : [];
  if (change === undefined && inside.length === 0) return file;
  const courses = file.courses.map((course): SourceCourse => {
    const value = change === undefined ? course.value : change(course.value);
    const parts = inside.flatMap((path) => {
      const part = valueAt(course.value, path);
      const field = path.slice(0, 1);
      // A field that is replaced has no parts left.
      const isReplaced = valueAt(value, field) !== valueAt(course.value, field);
      return part === undefined || isReplaced ? [] : [{ path, value: part }];
    });
    return { ...course, value, parts };
  });
  return { ...file, courses };
}
