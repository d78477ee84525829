/** Edits courses in the text of a file: in `name: Kniting # draft`, only the value changes, and no other byte. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { writeError, writeFileAtomically } from "../base/atomic-write.ts";
import { CatalogError } from "../base/errors.ts";
import { safeJson } from "../base/text.ts";
import { isList, isObject, type PlainObject, valueAt } from "../base/values.ts";
import { yamlText } from "../base/yaml-text.ts";
import { type SourceCourse, writtenValue } from "./course-file.ts";
import { editTable } from "./csv.ts";
import { decode, type FoundFile, readBytes } from "./decode.ts";
import { appendItems, type Editor, type Extent, objectEdits } from "./edit-values.ts";
import { formatOf, parseAs, type SourceFormat } from "./parse.ts";
import { findCourses, type Parsed } from "./parsed.ts";
import { applyEdits, LineIndex, type Span, type TextEdit } from "./position.ts";

export interface Refusal {
  /** A clause without a full stop. */
  readonly reason: string;
  /** The position of the cause, if there is one. */
  readonly span?: Span;
}

/** The refusal of a text that is not what it was when it was read. */
export const CHANGED: Refusal = { reason: "the file has changed since catalog read it" };

/** The refusal of workbooks, and of tables in other encodings. */
const NO_TEXT: Refusal = { reason: "the file is not UTF-8 text" };

const NOT_POSSIBLE = "catalog cannot edit a course in this layout";
const NO_LIST: Refusal = { reason: "it has no place for a new course, or for one of its values" };
const NO_COLUMN: Refusal = {
  reason: "the table has no column for a value, or the value does not fit into its cell",
};
const IS_ALIAS = "an alias repeats this course";

/** Decides, from the courses that a text contains, which courses the text should contain instead. */
type ChangeCourses = (courses: readonly unknown[]) => readonly unknown[] | Refusal;

/** What is tried for fields that differ, in order. */
const EXTENTS: readonly Extent[] = ["parts", "aliases", "field", "line"];

/**
 * Edits a text so that it contains other courses: as many in the same order, then new ones. The result has been parsed,
 * and contains exactly the courses that `change` returns.
 */
export async function editCourses(
  original: string,
  format: SourceFormat,
  change: ChangeCourses,
): Promise<{ readonly text: string } | Refusal> {
  const before = await readState(original, format);
  if (before.parsed.problems.length > 0) return CHANGED;
  const desired = change(before.courses);
  if (!isList(desired)) return desired;
  const kept = desired.slice(0, before.courses.length);
  if (before.parsed.isTable === true) {
    const text = editTable(original, format === "tsv" ? "\t" : undefined, desired);
    const { courses } = await readState(text, format);
    return isDeepStrictEqual(courses, desired) ? { text } : NO_COLUMN;
  }
  let state = before;
  for (const extent of EXTENTS) {
    state = await makeEdits(state, findDifferences(state, kept), { desired: kept, extent });
  }
  const [refused] = findDifferences(state, kept);
  if (refused !== undefined) {
    const course = findCourses(before.parsed)[refused.index];
    const place = course && (await before.parsed.place(course));
    const reason = place?.isAlias === true ? IS_ALIAS : NOT_POSSIBLE;
    return place === undefined ? { reason } : { reason, span: place.span };
  }
  const added = desired.slice(kept.length);
  const text = added.length === 0 ? state.text : await appendCourses(state, added);
  const after = text === undefined || text === state.text ? state : await readState(text, format);
  return isDeepStrictEqual(after.courses, desired) ? { text: after.text } : NO_LIST;
}

/** A text and its courses. */
interface State {
  readonly text: string;
  readonly format: SourceFormat;
  readonly parsed: Parsed;
  readonly courses: readonly unknown[];
}

async function readState(text: string, format: SourceFormat): Promise<State> {
  const parsed = await parseAs(format, text);
  const courses = parsed.problems.length > 0 ? [] : findCourses(parsed).map(({ value }) => value);
  return { text, format, parsed, courses };
}

/** A field of a course that does not have the desired value. */
interface Difference {
  readonly index: number;
  readonly field: string;
}

function findDifferences({ courses }: State, desired: readonly unknown[]): Difference[] {
  return desired.flatMap((wanted, index) => {
    const course = courses[index];
    if (!isObject(wanted) || !isObject(course)) return [];
    const fields = new Set([...Object.keys(course), ...Object.keys(wanted)]);
    return [...fields]
      .filter((field) => !isDeepStrictEqual(course[field], wanted[field]))
      .map((field) => ({ index, field }));
  });
}

/** How edits are made: the desired courses, and how much of a field may be written again. */
interface Editing {
  readonly desired: readonly unknown[];
  readonly extent: Extent;
}

