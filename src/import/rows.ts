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
import { MAX_FINDINGS } from "../files/limits.ts";
import type { SourceRow, SourceRows } from "../files/rows.ts";
import { type Mapped, type Mapping, MappingFailure } from "./mapping.ts";
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

/** @param map undefined to use the keys that are fields */
export async function importRows(
  files: readonly SourceRows[],
  map: Mapping | undefined,
  onRow: (count: number) => void,
): Promise<ImportedCourses> {
  const converted = new ConvertedRows(files);
  const ignored = new Set<string>();
  let isComplete = true;
  for (const file of files) {
    const budget = newBudget();
    const convert: Convert =
      map === undefined
        ? async (some) => some.map((value) => ({ course: fieldsOf(value, file, ignored, budget) }))
        : (some) => map.map(some);
    const { rows, titles } =
      map === undefined ? { rows: file.rows, titles: [] } : splitTitles(file);
    const columnsOf = map?.columnsOf.bind(map);
    converted.begin(file, titles);
    for await (const [row, mapped] of mapRows(rows, convert)) {
      await converted.add({ row, rows: file, columnsOf }, mapped);
      onRow(converted.counts.rows);
      isComplete &&= !converted.isHopeless;
      if (!isComplete) break;
    }
    if (!isComplete) break;
    converted.end(file, map !== undefined);
  }
  const { courses, diagnostics, skipped, counts, values } = converted;
  const missing = files.flatMap((file) => {
    const fields = file.columns && map?.fieldsWithout(file.columns);
    return fields === undefined || fields.size === 0 ? [] : [[file, fields] as const];
  });
  const found = { diagnostics, counts, ignored, missing };
  // Nothing is written of an import that was not completed.
  return isComplete
    ? { ...found, courses, skipped, columns: values.reports() }
    : { ...found, courses: [], skipped: [], columns: [] };
}

/** Collects what becomes of the rows. */
class ConvertedRows {
  readonly courses: Imported[] = [];
  readonly diagnostics: Diagnostic[];
  readonly skipped: PlacedRow[] = [];
  readonly counts = { rows: 0, failed: 0 };
  readonly values = new UnderstoodValues();
  /** Whether no other row needs to be tried. */
  isHopeless = false;
  #failures = 0;
  /** The rows of the current file that are no courses, and whether any has a field. */
  #skipped: PlacedRow[] = [];
  #hasCourse = false;
  #hasField = false;

  constructor(files: readonly SourceRows[]) {
    this.diagnostics = files.flatMap((file) => textDiagnostics(file));
  }

  /** Begins a file. @param titles rows that are not to be added */
  begin(file: SourceRows, titles: readonly SourceRow[]): void {
    const { misfits = 0 } = file;
    this.counts.rows += misfits + titles.length;
    this.counts.failed += misfits;
    this.#skipped = titles.map((row) => ({ row, rows: file }));
    this.#hasCourse = false;
    this.#hasField = false;
  }

  async add(
    placed: PlacedRow,
    { course, failures = new Map(), understood }: Mapped,
  ): Promise<void> {
    this.counts.rows++;
    if (course instanceof MappingFailure) {
      this.counts.failed++;
      this.#hasCourse = true;
      this.isHopeless = course.isFinal || ++this.#failures >= MOST_FAILURES;
      await this.#report(placed, course.message);
      return;
    }
    const isCourse = course !== undefined && isIdentified(course);
    this.#hasField ||= course !== undefined && Object.keys(course).length > 0;
    this.#hasCourse ||= isCourse || failures.size > 0;
    if (isCourse) this.courses.push({ ...placed, course });
    else if (failures.size > 0) this.counts.failed++;
    else {
      if (course !== undefined) requireRows(placed.row, placed.rows);
      this.#skipped.push(placed);
      return;
    }
    if (understood !== undefined) this.values.add(placed.row.value, understood);
    for (const [field, { message }] of failures) {
      await this.#report(placed, `${field} is left out: ${message}`, [field]);
    }
  }

  async #report(placed: PlacedRow, message: string, path: Path = []): Promise<void> {
    if (this.diagnostics.length >= MAX_FINDINGS) return;
    const problem = { rule: "mapping", severity: "error", at: "value", path, message } as const;
    this.diagnostics.push(await rowDiagnostic(placed, problem));
  }

  /** Ends a file: if none of its rows is a course, that is one finding. */
  end(file: SourceRows, isMapped: boolean): void {
    const isUseless = !this.#hasCourse && this.#skipped.length > 0 && this.#hasField === isMapped;
    if (isUseless) {
      this.counts.failed += this.#skipped.length;
      this.diagnostics.push(noCourses(file, isMapped));
    } else {
      this.skipped.push(...this.#skipped.sort((one, other) => one.row.number - other.row.number));
    }
  }
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
