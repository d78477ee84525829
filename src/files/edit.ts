/** Edits courses in the text of a file: in `name: Kniting # draft`, only the value changes, and no other byte. */

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { type Destination, writeError, writeFileAtomically } from "../base/atomic-write.ts";
import { CatalogError } from "../base/errors.ts";
import { safeJson } from "../base/text.ts";
import { isList, isObject, type PlainObject, valueAt } from "../base/values.ts";
import { yamlText } from "../base/yaml-text.ts";
import type { Span } from "../course/problem.ts";
import { editTable } from "./csv.ts";
import { decode, readBytes } from "./decode.ts";
import { LineIndex } from "./diagnostic.ts";
import { Editor } from "./edit-values.ts";
import { formatOf, parseAs, type SourceFormat } from "./parse.ts";
import { findCourses, type Parsed, type ParsedCourse } from "./parsed.ts";

/** Why a text cannot be edited: a clause without a full stop. */
class Refusal extends Error {
  /** The position of the cause, if there is one. */
  readonly span: Span | undefined;

  constructor(reason: string, span?: Span) {
    super(reason);
    this.span = span;
  }
}

const CHANGED = "the file has changed since catalog read it";

/** A course of a text, by its index, and the course that the text should have instead. */
export interface Replacement {
  readonly index: number;
  readonly old: unknown;
  readonly wanted: PlainObject;
}

/** An edited text. */
export interface EditedText {
  readonly text: string;
  /** The fields that could not be edited in place, and were written again completely, without their comments. */
  readonly rewritten: readonly string[];
}

/**
 * Edits a text so that it contains other courses, and further ones at its end. The result has been parsed, and contains
 * exactly the desired courses. @throws Refusal
 */
export async function editCourses(
  original: string,
  format: SourceFormat,
  replacements: readonly Replacement[],
  added: readonly PlainObject[] = [],
): Promise<EditedText> {
  const before = await readState(original, format);
  const desired = [...valuesOf(before), ...added];
  for (const { index, old, wanted } of replacements) {
    if (!isDeepStrictEqual(desired[index], old)) throw new Refusal(CHANGED);
    desired[index] = wanted;
  }
  let state = before;
  let rewritten: readonly string[] = [];
  if (before.parsed.columns !== undefined) {
    state = await readState(
      editTable(original, format === "tsv" ? "\t" : undefined, desired),
      format,
    );
  } else {
    for (const isWhole of [false, true]) {
      const differences = findDifferences(state, desired);
      if (isWhole) rewritten = fieldsWithParts(state, differences);
      state = await makeEdits(state, differences, desired, isWhole);
    }
    if (added.length > 0) state = await appendCourses(state, added);
  }
  const values = valuesOf(state);
  if (isDeepStrictEqual(values, desired)) return { text: state.text, rewritten };
  const wrong = desired.findIndex((course, index) => !isDeepStrictEqual(values[index], course));
  const refused = before.courses[wrong];
  const span = refused && (await before.parsed.place(refused)).span;
  throw new Refusal("catalog cannot edit this layout: it has no place for a value", span);
}

/** A text and its courses; none if the text has a problem. */
interface State {
  readonly text: string;
  readonly format: SourceFormat;
  readonly parsed: Parsed;
  readonly courses: readonly ParsedCourse[];
}

async function readState(text: string, format: SourceFormat): Promise<State> {
  const parsed = await parseAs(format, text);
  return { text, format, parsed, courses: parsed.problems.length > 0 ? [] : findCourses(parsed) };
}

function valuesOf({ courses }: State): unknown[] {
  return courses.map(({ value }) => value);
}

/** The paths of the fields that do not have the value that they have in the desired courses. */
function findDifferences(state: State, desired: readonly unknown[]): Difference[] {
  return state.courses.flatMap(({ value }, index) => {
    const wanted = desired[index];
    if (!isObject(value) || !isObject(wanted)) return [];
    return Object.keys({ ...value, ...wanted })
      .map((field) => [index, field] as const)
      .filter((difference) => !isMade(difference, state, desired));
  });
}