/** Makes the edits that the layout allows: all of them at once or, if some fail, each half by itself. */
async function makeEdits(
  state: State,
  differences: readonly Difference[],
  editing: Editing,
): Promise<State> {
  if (differences.length === 0) return state;
  const text = applyEdits(state.text, await findEdits(state, differences, editing));
  const next = text === state.text ? state : await readState(text, state.format);
  const isDone = ({ index, field }: Difference): boolean => {
    const [course, wanted] = [next.courses[index], editing.desired[index]];
    return isDeepStrictEqual(valueAt(course, [field]), valueAt(wanted, [field]));
  };
  if (next.courses.length === state.courses.length && differences.every(isDone)) return next;
  if (differences.length === 1) return state;
  const middle = differences.length >> 1;
  const first = await makeEdits(state, differences.slice(0, middle), editing);
  return await makeEdits(first, differences.slice(middle), editing);
}

async function findEdits(
  { text, format, parsed, courses }: State,
  differences: readonly Difference[],
  { desired, extent }: Editing,
): Promise<TextEdit[]> {
  const changed = new Map<number, Record<string, unknown>>();
  for (const { index, field } of differences) {
    const [course, wanted] = [courses[index], desired[index]];
    if (!isObject(course) || !isObject(wanted)) continue;
    const fields = changed.get(index) ?? { ...course };
    changed.set(index, fields);
    if (Object.hasOwn(wanted, field)) fields[field] = wanted[field];
    else delete fields[field];
  }
  const editor = editorOf(text, format, extent);
  const found = findCourses(parsed);
  const edits: TextEdit[] = [];
  for (const [index, fields] of changed) {
    const [course, old] = [found[index], courses[index]];
    if (course === undefined || !isObject(old)) continue;
    const root = await parsed.place(course);
    if (root.isAlias !== true) edits.push(...objectEdits(editor, root, old, fields));
  }
  return edits;
}

function editorOf(text: string, format: SourceFormat, extent: Extent): Editor {
  const lineBreak = /\r\n|[\r\n]/.exec(text)?.[0] ?? "\n";
  return { text, isJson: format !== "yaml", lineBreak, extent };
}

/** The text with new courses at its end; undefined if it has no list. */
async function appendCourses(
  { text, format, parsed }: State,
  added: readonly unknown[],
): Promise<string | undefined> {
  const editor = editorOf(text, format, "parts");
  const { lineBreak } = editor;
  const ended = text === "" || /[\r\n]$/.test(text) ? text : text + lineBreak;
  if (format === "ndjson") {
    return ended + added.map((course) => safeJson(course) + lineBreak).join("");
  }
  const hasList = parsed.documents.length === 1 && isList(parsed.documents[0]);
  const list = hasList ? await parsed.place({ document: 0 }) : undefined;
  if (list !== undefined) return applyEdits(text, appendItems(editor, list, added));
  return format === "yaml" ? `${ended}---\n${yamlText(added)}` : undefined;
}

export interface EditOptions {
  /** What the edit writes, for messages: `the changed fields`. */
  readonly what: string;
  /** What the user can do if the file cannot be written. */
  readonly advice: string;
  /** What the user can do if the file has changed since it was read. */
  readonly adviceIfChanged: string;
  readonly dryRun: boolean;
}

/** Changes a text, or explains why the text cannot be changed. */
export type EditText = (
  text: string,
  format: SourceFormat,
) => Promise<{ readonly text: string } | Refusal>;

/** Edits a file, which keeps its mode, owner and byte order mark. */
export async function rewriteFile(
  file: FoundFile,
  edit: EditText,
  options: EditOptions,
): Promise<void> {
  const bytes = readBytes(file);
  const { text, problem, notice } = decode(bytes);
  const isUtf8 = problem === undefined && notice === undefined;
  const edited = isUtf8 ? await edit(text, formatOf(file.path)) : NO_TEXT;
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
    // The rename that follows would replace even a write-protected file.
    await access(path, constants.W_OK);
    // An editor may have saved the file in the meantime.
    if (!readBytes(file).equals(before)) throw refused(name, "", CHANGED, options);
    await writeFileAtomically(path, content, { name });
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
  // The position already names the file.
  const into = line === undefined ? ` into ${name}` : "";
  return new CatalogError("output", `cannot write ${what}${into}: ${refusal.reason}`, {
    file: name,
    line,
    column,
    advice: refusal === CHANGED ? adviceIfChanged : advice,
  });
}

export interface Replacement {
  readonly source: SourceCourse;
  readonly wanted: PlainObject;
}

/** The edit that replaces courses of a file, and adds others: all of them, or none. */
export function replaceCourses(
  replacements: readonly Replacement[],
  added: readonly PlainObject[] = [],
): EditText {
  return async (text, format) =>
    await editCourses(text, format, (courses) => {
      const desired = [...courses, ...added];
      for (const { source, wanted } of replacements) {
        const present = courses[source.index];
        if (!isDeepStrictEqual(present, writtenValue(source))) return CHANGED;
        desired[source.index] = wanted;
      }
      return desired;
    });
}
