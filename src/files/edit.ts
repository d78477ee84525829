/** Edits courses in the text of a file: only values that differ change, and every other byte stays. */
import { isDeepStrictEqual } from "node:util";
import { isList, isObject } from "../base/values.ts";
import { cellEdits } from "./csv-edit.ts";
import { parseAs, type SourceFormat } from "./formats.ts";
import type { Span } from "./position.ts";
import { findCourses, placeOfCourse } from "./read.ts";
import { applyEdits, type TextEdit } from "./text-edit.ts";
import { valueEdits } from "./value-edits.ts";

/** Why a text cannot be edited. */
export interface Refusal {
  /** A clause without a full stop. */
  readonly reason: string;
  /** The place of the cause, if it is one. */
  readonly span?: Span;
}

/** The refusal of a text that is not what it was when it was read. */
export const CHANGED: Refusal = { reason: "it has changed since it was read" };

const NOT_POSSIBLE = "a course in it is written in a way that cannot be edited";
const NO_COLUMN = "it has no column for a value, or the value does not fit into its cell";
const IS_ALIAS = "a course in it is an alias of another value";
const IS_REPEATED = "another course in it would change, too";

/** The courses that a text is to contain, by the courses that it contains. */
export type ChangeCourses = (courses: readonly unknown[]) => readonly unknown[] | Refusal;

/**
 * Edits a text so that it contains other courses; their number and order stay the same. The result
 * has been parsed, and contains exactly the courses that `change` returns.
 */
export async function editCourses(
  text: string,
  format: SourceFormat,
  change: ChangeCourses,
): Promise<{ readonly text: string } | Refusal> {
  const parsed = await parseAs(format, text);
  if (parsed.problems.length > 0) return CHANGED;
  const courses = findCourses(parsed).map(({ value }) => value);
  const desired = change(courses);
  if (!isList(desired)) return desired;
  const changed = new Set<number>();
  for (const [index, course] of courses.entries()) {
    if (!isDeepStrictEqual(course, desired[index])) changed.add(index);
  }
  if (changed.size === 0) return { text };
  const first = await converge(text, format, { desired, changed }, false);
  if ("text" in first) return first;
  // A value in brackets fits where the layout has no place for lines.
  const second = await converge(text, format, { desired, changed }, true);
  return "text" in second ? second : first;
}

interface Target {
  readonly desired: readonly unknown[];
  /** The indexes of the courses that are to change. */
  readonly changed: ReadonlySet<number>;
}

/** Rounds of edits: more than an object has keys, because one place takes one insertion each time. */
const MOST_ROUNDS = 60;

/** Edits and parses until the text contains the desired courses: aliases may change with their anchors. */
async function converge(
  original: string,
  format: SourceFormat,
  { desired, changed }: Target,
  inBrackets: boolean,
): Promise<{ readonly text: string } | Refusal> {
  let text = original;
  let refusal: Refusal = { reason: NOT_POSSIBLE };
  /** In the original text, to name the cause. */
  let spans: readonly (Span | undefined)[] | undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const parsed = await parseAs(format, text);
    const courses = findCourses(parsed);
    if (parsed.problems.length > 0 || courses.length !== desired.length) return refusal;
    const different = courses.flatMap((course, index) =>
      isDeepStrictEqual(course.value, desired[index]) ? [] : [{ value: course.value, index }],
    );
    if (different.length === 0) return { text };
    const { places } = await parsed.positions();
    const placed = courses.map((course) => placeOfCourse(course, places));
    spans ??= placed.map((place) => place?.span);
    const edits: TextEdit[] = [];
    for (const { value, index } of different) {
      const place = placed[index];
      const span = spans[index];
      const at = span === undefined ? {} : { span };
      refusal = { reason: place?.isRow ? NO_COLUMN : NOT_POSSIBLE, ...at };
      if (place === undefined || !isObject(desired[index])) return refusal;
      if (place.isAlias === true) {
        return { reason: changed.has(index) ? IS_ALIAS : IS_REPEATED, ...at };
      }
      const change = { old: value, desired: desired[index] };
      const style = { format: format === "yaml" ? format : "json", inBrackets } as const;
      const found = place.isRow
        ? cellEdits(text, place, change)
        : valueEdits(text, place, change, style);
      for (const edit of found) edits.push(edit);
    }
    const edited = applyEdits(text, edits);
    if (edited === text) return refusal;
    text = edited;
  }
  return refusal;
}
