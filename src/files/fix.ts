/** Applies automatic fixes in place: `audio: [pt_BR] # both` becomes `audio: [pt-BR] # both`. */
import { isObject, type Path, valueAt } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import type { Fix, RuleId } from "../course/problem.ts";
import { courseTest } from "./course-file.ts";
import { applyEdits, LineIndex, type Range, spanAt, type TextEdit } from "./diagnostic.ts";
import { type EditedText, editCourses, type Replacement } from "./edit.ts";
import { parseAs, type SourceFormat } from "./parse.ts";
import { findCourses } from "./parsed.ts";
import { setValue } from "./path-keys.ts";

/** A fix that was applied, and where the problem was. */
export interface AppliedFix extends Range {
  readonly rule: RuleId;
  readonly path: Path;
  /** The value before the fix; for a renamed entry, its name. */
  readonly old: unknown;
  readonly new: unknown;
}

/**
 * Applies all automatic fixes, or refuses if the layout does not allow one. A text without courses belongs to another
 * program.
 *
 * @param isNamed whether all values are meant as courses: in a file that the user named, and in defaults
 * @param rounds how often: what a renamed field contains is checked only under its new name
 */
export async function fixText(
  text: string,
  format: SourceFormat,
  isNamed: boolean,
  rounds = 8,
): Promise<EditedText & { readonly fixes: readonly AppliedFix[] }> {
  const parsed = await parseAs(format, text);
  const isUnusable = parsed.problems.length > 0 || rounds === 0;
  const isCourse = isNamed ? () => true : courseTest(parsed.columns);
  const isTable = parsed.columns !== undefined;
  const lines = new LineIndex(text);
  const fixes: AppliedFix[] = [];
  const renames: TextEdit[] = [];
  const replacements: Replacement[] = [];
  for (const [index, course] of isUnusable ? [] : findCourses(parsed).entries()) {
    const [old, wanted] = [structuredClone(course.value), structuredClone(course.value)];
    for (const { fix, rule, path, at } of isCourse(course.value) ? checkCourse(course.value) : []) {
      // All courses of a table share the names of columns.
      if (fix === undefined || ("name" in fix && isTable)) continue;
      const span = spanAt(await parsed.place(course), path, at);
      const written = asWritten(fix, course.value, lines.text(span), isTable);
      const fixed = written && applyFix(wanted, written);
      if (written === undefined || fixed === undefined) continue;
      const place = { ...lines.range(span), rule, path };
      if ("name" in written) {
        applyFix(old, written);
        const name = format === "yaml" ? written.name : JSON.stringify(written.name);
        renames.push({ span, text: name });
        fixes.push({ ...place, old: written.path.at(-1), new: written.name });
      } else fixes.push({ ...place, old: fixed.old, new: written.value });
    }
    if (isObject(wanted)) replacements.push({ index, old, wanted });
  }
  if (fixes.length === 0) return { text, fixes, rewritten: [] };
  const edited = await editCourses(applyEdits(text, renames), format, replacements);
  const next = await fixText(edited.text, format, isNamed, rounds - 1);
  const all = [...fixes, ...next.fixes];
  all.sort((one, other) => one.line - other.line || one.column - other.column);
  return { text: next.text, fixes: all, rewritten: [...edited.rewritten, ...next.rewritten] };
}

/** Makes a fix in a course, which it changes. @returns the old value; undefined if the course does not have the path */
function applyFix(course: unknown, fix: Fix): { readonly old: unknown } | undefined {
  const parent = valueAt(course, fix.path.slice(0, -1));
  const last = fix.path.at(-1) ?? "";
  if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, last)) {
    return undefined;
  }
  const old = valueAt(parent, [last]);
  if ("value" in fix) setValue(parent, [last], fix.value);
  else if (Object.hasOwn(parent, fix.name)) return undefined;
  else {
    const entries = Object.entries(parent);
    // The entries after the renamed one stay after it.
    for (const [name] of entries) Reflect.deleteProperty(parent, name);
    for (const [name, value] of entries) setValue(parent, [name === last ? fix.name : name], value);
  }
  return { old };
}

/**
 * Gives a number that becomes a string the digits that are written: `price: 24.50` becomes "24.50", and not "24.5".
 * Undefined if the number is written in another way, such as 1e3.
 *
 * @param written the number, or the JSON of a cell that contains it
 */
function asWritten(fix: Fix, course: unknown, written: string, isCell: boolean): Fix | undefined {
  if ("name" in fix || typeof fix.value !== "string") return fix;
  const old = valueAt(course, fix.path);
  if (typeof old !== "number") return fix;
  const numbers = isCell ? (written.match(/-?\d[\d.eE+-]*/g) ?? []) : [written];
  const [digits, ...others] = new Set(numbers.filter((number) => Number(number) === old));
  const isPlain = digits !== undefined && others.length === 0 && /^-?[\d.]+$/.test(digits);
  return isPlain ? { ...fix, value: digits } : undefined;
}
