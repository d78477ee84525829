/** Renames misspelled columns of a table, whose names are those of keys in all courses. */
import { formatPath, type Path } from "../base/values.ts";
import { checkCourse, type IsTaken, improve } from "../course/check.ts";
import type { Problem, RuleId } from "../course/problem.ts";
import { parseAs, type SourceFormat } from "./formats.ts";
import { findCourses, type Parsed } from "./parsed.ts";
import { LineIndex, type PlacedNode, type Range, type Span, spanAt } from "./position.ts";
import { applyEdits } from "./text-edit.ts";

/** Whether a span is the name of a column, above the row of a course. */
export function isInHeader(span: Span, row: PlacedNode): boolean {
  return row.isRow === true && span.end <= row.span.start;
}

/** Renames the columns whose names are misspelled, if that causes a problem in no row. */
export async function fixColumns(
  original: string,
  format: SourceFormat,
  isTaken: IsTaken,
): Promise<FixedText> {
  let result: FixedText = { text: original, fixes: [] };
  let parsed = await parseAs(format, original);
  // Another name may be certain only after a column was renamed.
  while (parsed.isTable === true && parsed.problems.length === 0) {
    const { text } = result;
    const renamed = await firstRename(text, format, parsed, isTaken);
    if (renamed === undefined) break;
    result = { text: renamed.text, fixes: [...result.fixes, ...renamed.fixes] };
    parsed = renamed.parsed;
  }
  return result;
}

async function firstRename(
  before: string,
  format: SourceFormat,
  parsed: Parsed,
  isTaken: IsTaken,
): Promise<(FixedText & { readonly parsed: Parsed }) | undefined> {
  for (const { problem, span, name } of await findRenames(parsed)) {
    const text = applyEdits(before, [{ span, text: name }]);
    const renamed = await parseAs(format, text);
    if (renamed.problems.length > 0 || !improvesAll(parsed, renamed, isTaken)) continue;
    const { rule, path } = problem;
    const range = new LineIndex(before).range(span);
    const fix = { ...range, rule, path, old: formatPath(path), new: name };
    return { text, fixes: [fix], parsed: renamed };
  }
  return undefined;
}

interface Rename {
  readonly problem: Problem;
  readonly span: Span;
  readonly name: string;
}

/** The columns with another certain name, from left to right. */
async function findRenames(parsed: Parsed): Promise<Rename[]> {
  const renames = new Map<number, Rename>();
  for (const course of findCourses(parsed)) {
    for (const problem of checkCourse(course.value)) {
      const { fix, path } = problem;
      if (fix === undefined || !("name" in fix)) continue;
      const place = (await parsed.positions()).place(course);
      const span = place && spanAt(place, path, "key");
      if (place === undefined || span === undefined || !isInHeader(span, place)) continue;
      const name = formatPath([...path.slice(0, -1), fix.name]);
      if (!renames.has(span.start)) renames.set(span.start, { problem, span, name });
    }
  }
  return [...renames.values()].toSorted((one, other) => one.span.start - other.span.start);
}

function improvesAll(before: Parsed, after: Parsed, isTaken: IsTaken): boolean {
  const renamed = findCourses(after);
  return findCourses(before).every(({ value }, index) => {
    return improve(value, renamed[index]?.value, isTaken) !== undefined;
  });
}

/** A fix that was applied, where its problem was. */
export interface AppliedFix extends Range {
  readonly rule: RuleId;
  readonly path: Path;
  /** What was written, or the key of a renamed entry. */
  readonly old: unknown;
  readonly new: unknown;
}

export interface FixedText {
  readonly text: string;
  readonly fixes: readonly AppliedFix[];
}
