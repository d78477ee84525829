/** Applies automatic fixes in place: `audio: [pt_BR] # both` becomes `audio: [pt-BR] # both`. */
import type { Path } from "../base/values.ts";
import { applyFix, checkCourse, type IsTaken, improve } from "../course/check.ts";
import type { Fix, Problem, RuleId } from "../course/problem.ts";
import { courseTest } from "./course-file.ts";
import { editCourses, type Refusal } from "./edit.ts";
import { parseAs, type SourceFormat } from "./parse.ts";
import { findCourses, type Parsed } from "./parsed.ts";
import { LineIndex, type PlacedNode, type Range, type Span, spanAt } from "./position.ts";

const MAX_ROUNDS = 25;
/** How many problems of one course are considered in one round. */
const MAX_PROBLEMS = 200;

interface FixOptions {
  readonly isTaken: IsTaken;
  /** Whether all values are meant as courses: in a file that the user named, and in defaults. */
  readonly isNamed: boolean;
}

/**
 * Applies the automatic fixes that cause no other problem, or refuses if the layout does not allow one. A text without
 * courses belongs to another program.
 */
export async function fixText(
  original: string,
  format: SourceFormat,
  { isTaken, isNamed }: FixOptions,
): Promise<FixedText | Refusal> {
  const first = await parseAs(format, original);
  const values = findCourses(first).map(({ value }) => value);
  const isCourse = isNamed ? () => true : courseTest(values, first.isTable);
  if (!values.some(isCourse)) return { text: original, fixes: [] };
  let text = original;
  let fixes: readonly AppliedFix[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const parsed = await parseAs(format, text);
    if (parsed.problems.length > 0) break;
    const candidates = await findCandidates(text, parsed, isTaken, isCourse);
    if (candidates.length === 0) break;
    const edited = await editCourses(text, format, (courses) => {
      const desired = [...courses];
      for (const { course, fix } of candidates) {
        desired[course] = applyFix(desired[course], fix)?.course ?? desired[course];
      }
      return desired;
    });
    if ("reason" in edited) return edited;
    text = edited.text;
    fixes = [...fixes, ...candidates.map(({ applied }) => applied)];
  }
  const sorted = fixes.toSorted((one, other) => one.line - other.line || one.column - other.column);
  return { text, fixes: sorted };
}

interface Candidate {
  readonly course: number;
  readonly fix: Fix;
  readonly applied: AppliedFix;
}

async function findCandidates(
  text: string,
  parsed: Parsed,
  isTaken: IsTaken,
  isCourse: (value: unknown) => boolean,
): Promise<Candidate[]> {
  const lines = new LineIndex(text);
  const candidates: Candidate[] = [];
  for (const [index, course] of findCourses(parsed).entries()) {
    let { value } = course;
    if (!isCourse(value)) continue;
    // The course with all fixes so far, and with those that they need: the next fix must also fit them.
    let improved = value;
    for (const problem of checkCourse(value, { most: MAX_PROBLEMS })) {
      if (problem.fix === undefined) continue;
      const place = await parsed.place(course);
      const span = spanAt(place, problem.path, problem.at);
      // All courses share the names of columns.
      if ("name" in problem.fix && isInHeader(span, place)) continue;
      const fix = asWritten(problem.fix, value, lines.text(span), place.cells !== undefined);
      const after = fix === undefined ? undefined : applyFix(value, fix);
      const next = fix === undefined ? undefined : applyFix(improved, fix);
      if (fix === undefined || after === undefined || next === undefined) continue;
      const improvement = improve(improved, next.course, isTaken);
      if (improvement === undefined) continue;
      improved = improvement.course;
      value = after.course;
      const applied = describe(problem, fix, after.old, lines.range(span));
      candidates.push({ course: index, fix, applied });
    }
  }
  return candidates;
}

function describe({ rule }: Problem, fix: Fix, old: unknown, range: Range): AppliedFix {
  const isRename = "name" in fix;
  return {
    ...range,
    rule,
    path: fix.path,
    old: isRename ? fix.path.at(-1) : old,
    new: isRename ? fix.name : fix.value,
  };
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

/** Whether a span is the name of a column, above the course's row. */
function isInHeader(span: Span, row: PlacedNode): boolean {
  return row.cells !== undefined && span.end <= row.span.start;
}

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
