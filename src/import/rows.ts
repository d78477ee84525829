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
import type { Problem } from "../course/problem.ts";
import { cellValue, SKIPS_ITEMS, setValue } from "../files/csv.ts";
import { columnPath } from "../files/csv-table.ts";
import { type Diagnostic, placeOf, textDiagnostics } from "../files/diagnostic.ts";
import { newBudget, type ValueBudget } from "../files/json.ts";
import { MAX_FINDINGS } from "../files/limits.ts";
import type { SourceRows } from "../files/rows.ts";
import type { SourceRow } from "../files/table-rows.ts";
import type { Mapped, Mapping, MappingFailure } from "./mapping.ts";
import { type Imported, type PlacedRow, rowDiagnostic } from "./row-problems.ts";
import { splitTitles } from "./title-rows.ts";
import { type ColumnReport, UnderstoodValues } from "./understood-values.ts";

/** The courses of all rows, what is wrong with the rows, and what was left out. */
export interface ImportedCourses {
  readonly courses: readonly Imported[];
  readonly diagnostics: readonly Diagnostic[];
  /** The rows that are no courses: sections, totals, and those that the mapping skipped. */
  readonly skipped: readonly PlacedRow[];
  /** Rows in the files without empty ones, and those of which something is so wrong that they have no course. */
  readonly counts: { readonly rows: number; readonly failed: number };
  /** Keys that are no fields of a course; none with a mapping. */
  readonly ignored: ReadonlySet<string>;
  /** What the functions of the mapping understood. */
  readonly columns: readonly ColumnReport[];
  /** The columns that the mapping uses and a table lacks, each with the fields that use it. */
  readonly missing: readonly (readonly [rows: SourceRows, fields: Missing])[];
}

type Missing = ReturnType<Mapping["fieldsWithout"]>;

/** After so many rows that cannot be mapped, the rest is not tried. */
const MOST_FAILURES = 100;

/** What was made of the rows so far. */
interface Collected {
  readonly courses: Imported[];
  readonly diagnostics: Diagnostic[];
  readonly skipped: PlacedRow[];
  readonly counts: { rows: number; failed: number };
  readonly ignored: Set<string>;
  readonly values: UnderstoodValues;
  /** Rows that could not be mapped. */
  unmapped: number;
}

/** @param map undefined to use the keys that are fields */
export async function importRows(
  files: readonly SourceRows[],
  map: Mapping | undefined,
  onRow: (count: number) => void,
): Promise<ImportedCourses> {
  const all: Collected = {
    ...{ courses: [], skipped: [], counts: { rows: 0, failed: 0 }, unmapped: 0 },
    ...{ ignored: new Set(), values: new UnderstoodValues() },
    diagnostics: files.flatMap((file) => textDiagnostics(file)),
  };
  for (const file of files) {
    const isComplete = await importFile(file, map, all, onRow);
    // Nothing is written of an import that was not completed.
    if (!isComplete) return { ...all, courses: [], skipped: [], columns: [], missing: [] };
  }
  const missing = files.flatMap((file) => {
    const fields = file.columns && map?.fieldsWithout(file.columns);
    return fields === undefined || fields.size === 0 ? [] : [[file, fields] as const];
  });
  return { ...all, missing, columns: all.values.reports() };
}

/** Adds the rows of a file. @returns false if no other row needs to be tried */
async function importFile(
  file: SourceRows,
  map: Mapping | undefined,
  all: Collected,
  onRow: (count: number) => void,
): Promise<boolean> {
  const { counts } = all;
  const { misfits = 0 } = file;
  const { rows, titles } = map === undefined ? { rows: file.rows, titles: [] } : splitTitles(file);
  counts.rows += misfits + titles.length;
  counts.failed += misfits;
  const skipped: PlacedRow[] = titles.map((row) => ({ row, rows: file }));
  const columnsOf = map?.columnsOf.bind(map);
  let hasCourse = false;
  let hasField = false;
  for await (const [row, mapped] of mapRows(rows, converterFor(file, map, all.ignored))) {
    const placed = { row, rows: file, columnsOf };
    const { course, failures = [], understood = new Map() } = mapped;
    onRow(++counts.rows);
    for (const failure of failures) await reportFailure(placed, failure, all.diagnostics);
    const isCourse = course !== undefined && isIdentified(course);
    hasField ||= course !== undefined && Object.keys(course).length > 0;
    hasCourse ||= isCourse || failures.length > 0;
    if (isCourse) all.courses.push({ ...placed, course });
    else if (failures.length > 0) counts.failed++;
    else {
      if (course !== undefined) requireRows(row, file);
      skipped.push(placed);
      continue;
    }
    all.values.add(row.value, understood);
    if (failures.some(({ field }) => field === undefined)) all.unmapped++;
    if (failures.some(({ isFinal }) => isFinal) || all.unmapped >= MOST_FAILURES) return false;
  }
  if (!hasCourse && skipped.length > 0 && hasField === (map !== undefined)) {
    counts.failed += skipped.length;
    all.diagnostics.push(noCourses(file, map !== undefined));
  } else {
    skipped.sort((one, other) => one.row.number - other.row.number);
    for (const each of skipped) all.skipped.push(each);
  }
  return true;
}

async function reportFailure(
  placed: PlacedRow,
  { field, message }: MappingFailure,
  diagnostics: Diagnostic[],
): Promise<void> {
  if (diagnostics.length >= MAX_FINDINGS) return;
  const problem: Problem = {
    ...{ rule: "mapping", severity: "error", at: "value" },
    path: field === undefined ? [] : [field],
    message: field === undefined ? message : `${field} is left out: ${message}`,
  };
  diagnostics.push(await rowDiagnostic(placed, problem));
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

function converterFor(file: SourceRows, map: Mapping | undefined, ignored: Set<string>): Convert {
  if (map !== undefined) return (some) => map.map(some);
  const budget = newBudget();
  return async (some) => some.map((value) => fieldsOf(value, file, ignored, budget));
}

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
      yield [row, results[index] ?? {}];
    }
  }
}

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
  if (!isObject(value)) return { failures: [{ message: "the row is not an object" }] };
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
    if (budget.left < 0) return { failures: [{ message: SKIPS_ITEMS, isFinal: true }] };
  }
  return { course };
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