type Difference = readonly [index: number, field: string];

/** The fields of differences that have a list or an object. */
function fieldsWithParts({ courses }: State, differences: readonly Difference[]): string[] {
  const withParts = differences.filter(([index, field]) => {
    const value = valueAt(courses[index]?.value, [field]);
    return isList(value) || isObject(value);
  });
  return [...new Set(withParts.map(([, field]) => field))];
}

function isMade([index, field]: Difference, { courses }: State, desired: readonly unknown[]) {
  return isDeepStrictEqual(
    valueAt(courses[index]?.value, [field]),
    valueAt(desired[index], [field]),
  );
}

/** Makes the edits that the layout allows: all of them at once or, if some fail, each half by itself. */
async function makeEdits(
  state: State,
  differences: readonly Difference[],
  desired: readonly unknown[],
  isWhole: boolean,
): Promise<State> {
  if (differences.length === 0) return state;
  const editor = new Editor(state.text, state.format !== "yaml", isWhole);
  for (const [index, field] of differences) {
    const course = state.courses[index];
    const wanted = desired[index];
    const place = course && (await state.parsed.place(course));
    if (place === undefined || place.isAlias || !isObject(course?.value) || !isObject(wanted))
      continue;
    editor.setEntry(place, field, course.value, wanted);
  }
  const next = await readState(editor.edited, state.format);
  const isDone = next.courses.length === state.courses.length;
  if (isDone && differences.every((each) => isMade(each, next, desired))) return next;
  if (differences.length === 1) return state;
  const middle = differences.length >> 1;
  const first = await makeEdits(state, differences.slice(0, middle), desired, isWhole);
  return await makeEdits(first, differences.slice(middle), desired, isWhole);
}

/** Adds courses at the end of a text; a text without a list has no place for them. */
async function appendCourses(state: State, added: readonly unknown[]): Promise<State> {
  const { text, format, parsed } = state;
  const [document, ...others] = parsed.documents;
  if (format !== "ndjson" && isList(document) && others.length === 0) {
    const editor = new Editor(text, format === "json", false);
    const list = await parsed.place({ document: 0 });
    editor.change(list, list, undefined, document, [...document, ...added]);
    return await readState(editor.edited, format);
  }
  const lineBreak = /\r\n|[\r\n]/.exec(text)?.[0] ?? "\n";
  const lines = added.map((course) => safeJson(course) + lineBreak).join("");
  const written = format === "yaml" ? `---\n${yamlText(added)}` : lines;
  return await readState(text + (/[^\r\n]$/.test(text) ? lineBreak : "") + written, format);
}

/** Changes a text. @throws Refusal */
export type EditText = (text: string, format: SourceFormat) => Promise<EditedText>;

/**
 * Edits a file, which keeps its mode, owner and byte order mark. A dry run only reports what cannot be edited.
 *
 * @returns the fields that were written again completely
 */
export async function rewriteFile(
  file: Destination,
  edit: EditText,
  dryRun: boolean,
): Promise<readonly string[]> {
  const { name, path } = file;
  const bytes = readBytes(file);
  const { text, problem, notice } = decode(bytes);
  try {
    if ((problem ?? notice) !== undefined) throw new Refusal("the file is not UTF-8 text");
    const { text: edited, rewritten } = await edit(text, formatOf(path));
    if (edited === text || dryRun) return rewritten;
    // The rename that follows would replace even a write-protected file.
    await access(path, constants.W_OK);
    // An editor may have saved the file in the meantime.
    if (!readBytes(file).equals(bytes)) throw new Refusal(CHANGED);
    const mark = bytes.length > Buffer.byteLength(text) ? "\ufeff" : "";
    await writeFileAtomically(file, mark + edited);
    return rewritten;
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw writeError(name, cause);
    const { message, span } = cause;
    const { line, column } = span === undefined ? {} : new LineIndex(text).range(span);
    const advice = message === CHANGED ? "Run the command again." : "Edit the file yourself.";
    const facts = { file: name, line, column, advice };
    throw new CatalogError("output", `cannot write ${name}: ${message}`, facts);
  }
}
