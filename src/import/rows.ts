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
import { checkCourse } from "../course/check.ts";
import { isPrivateKey, UNIQUE_FIELDS, UNIQUE_RULES, UniqueValues } from "../course/field-names.ts";
import { COURSE_SHAPE, shapeAt } from "../course/fields.ts";
import type { Problem } from "../course/problem.ts";
import { cellValue, SKIPS_ITEMS, setValue } from "../files/csv.ts";
import { columnPath } from "../files/csv-table.ts";
import { type Diagnostic, placeOf, textDiagnostics } from "../files/diagnostic.ts";
import { newBudget, type ValueBudget } from "../files/json.ts";
import { MAX_FINDINGS } from "../files/limits.ts";
import type { SourceRow, SourceRows } from "../files/rows.ts";
import { type Mapped, type Mapping, MappingFailure } from "./mapping.ts";

/** A course with the row that it comes from. */
export interface Imported {
  readonly course: PlainObject;
  readonly row: SourceRow;
  readonly rows: SourceRows;
}

/** The courses of all rows, and what is wrong with the rows. */
export interface ImportedCourses {
  readonly courses: readonly Imported[];
  readonly diagnostics: Diagnostic[];
  /** How many rows the mapping skipped. */
  readonly skipped: number;
  /** Keys that are no fields of a course; none with a mapping. */
  readonly ignored: ReadonlySet<string>;
}

/** After so many rows for which the mapping fails, the rest is not tried. */
const MOST_FAILURES = 100;

/** @param map undefined to use the keys that are fields */
export async function importRows(
  files: readonly SourceRows[],
  map: Mapping | undefined,
  onRow: (count: number) => void,
): Promise<ImportedCourses> {
  const courses: Imported[] = [];
  const diagnostics: Diagnostic[] = files.flatMap((file) => textDiagnostics(file));
  const ignored = new Set<string>();
  let skipped = 0;
  let failures = 0;
  let count = 0;
  for (const rows of files) {
    const budget = newBudget();
    const convert: Convert =
      map === undefined
        ? async (values) => values.map((value) => fieldsOf(value, rows, ignored, budget))
        : (values) => map.map(values);
    const first = courses.length;
    for await (const [row, course] of mapRows(rows.rows, convert)) {
      onRow(++count);
      if (course === undefined) skipped++;
      else if (!(course instanceof MappingFailure)) {
        const isFound = map === undefined ? Object.keys(course).length > 0 : isIdentified(course);
        if (!isFound) requireRows(row, rows);
        courses.push({ course, row, rows });
      } else {
        const { message, isFinal } = course;
        const problem: Problem = { ...MAPPING, message };
        diagnostics.push(await rowDiagnostic({ row, rows }, problem));
        // Nothing is written of an import that was not completed.
        if (isFinal || ++failures >= MOST_FAILURES) {
          return { courses: [], diagnostics, skipped, ignored };
        }
      }
    }
    const isForeign = courses.slice(first).every(({ course }) => Object.keys(course).length === 0);
    if (map === undefined && courses.length > first && isForeign) {
      courses.length = first;
      diagnostics.push(noFields(rows));
    }
  }
  return { courses, diagnostics, skipped, ignored };
}

/** Whether a mapping has found the course: partial ones may leave out the rest. */
function isIdentified(course: PlainObject): boolean {
  return [...UNIQUE_FIELDS, "name"].some((name) => course[name] !== undefined);
}

/** One finding instead of all required fields of each row. */
function noFields(rows: SourceRows): Diagnostic {
  const message = `no ${rows.isTable ? "column" : "key"} is a field of a course`;
  const facts = { rule: "not-a-course", severity: "error", path: [], message } as const;
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
    for (const [index, row] of some.slice(0, results.length).entries()) yield [row, results[index]];
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
): Mapped {
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

/** The diagnostic of a problem with a row. */
async function rowDiagnostic(
  { row, rows }: Pick<Imported, "row" | "rows">,
  { severity, rule, message, path, notes, suggestion }: Problem,
): Promise<Diagnostic> {
  const place = placeOf(rows, await row.span(), "");
  return {
    ...place,
    ...{ severity, rule, path, message: `row ${row.number}: ${message}` },
    ...(notes === undefined ? {} : { notes }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/**
 * The problems of the courses, each with the position of the row that it comes from.
 *
 * @param complete the course with the values that its file adds: defaults, and fields that it has
 */
export async function checkImported<Item extends Imported>(
  courses: readonly Item[],
  complete: (imported: Item) => PlainObject,
): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const values = new UniqueValues<Imported>();
  for (const imported of courses) {
    const course = complete(imported);
    const problems = checkCourse(course);
    for (const { field, first } of values.findRepeated(course, imported)) {
      const message = `same ${field} as row ${first.row.number} of ${first.rows.name}`;
      const rule = UNIQUE_RULES[field];
      problems.push({ rule, severity: "error", at: "value", path: [field], message });
    }
    for (const problem of problems.slice(0, MAX_FINDINGS - diagnostics.length)) {
      diagnostics.push(await rowDiagnostic(imported, problem));
    }
  }
  return diagnostics;
}
