/** Applies automatic fixes in place: `audio: [pt_BR] # both` becomes `audio: [pt-BR] # both`. */
import type { Path } from "../base/values.ts";
import { applyFix, checkCourse } from "../course/check.ts";
import type { Fix, RuleId } from "../course/problem.ts";
import { courseTest } from "./course-file.ts";
import { editCourses, type Refusal } from "./edit.ts";
import { parseAs, type SourceFormat } from "./parse.ts";
import { findCourses } from "./parsed.ts";
import { LineIndex, type Range, spanAt } from "./position.ts";

/** A fix that was applied, and where the problem was. */
export interface AppliedFix extends Range {
  readonly rule: RuleId;
  readonly path: Path;
  /** The value before the fix; for a renamed entry, its name. */
  readonly old: unknown;
  readonly new: unknown;
}

interface FixedText {
  readonly text: string;
  readonly fixes: readonly AppliedFix[];
}

/** How often a text is edited: what a renamed field contains is checked only under its new name. */
const MAX_DEPTH = 8;

/**
 * Applies all automatic fixes, or refuses if the layout does not allow one. A text without courses belongs to another
 * program. @param isNamed whether all values are meant as courses: in a file that the user named, and in defaults
 */
export async function fixText(
  original: string,
  format: SourceFormat,
  isNamed: boolean,
): Promise<FixedText | Refusal> {
  let text = original;
  const fixes: AppliedFix[] = [];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const { courses, applied } = await fixCourses(text, format, isNamed);
    if (applied.length === 0) break;
    const edited = await editCourses(text, format, () => courses);
    if ("reason" in edited) return edited;
    text = edited.text;
    fixes.push(...applied);
  }
  const sorted = fixes.sort((one, other) => one.line - other.line || one.column - other.column);
  return { text, fixes: sorted };
}

/** The courses of a text with the fixes of their problems. */
async function fixCourses(text: string, format: SourceFormat, isNamed: boolean) {
  const parsed = await parseAs(format, text);
  const found = parsed.problems.length > 0 ? [] : findCourses(parsed);
  const courses = found.map(({ value }) => value);
  const isCourse = isNamed ? () => true : courseTest(parsed);
  const lines = new LineIndex(text);
  const applied: AppliedFix[] = [];
  for (const [index, course] of found.entries()) {
    for (const { fix, rule, path, at } of isCourse(course.value) ? checkCourse(course.value) : []) {
      if (fix === undefined) continue;
      const place = await parsed.place(course);
      const span = spanAt(place, path, at);
      // All courses share the names of columns.
      if ("name" in fix && place.cells !== undefined && span.end <= place.span.start) continue;
      const written = asWritten(fix, course.value, lines.text(span), place.cells !== undefined);
      const fixed = written && applyFix(courses[index], written);
      if (written === undefined || fixed === undefined) continue;
      courses[index] = fixed.course;
      const change =
        "name" in written
          ? { old: written.path.at(-1), new: written.name }
          : { old: fixed.old, new: written.value };
      applied.push({ ...lines.range(span), rule, path: fix.path, ...change });
    }
  }
  return { courses, applied };
}

/**
 * Gives a number that becomes a string the digits that are written: `price: 24.50` becomes "24.50", and not "24.5".
 * Undefined if the number is written in another way, such as 1e3.
 *
 * @param written the number, or the JSON of a cell that contains it
 */
function asWritten(fix: Fix, course: unknown, written: string, isCell: boolean): Fix | undefined {
  if ("name" in fix || typeof fix.value !== "string") return fix;
  const old = applyFix(course, fix)?.old;
  if (typeof old !== "number") return fix;
  const numbers = isCell ? (written.match(/-?\d[\d.eE+-]*/g) ?? []) : [written];
  const [digits, ...others] = new Set(numbers.filter((number) => Number(number) === old));
  const isPlain = digits !== undefined && others.length === 0 && /^-?[\d.]+$/.test(digits);
  return isPlain ? { ...fix, value: digits } : undefined;
}
