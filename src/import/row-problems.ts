/** Checks imported courses, and places their problems: at the cells that the values come from. */
import { isObject, type Path, type PlainObject } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { UNIQUE_RULES, UniqueValues } from "../course/field-names.ts";
import { isCourse } from "../course/is-course.ts";
import type { Problem } from "../course/problem.ts";
import { columnPath } from "../files/csv-table.ts";
import { type Diagnostic, placeOf } from "../files/diagnostic.ts";
import { MAX_FINDINGS } from "../files/limits.ts";
import type { SourceRow, SourceRows } from "../files/rows.ts";
import { nameColumn } from "../files/sheet-lines.ts";
import { shortValue } from "./understood-values.ts";

/** A row with what is needed to find the cell of a field. */
export interface PlacedRow {
  readonly row: SourceRow;
  readonly rows: SourceRows;
  /** The names of the columns that a field uses; those of the header that name it, if it is omitted. */
  readonly columnsOf?: ((field: string) => readonly string[]) | undefined;
}

/** A course with the row that it comes from. */
export interface Imported extends PlacedRow {
  readonly course: PlainObject;
}

/** The diagnostic of a problem with a row. */
export async function rowDiagnostic(
  placed: PlacedRow,
  { severity, rule, message, path, notes, suggestion }: Problem,
): Promise<Diagnostic> {
  const { row, rows } = placed;
  const column = columnOf(placed, path);
  const place = placeOf(rows, await row.span(column), "");
  const where = `row ${row.number}${column === undefined ? "" : describeCell(placed, column)}`;
  return {
    ...place,
    ...{ severity, rule, path, message: `${where}: ${message}` },
    ...(notes === undefined ? {} : { notes }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** The column of a table that the value at a path comes from; undefined if it is none, or one of several. */
function columnOf({ row, rows, columnsOf }: PlacedRow, path: Path): string | undefined {
  const { columns } = rows;
  if (columns === undefined) return undefined;
  const named =
    columnsOf === undefined
      ? [...columns.keys()].filter((name) => areRelated(columnPath(name), path))
      : columnsOf(String(path[0])).filter((name) => columns.has(name));
  const isFilled = (name: string): boolean => isObject(row.value) && name in row.value;
  const [only, ...others] = named.length > 1 ? named.filter(isFilled) : named;
  return others.length === 0 ? only : undefined;
}

/** Whether one path leads to the other. */
function areRelated(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length);
  return length > 0 && one.slice(0, length).every((step, index) => step === other[index]);
}

/** `, column L "Bild" ("bilder/excel.png")`. */
function describeCell({ row, rows }: PlacedRow, column: string): string {
  const letters = nameColumn(rows.columns?.get(column) ?? 0);
  const header = column === `Column ${letters}` ? "" : ` ${shortValue(column)}`;
  const value = isObject(row.value) ? row.value[column] : undefined;
  return `, column ${letters}${header}${value === undefined ? "" : ` (${shortValue(value)})`}`;
}

/** What is checked besides the imported fields. */
export interface CheckedAs<Item> {
  /** The course with the values that its file adds: defaults, and fields that it has. */
  readonly complete: (imported: Item) => PlainObject;
  /** Whether the course is added to files, in which the next import must recognize it. */
  readonly isNew: (imported: Item) => boolean;
}

/** The problems of the courses, and those courses that cannot be imported. */
export async function checkImported<Item extends Imported>(
  courses: readonly Item[],
  { complete, isNew }: CheckedAs<Item>,
): Promise<{ readonly diagnostics: Diagnostic[]; readonly refused: ReadonlySet<Item> }> {
  const completed = new Map(courses.map((imported) => [imported, complete(imported)]));
  const repeated = findRepeated(completed);
  const refused = new Set(repeated.keys());
  const diagnostics: Diagnostic[] = [];
  for (const [imported, course] of completed) {
    const isFragment = isNew(imported) && !isCourse(imported.course);
    if (isFragment) refused.add(imported);
    const problems = isFragment
      ? [FRAGMENT]
      : [...checkCourse(course), ...(repeated.get(imported)?.values() ?? [])];
    for (const problem of problems.slice(0, MAX_FINDINGS - diagnostics.length)) {
      diagnostics.push(await rowDiagnostic(imported, problem));
    }
  }
  return { diagnostics, refused };
}

const FRAGMENT: Problem = {
  ...{ rule: "not-a-course", severity: "error", at: "value", path: [] },
  message: "a single field is too little for a course file: add the others",
};

/** The problems of courses that share a value which must be unique, by field. */
function findRepeated<Item extends Imported>(
  courses: ReadonlyMap<Item, PlainObject>,
): ReadonlyMap<Item, ReadonlyMap<string, Problem>> {
  const repeated = new Map<Item, Map<string, Problem>>();
  const values = new UniqueValues<Item>();
  for (const [imported, course] of courses) {
    for (const { field, first } of values.findRepeated(course, imported)) {
      for (const [one, other] of [
        [first, imported],
        [imported, first],
      ] as const) {
        const problems = repeated.get(one) ?? new Map<string, Problem>();
        repeated.set(one, problems);
        if (problems.has(field)) continue;
        const file = one.rows === other.rows ? "" : ` of ${other.rows.name}`;
        const message = `same ${field} as row ${other.row.number}${file}; neither course is imported`;
        const rule = UNIQUE_RULES[field];
        problems.set(field, { rule, severity: "error", at: "value", path: [field], message });
      }
    }
  }
  return repeated;
}
