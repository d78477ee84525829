/** Edits courses in the text of a file: in `name: Kniting # draft`, only the value changes, and no other byte. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { writeError, writeFileAtomically } from "../base/atomic-write.ts";
import { CatalogError } from "../base/errors.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { type SourceCourse, writtenValue } from "./course-file.ts";
import { editTable } from "./csv.ts";
import { decode, type FoundFile, readBytes } from "./decode.ts";
import { courseEdits, type Editor, type Extent } from "./edit-values.ts";
import { formatOf, parseAs, type SourceFormat } from "./parse.ts";
import { findCourses, type Parsed, type ParsedCourse } from "./parsed.ts";
import { applyEdits, LineIndex, type PlacedNode, type Span, type TextEdit } from "./position.ts";

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
const NO_COLUMN = "the table has no column for a value, or the value does not fit into its cell";
const IS_ALIAS = "an alias repeats this course";

/** Decides, from the courses that a text contains, which courses the text should contain instead. */
type ChangeCourses = (courses: readonly unknown[]) => readonly unknown[] | Refusal;

/** What is tried for a field that differs, in order. */
const EXTENTS: readonly Extent[] = ["parts", "aliases", "field", "line"];

/**
 * Edits a text so that it contains other courses, as many and in the same order. The result has been parsed, and
 * contains exactly the courses that `change` returns.
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
  /** How often a field of a course was edited, by `fieldKey`. */
  const tries = new Map<string, number>();
  const isTable = before.isTable === true;
  let text = isTable ? editTable(original, format === "tsv" ? "\t" : undefined, desired) : original;
  let parsed = isTable ? await parseAs(format, text) : before;
  // Repeated until nothing differs: aliases change with their anchors, and not every layout allows small edits.
  for (;;) {
    const different = findDifferent(parsed, desired);
    const [first] = different;
    if (first === undefined) return { text };
    const open = new Set<string>();
    const extentOf = (index: number, field: string): Extent | undefined => {
      const extent = EXTENTS[tries.get(fieldKey(index, field)) ?? 0];
      if (extent !== undefined) open.add(fieldKey(index, field));
      return extent;
    };
    const lineBreak = /\r\n|[\r\n]/.exec(text)?.[0] ?? "\n";
    const edits: TextEdit[] = [];
    for (const { course, index } of different) {
      const [old, wanted] = [course.value, desired[index]];
      const root = await parsed.place(course);
      if (root.isAlias || isTable || !isObject(old) || !isObject(wanted)) continue;
      const editor: Editor = {
        text,
        format: format === "yaml" ? "yaml" : "json",
        lineBreak,
        extentOf: (field) => extentOf(index, field),
      };
      edits.push(...courseEdits(editor, root, { old, desired: wanted }));
    }
    const edited = applyEdits(text, edits);
    if (edited === text && open.size === 0) {
      const course = findCourses(before)[first.index];
      const root = course && (await before.place(course));
      const reason = reasonFor(root);
      return root === undefined ? { reason } : { reason, span: root.span };
    }
    const next = edited === text ? parsed : await parseAs(format, edited);
    const failed = findFailed(next, desired, open);
    for (const key of failed.length > 0 ? failed : open) tries.set(key, (tries.get(key) ?? 0) + 1);
    // Edits that do not fit the layout are made again in another way, in the text before them.
    if (failed.length > 0) continue;
    text = edited;
    parsed = next;
  }
}

function fieldKey(index: number, field: string): string {
  return `${index} ${field}`;
}

/** The edited fields that do not have their values: all of them, if the text cannot be read. */
function findFailed(
  parsed: Parsed,
  desired: readonly unknown[],
  edited: ReadonlySet<string>,
): string[] {
  const isRead = parsed.problems.length === 0 && findCourses(parsed).length === desired.length;
  if (!isRead) return [...edited];
  return findDifferent(parsed, desired).flatMap(({ course: { value }, index }) => {
    const wanted = desired[index];
    if (!isObject(value) || !isObject(wanted)) return [];
    const fields = new Set([...Object.keys(value), ...Object.keys(wanted)]);
    return [...fields]
      .filter((field) => !isDeepStrictEqual(value[field], wanted[field]))
      .map((field) => fieldKey(index, field))
      .filter((key) => edited.has(key));
  });
}

function findDifferent(
  parsed: Parsed,
  desired: readonly unknown[],
): { readonly course: ParsedCourse; readonly index: number }[] {
  return findCourses(parsed).flatMap((course, index) =>
    isDeepStrictEqual(course.value, desired[index]) ? [] : [{ course, index }],
  );
}

/** Why the course at a place may not be editable. */
function reasonFor(place: PlacedNode | undefined): string {
  if (place?.isAlias === true) return IS_ALIAS;
  return place?.cells !== undefined ? NO_COLUMN : NOT_POSSIBLE;
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

/** The edit that replaces courses of a file: all of them, or none. */
export function replaceCourses(replacements: readonly Replacement[]): EditText {
  return async (text, format) =>
    await editCourses(text, format, (courses) => {
      const desired = [...courses];
      for (const { source, wanted } of replacements) {
        const present = courses[source.index];
        if (!isDeepStrictEqual(present, writtenValue(source))) return CHANGED;
        desired[source.index] = wanted;
      }
      return desired;
    });
}
