/** Turns the rows of source files into courses: with a mapping, or by the names of their keys. */
import { yieldToEventLoop } from "../base/async.ts";
import { usageError } from "../base/errors.ts";
import { quoteShell } from "../base/text.ts";
import {
  findInside,
  formatPath,
  isList,
  isObject,
  type Path,
  type PlainObject,
} from "../base/values.ts";
import { isPrivateKey, UNIQUE_FIELDS } from "../course/field-names.ts";
import { COURSE_SHAPE, shapeAt } from "../course/fields.ts";
import { cellValue, SKIPS_ITEMS, setValue } from "../files/csv.ts";
import { columnPath } from "../files/csv-table.ts";
import { type Diagnostic, placeOf, textDiagnostics } from "../files/diagnostic.ts";
import { newBudget, type ValueBudget } from "../files/json.ts";
import type { SourceRow, SourceRows } from "../files/rows.ts";
import { type Mapped, type Mapping, MappingFailure } from "./mapping.ts";
import { type Imported, rowDiagnostic } from "./row-problems.ts";
import { isTitleOrTotal } from "./title-rows.ts";
import { type ColumnReport, UnderstoodValues } from "./understood-values.ts";

/** A row of a file. */
type FileRow = Pick<Imported, "row" | "rows">;

/** The courses of all rows, what is wrong with the rows, and what was left out. */
export interface ImportedCourses {
  readonly courses: readonly Imported[];
  readonly diagnostics: Diagnostic[];
  /** The rows that are no courses: sections, totals, and those that the mapping skipped. */
  readonly skipped: readonly FileRow[];
  /** Rows in the files, without empty ones; and those of which something is so wrong that they have no course. */
  readonly counts: { readonly rows: number; readonly failed: number };
  /** Keys that are no fields of a course; none with a mapping. */
  readonly ignored: ReadonlySet<string>;
  /** What the functions of the mapping understood. */
  readonly columns: readonly ColumnReport[];
}

/** After so many rows for which the mapping fails, if they are the majority, the rest is not tried. */
const MOST_FAILURES = 100;

/** @param map undefined to use the keys that are fields */
export async function importRows(
  files: readonly SourceRows[],
  map: Mapping | undefined,
  onRow: (count: number) => void,
): Promise<ImportedCourses> {
  const courses: Imported[] = [];
  const diagnostics: Diagnostic[] = files.flatMap((file) => textDiagnostics(file));
  const skipped: FileRow[] = [];
  const ignored = new Set<string>();
  const values = new UnderstoodValues();
  const counts = { rows: 0, failed: 0 };
  const result = { courses, diagnostics, skipped, ignored, counts };
  let failures = 0;
  for (const rows of files) {
    const budget = newBudget();
    const convert: Convert =
      map === undefined
        ? async (some) => some.map((value) => ({ course: fieldsOf(value, rows, ignored, budget) }))
        : (some) => map.map(some);
    const before = { courses: courses.length, skipped: skipped.length, rows: counts.rows };
    let hasFields = false;
    const { misfits = 0 } = rows;
    counts.rows += misfits;
    counts.failed += misfits;
    for await (const [row, mapped] of mapRows(rows.rows, convert)) {
      onRow(++counts.rows);
      const placed = { row, rows, columnsOf: map?.columnsOf.bind(map) };
      const failed = [...(mapped.failures ?? [])];
      const { course } = mapped;
      if (course instanceof MappingFailure) {
        counts.failed++;
        diagnostics.push(await rowDiagnostic(placed, { ...MAPPING, message: course.message }));
        if (course.isFinal) return { ...result, courses: [], columns: [] };
      } else {
        hasFields ||= course !== undefined && Object.keys(course).length > 0;
        const isCourse = course !== undefined && isIdentified(course);
        if (course !== undefined && !isCourse && failed.length === 0) requireRows(row, rows);
        const isTitle = map !== undefined && isTitleOrTotal(row, rows);
        if (isTitle || (!isCourse && failed.length === 0)) {
          skipped.push(placed);
          continue;
        }
        if (isCourse) courses.push({ ...placed, course });
        else counts.failed++;
        values.add(isObject(row.value) ? row.value : {}, mapped.understood ?? new Map());
        for (const [field, { message }] of failed) {
          const problem = {
            ...MAPPING,
            path: [field],
            message: `${field} is left out: ${message}`,
          };
          diagnostics.push(await rowDiagnostic(placed, problem));
        }
      }
      const isFailed = course instanceof MappingFailure || failed.length > 0;
      // Nothing is written of an import that was not completed.
      if (isFailed && ++failures >= MOST_FAILURES && failures * 2 > counts.rows) {
        return { ...result, courses: [], columns: [] };
      }
    }
    const tried = counts.rows - before.rows - misfits;
    const isUseless =
      tried > 0 && courses.length === before.courses && skipped.length > before.skipped;
    if (isUseless && (map === undefined ? !hasFields : hasFields)) {
      counts.failed += skipped.splice(before.skipped).length;
      diagnostics.push(noCourses(rows, map !== undefined));
    }
  }
  return { ...result, columns: values.reports() };
}

