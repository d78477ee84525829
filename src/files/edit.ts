/** Edits courses in the text of a file: only values that differ change, and every other byte stays. */
import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { type WriteOptions, writeError, writeFileAtomically } from "../base/atomic-write.ts";
import { CatalogError } from "../base/errors.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { courseTest } from "../course/is-course.ts";
import { type SourceCourse, writtenValue } from "./course-file.ts";
import { addColumns, cellEdits } from "./csv.ts";
import { decode, type FoundFile, readBytes } from "./decode.ts";
import { formatOf, parseAs, type SourceFormat } from "./parse.ts";
import { findCourses, type Parsed, type ParsedCourse } from "./parsed.ts";
import { LineIndex, type PlacedNode, type Span } from "./position.ts";
import { applyEdits, type TextEdit } from "./text-edit.ts";
import { valueEdits } from "./value-edits.ts";

/** Why a source text cannot be edited. */
export interface Refusal {
  /** A clause without a full stop. */
  readonly reason: string;
  /** The place of the cause, if it is one. */
  readonly span?: Span;
}

/** The refusal of a source text that is not what it was when it was read. */
export const CHANGED: Refusal = { reason: "it has changed since it was read" };

/** The refusal of workbooks, and of tables in other encodings. */
const NO_TEXT: Refusal = { reason: "it is not a text in UTF-8" };

const NOT_POSSIBLE = "a course in it is written in a way that cannot be edited";
const NO_COLUMN = "it has no column for a value, or the value does not fit into its cell";
const IS_ALIAS = "a course in it is an alias of another value";
const IS_REPEATED = "another course in it would change, too";

/** The courses that a source text is to contain, by the courses that it contains. */
export type ChangeCourses = (courses: readonly unknown[]) => readonly unknown[] | Refusal;

/** Rounds of edits: more than an object has keys, because one place takes one insertion each time. */
const MOST_ROUNDS = 60;

/**
 * Edits a source text so that it contains other courses; their number and order stay the same. The result
 * has been parsed, and contains exactly the courses that `change` returns.
 */
export async function editCourses(
  original: string,
  format: SourceFormat,
  change: ChangeCourses,
): Promise<{ readonly text: string } | Refusal> {
  const before = await parseAs(format, original);
  if (before.problems.length > 0) return CHANGED;
  const desired = change(findCourses(before).map(({ value }) => value));
  if (!isList(desired)) return desired;
  const changed = new Set(findDifferent(before, desired).map(({ index }) => index));
  const refuse = async (reason: string, index?: number): Promise<Refusal> => {
    const course = index === undefined ? undefined : findCourses(before)[index];
    const place = course && (await before.positions()).place(course);
    return place === undefined ? { reason } : { reason, span: place.span };
  };
  let text = widenTable(original, format, before, desired);
  let parsed = text === original ? before : await parseAs(format, text);
  let cause: Parameters<typeof refuse> = [NOT_POSSIBLE];
  // Again until nothing differs: aliases change with their anchors, and some edits exclude each other.
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (parsed.problems.length > 0 || findCourses(parsed).length !== desired.length) break;
    const different = findDifferent(parsed, desired);
    if (different.length === 0) return { text };
    const positions = await parsed.positions();
    const edits: TextEdit[] = [];
    for (const { course, index } of different) {
      const values = { old: course.value, desired: desired[index] };
      const place = positions.place(course);
      cause = [reasonFor(place, changed.has(index)), index];
      if (place === undefined || place.isAlias === true || !isObject(values.desired)) {
        return await refuse(...cause);
      }
      const found = place.isRow
        ? cellEdits(text, place, values)
        : valueEdits(text, place, values, format === "yaml" ? "yaml" : "json");
      for (const edit of found) edits.push(edit);
    }
    const edited = applyEdits(text, edits);
    if (edited === text) break;
    text = edited;
    parsed = await parseAs(format, text);
  }
  return await refuse(...cause);
}

/** The courses of a text that are not the desired ones. */
function findDifferent(
  parsed: Parsed,
  desired: readonly unknown[],
): { readonly course: ParsedCourse; readonly index: number }[] {
  return findCourses(parsed).flatMap((course, index) =>
    isDeepStrictEqual(course.value, desired[index]) ? [] : [{ course, index }],
  );
}

/** The text of a table with an empty column for each field that only the desired courses have. */
function widenTable(
  text: string,
  format: SourceFormat,
  { isTable }: Parsed,
  desired: readonly unknown[],
): string {
  if (isTable !== true) return text;
  const fields = desired
    .filter(isObject)
    .flatMap((course) => Object.keys(course).filter((name) => course[name] !== undefined));
  return addColumns(text, format === "tsv" ? "\t" : undefined, new Set(fields));
}

/** Why the course at a place may not be editable. */
function reasonFor(place: PlacedNode | undefined, isChanged: boolean): string {
  if (place?.isAlias === true) return isChanged ? IS_ALIAS : IS_REPEATED;
  return place?.isRow === true ? NO_COLUMN : NOT_POSSIBLE;
}

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

/** An edit, and what writing the file needs. */
export type RewriteOptions = EditOptions & Pick<WriteOptions, "processes" | "cleaned">;

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
  options: RewriteOptions,
): Promise<void> {
  const bytes = readBytes(file);
  const { text, problem } = decode(bytes);
  const edited = problem === undefined ? await edit(text, formatOf(file.path)) : NO_TEXT;
  if ("reason" in edited) throw refused(file.name, text, edited, options);
  if (edited.text === text || options.dryRun) return;
  const mark = bytes.length > Buffer.byteLength(text) ? "\ufeff" : "";
  await write(file, bytes, mark + edited.text, options);
}

async function write(
  file: FoundFile,
  before: Buffer,
  content: string,
  options: RewriteOptions,
): Promise<void> {
  const { name, path } = file;
  const { advice, processes, cleaned } = options;
  try {
    // A name such as /dev/fd/3 would be appended to instead of replaced.
    const real = await realpath(path);
    // A write-protected file could be replaced by a rename.
    await access(real, constants.W_OK);
    // The last moment at which an editor can have saved the file.
    if (!readBytes(file).equals(before)) throw refused(name, "", CHANGED, options);
    await writeFileAtomically(real, content, { name, processes, cleaned });
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
