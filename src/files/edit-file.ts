/** Edits a file in place. */
import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { writeError, writeFileAtomically } from "../base/atomic-write.ts";
import { CatalogError } from "../base/errors.ts";
import type { PlainObject } from "../base/values.ts";
import { courseTest } from "../course/is-course.ts";
import { type SourceCourse, writtenValue } from "./course-file.ts";
import { decode, type FoundFile, readBytes } from "./decode.ts";
import { CHANGED, editCourses, type Refusal } from "./edit.ts";
import { formatOf, type SourceFormat } from "./parse.ts";
import { LineIndex } from "./position.ts";

/** How an edit is done and reported. */
export interface EditOptions {
  /** What is to be written, for messages: `the changed fields`. */
  readonly what: string;
  /** What the user can do if it cannot be written. */
  readonly advice: string;
  /** The same if the file has changed. */
  readonly adviceIfChanged: string;
  /** Whether everything is done except writing. */
  readonly dryRun: boolean;
}

/** Changes a source text, or explains why it cannot be changed. */
export type EditText = (
  text: string,
  format: SourceFormat,
) => Promise<{ readonly text: string } | Refusal>;

/**
 * Changes the text of a file, which keeps its mode, owner and byte order mark; a link is followed.
 */
export async function rewriteFile(
  file: FoundFile,
  edit: EditText,
  options: EditOptions,
): Promise<void> {
  const bytes = readBytes(file);
  const { text, problem } = decode(bytes);
  const edited = problem === undefined ? await edit(text, formatOf(file.path)) : CHANGED;
  if ("reason" in edited) throw refused(file.name, text, edited, options);
  if (edited.text === text || options.dryRun) return;
  const mark = bytes.length > Buffer.byteLength(text) ? "\ufeff" : "";
  await write(file, bytes, mark + edited.text, options);
}

async function write(
  file: FoundFile,
  before: Buffer,
  content: string,
  options: EditOptions,
): Promise<void> {
  const { name, path } = file;
  const { advice } = options;
  try {
    // A name such as /dev/fd/3 would be appended to instead of replaced.
    const real = await realpath(path);
    // A write-protected file could be replaced by a rename.
    await access(real, constants.W_OK);
    // The last moment at which an editor can have saved the file.
    if (!readBytes(file).equals(before)) throw refused(name, "", CHANGED, options);
    await writeFileAtomically(real, content, { name });
  } catch (cause) {
    const error = writeError(name, cause);
    throw error.with({ advice, ...error.facts });
  }
}

function refused(
  name: string,
  text: string,
  refusal: Refusal,
  { what, advice, adviceIfChanged }: EditOptions,
): CatalogError {
  const { line, column } =
    refusal.span === undefined ? {} : new LineIndex(text).range(refusal.span);
  return new CatalogError("output", `cannot write ${what} into ${name}: ${refusal.reason}`, {
    file: name,
    line,
    column,
    advice: refusal === CHANGED ? adviceIfChanged : advice,
  });
}

/** A course of a file, and what the file is to contain instead. */
export interface Replacement {
  readonly source: SourceCourse;
  readonly wanted: PlainObject;
}

const NOT_A_COURSE: Refusal = { reason: "what it contains is not a course" };

/** The edit of a file that replaces courses of it, all of them or none. */
export function replaceCourses(replacements: readonly Replacement[]): EditText {
  return async (text, format) =>
    await editCourses(text, format, (courses) => {
      const desired = [...courses];
      const isCourse = courseTest(courses, replacements[0]?.source.file.isTable);
      for (const { source, wanted } of replacements) {
        const present = courses[source.index];
        if (!isDeepStrictEqual(present, writtenValue(source))) return CHANGED;
        if (!isCourse(present)) return NOT_A_COURSE;
        desired[source.index] = wanted;
      }
      return desired;
    });
}