/** Whether something tells the course from others. */
function isIdentified(course: PlainObject): boolean {
  return [...UNIQUE_FIELDS, "name"].some((name) => course[name] !== undefined);
}

/** One finding instead of one for each row. */
function noCourses(rows: SourceRows, isMapped: boolean): Diagnostic {
  const foreign = `no ${rows.isTable ? "column" : "key"} is a field of a course`;
  const message = isMapped ? "the mapping finds no name, url or key in any row" : foreign;
  const rule = isMapped ? "mapping" : "not-a-course";
  const facts = { rule, severity: "error", path: [], message } as const;
  return { ...placeOf(rows, { start: 0, end: 0 }, ""), ...facts };
}

/** Rows that are mapped together at most. */
const MOST_TOGETHER = 500;

/** @returns the results of the rows, or of the first up to a final failure */
type Convert = (rows: readonly unknown[]) => Promise<readonly Mapped[]>;

/** The rows with their results. Signals are served in between. */
async function* mapRows(
  rows: readonly SourceRow[],
  convert: Convert,
): AsyncGenerator<readonly [SourceRow, Mapped], void> {
  for (let done = 0; done < rows.length; done += MOST_TOGETHER) {
    await yieldToEventLoop();
    const some = rows.slice(done, done + MOST_TOGETHER);
    const results = await convert(some.map(({ value }) => value));
    for (const [index, row] of some.slice(0, results.length).entries()) {
      yield [row, results[index] ?? { course: undefined }];
    }
  }
}

const MAPPING = { rule: "mapping", severity: "error", at: "value", path: [] } as const;

const READ_ONLY: ReadonlySet<string> = new Set(
  COURSE_SHAPE.keys.filter(({ readOnly }) => readOnly).map(({ name }) => name),
);

/** The keys of a row that are fields; the others are added to `ignored`. */
function fieldsOf(
  value: unknown,
  rows: SourceRows,
  ignored: Set<string>,
  budget: ValueBudget,
): Mapped["course"] {
  if (!isObject(value)) return new MappingFailure("the row is not an object");
  const course = {};
  const paths = new Map<string, Path>();
  for (const key of Object.keys(value)) paths.set(key, rows.isTable ? columnPath(key) : [key]);
  for (const [key, path] of paths) {
    const cell = value[key];
    const shape = shapeAt(path);
    if (READ_ONLY.has(key)) continue;
    if (shape === undefined && !isPrivateKey(key)) {
      ignored.add(key);
      continue;
    }
    const isCell = rows.isTable && typeof cell === "string";
    const read = isCell ? cellValue(cell, shape) : { value: cell, problems: [] };
    setValue(course, path, read.problems.length > 0 ? cell : read.value, budget);
    if (budget.left < 0) return new MappingFailure(SKIPS_ITEMS, true);
  }
  return course;
}

/** @throws CatalogError of kind `usage` for an object that contains the list of rows */
export function requireRows({ value, path }: SourceRow, { rows, name }: SourceRows): void {
  if (path === undefined || rows.length > 1 || !isObject(value)) return;
  const list = findInside(value, (inner) => isList(inner) && inner.some(isObject));
  if (list === undefined) return;
  const from = formatPath([...path, ...list]);
  throw usageError(
    `${path.length === 0 ? name : `${formatPath(path)} in ${name}`} is an object, not a list of courses`,
    `Its courses may be in ${JSON.stringify(formatPath(list))}: pass --from ${quoteShell(from)}.`,
  );
}
