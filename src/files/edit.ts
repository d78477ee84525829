/** Edits courses in the text of a file: only values that differ change, and every other byte stays. */
import { isDeepStrictEqual } from "node:util";
import { isList, isObject } from "../base/values.ts";
import { addColumns, cellEdits } from "./csv-edit.ts";
import { parseAs, type SourceFormat } from "./formats.ts";
import { findCourses, type Parsed } from "./parsed.ts";
import type { PlacedNode, Span } from "./position.ts";
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

const NOT_POSSIBLE = "a course in it is written in a way that cannot be edited";
const NO_COLUMN = "it has no column for a value, or the value does not fit into its cell";
const IS_ALIAS = "a course in it is an alias of another value";
const IS_REPEATED = "another course in it would change, too";

/** The courses that a source text is to contain, by the courses that it contains. */
export type ChangeCourses = (courses: readonly unknown[]) => readonly unknown[] | Refusal;

/**
 * Edits a source text so that it contains other courses; their number and order stay the same. The result
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
  const original = await withColumns({ text, format, parsed }, { desired, changed });
  const first = await converge(original, { desired, changed }, { inBrackets: false });
  if ("text" in first) return first;
  // A value in brackets fits where the layout has no place for lines.
  const second = await converge(original, { desired, changed }, { inBrackets: true });
  return "text" in second ? second : first;
}

/** A source text and its courses. */
interface Original {
  readonly text: string;
  readonly format: SourceFormat;
  readonly parsed: Parsed;
}

interface Target {
  readonly desired: readonly unknown[];
  /** The indexes of the courses that are to change. */
  readonly changed: ReadonlySet<number>;
}

/** A table with an empty column for each field that only the desired courses have. */
async function withColumns(original: Original, { desired, changed }: Target): Promise<Original> {
  const { text, format, parsed } = original;
  if (parsed.isTable !== true) return original;
  const courses = [...changed].map((index) => desired[index]).filter(isObject);
  const fields = courses.flatMap((course) =>
    Object.keys(course).filter((name) => course[name] !== undefined),
  );
  const widened = addColumns(text, format === "tsv" ? "\t" : undefined, new Set(fields));
  if (widened === text) return original;
  return { text: widened, format, parsed: await parseAs(format, widened) };
}

/** Rounds of edits: more than an object has keys, because one place takes one insertion each time. */
const MOST_ROUNDS = 60;

/** Edits and parses until the text contains the desired courses: aliases may change with their anchors. */
async function converge(
  original: Original,
  { desired, changed }: Target,
  { inBrackets }: { readonly inBrackets: boolean },
): Promise<{ readonly text: string } | Refusal> {
  let { text, parsed } = original;
  const format = original.format === "yaml" ? "yaml" : "json";
  let cause: Cause = { reason: NOT_POSSIBLE };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const courses = findCourses(parsed);
    if (parsed.problems.length > 0 || courses.length !== desired.length) break;
    const different = courses.flatMap((course, index) =>
      isDeepStrictEqual(course.value, desired[index]) ? [] : [{ course, index }],
    );
    if (different.length === 0) return { text };
    const edits: TextEdit[] = [];
    for (const { course, index } of different) {
      const change = { old: course.value, desired: desired[index] };
      const place = (await parsed.positions()).place(course);
      cause = { reason: reasonFor(place, changed.has(index)), index };
      if (place === undefined || place.isAlias === true || !isObject(change.desired)) {
        return await refuse(original, cause);
      }
      const found = place.isRow
        ? cellEdits(text, place, change)
        : valueEdits(text, place, change, { format, inBrackets });
      for (const edit of found) edits.push(edit);
    }
    const edited = applyEdits(text, edits);
    if (edited === text) break;
    text = edited;
    parsed = await parseAs(original.format, text);
  }
  return await refuse(original, cause);
}

interface Cause {
  readonly reason: string;
  /** The index of the course that cannot be edited. */
  readonly index?: number;
}

/** Why the course at a place may not be editable. */
function reasonFor(place: PlacedNode | undefined, isChanged: boolean): string {
  if (place?.isAlias === true) return isChanged ? IS_ALIAS : IS_REPEATED;
  return place?.isRow === true ? NO_COLUMN : NOT_POSSIBLE;
}

async function refuse({ parsed }: Original, { reason, index }: Cause): Promise<Refusal> {
  const course = index === undefined ? undefined : findCourses(parsed)[index];
  const place = course && (await parsed.positions()).place(course);
  return place === undefined ? { reason } : { reason, span: place.span };
}
