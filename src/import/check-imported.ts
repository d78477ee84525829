/** Checks imported courses, and reports each problem at the cell from which the value comes. */

import { isDeepStrictEqual } from "node:util";
import { parseUrl } from "../base/credentials.ts";
import { nameColumn } from "../base/spreadsheet-cells.ts";
import { truncateJson } from "../base/text.ts";
import { addTo, isObject, type Path, type PlainObject } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { MAX_FINDINGS, type Problem, wholeProblem } from "../course/problem.ts";
import { UNIQUE_RULES, UniqueValues } from "../course/special-fields.ts";
import { isCourse } from "../files/course-file.ts";
import { type Diagnostic, diagnose, placeOf } from "../files/diagnostic.ts";
import type { SourceRow, SourceRows } from "../files/rows.ts";

/** A row, and how to find the cell of a field in it. */
export interface PlacedRow {
  readonly row: SourceRow;
  readonly rows: SourceRows;
  /** The names of the columns that a field uses; by default, the columns that have the name of the field. */
  readonly columnsOf?: ((field: string) => readonly string[]) | undefined;
}

/** A row without a course, with its key if it has one, or an earlier row that gives the same course. */
export interface SkippedRow extends PlacedRow {
  readonly key?: unknown;
  readonly sameAs?: PlacedRow;
}

/** A course, and the row from which it was made. */
export interface Imported extends PlacedRow {
  readonly course: PlainObject;
  /** The course with the other values of its file: defaults, and fields that the file already has. */
  readonly completed?: PlainObject;
  /** Whether the course is new in the files, where the next import must recognize it. */
  readonly isNew?: boolean;
  /** Why it is not clear which course of the files the row means. */
  readonly unclear?: Problem;
}

/** The diagnostic for a problem with a row. */
export async function rowDiagnostic(
  placed: PlacedRow,
  { fix: _, ...problem }: Problem,
): Promise<Diagnostic> {
  const { row, rows } = placed;
  const column = columnOf(placed, problem.path);
  const cell = column === undefined ? "" : describeCell(placed, column);
  const place = placeOf(rows, await row.span(column));
  return diagnose({ ...place, label: `row ${row.number}${cell}: ` }, problem);
}

/** The column of a table from which the value at a path comes; undefined if there is none, or several. */
function columnOf({ row, rows, columnsOf }: PlacedRow, path: Path): string | undefined {
  const { columns } = rows;
  if (columns === undefined) return undefined;
  const named =
    columnsOf === undefined
      ? [...columns].flatMap(([name, own]) => (areRelated(own.path, path) ? [name] : []))
      : columnsOf(String(path[0])).filter((name) => columns.has(name));
  const isFilled = (name: string): boolean => isObject(row.value) && name in row.value;
  const [only, ...others] = named.length > 1 ? named.filter(isFilled) : named;
  return others.length === 0 ? only : undefined;
}

function areRelated(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length);
  return length > 0 && one.slice(0, length).every((step, index) => step === other[index]);
}

/** Describes a cell for a message: `, column L "Bild" ("bilder/excel.png")`. */
function describeCell({ row, rows }: PlacedRow, column: string): string {
  const letters = nameColumn(rows.columns?.get(column)?.index ?? 0);
  const header = column === `Column ${letters}` ? "" : ` ${truncateJson(column)}`;
  const value = isObject(row.value) ? row.value[column] : undefined;
  return `, column ${letters}${header}${value === undefined ? "" : ` (${truncateJson(value)})`}`;
}

/** Checks courses. @returns their problems, and the courses that cannot be imported */
export async function checkImported(
  courses: readonly Imported[],
): Promise<{ readonly diagnostics: Diagnostic[]; readonly refused: ReadonlySet<Imported> }> {
  const repeated = findRepeated(courses);
  const refused = new Set(repeated.keys());
  const diagnostics: Diagnostic[] = [];
  const left = { error: MAX_FINDINGS, warning: MAX_FINDINGS };
  for (const imported of courses) {
    const { course, completed = course, isNew = false, unclear } = imported;
    const obstacle = unclear ?? (isNew && !isCourse(course) ? FRAGMENT : undefined);
    if (obstacle !== undefined) refused.add(imported);
    const own = obstacle === undefined ? checkCourse(completed) : [obstacle];
    const problems = [...own, ...(repeated.get(imported) ?? [])];
    for (const problem of problems) {
      if (left[problem.severity]-- > 0) diagnostics.push(await rowDiagnostic(imported, problem));
    }
  }
  return { diagnostics, refused };
}

const FRAGMENT = wholeProblem(
  "not-a-course",
  "one field is not enough for a course file; add the other fields",
);

/** The problems of courses that share a value that must be unique: at most one for each field of a course. */
function findRepeated(courses: readonly Imported[]): ReadonlyMap<Imported, readonly Problem[]> {
  const repeated = new Map<Imported, Problem[]>();
  const values = new UniqueValues<Imported>();
  for (const imported of courses) {
    const { course, completed = course } = imported;
    for (const { field, first } of values.findRepeated(completed, imported)) {
      // What is not a URL has a problem of its own.
      if (field === "url" && parseUrl(String(completed.url)) === undefined) continue;
      for (const one of [first, imported]) {
        if (repeated.get(one)?.some(({ path }) => path[0] === field)) continue;
        const other = one === first ? imported : first;
        const file = one.rows === other.rows ? "" : ` of ${other.rows.name}`;
        const message = `the ${field} is also in row ${other.row.number}${file}, so neither course is imported`;
        addTo(repeated, one, wholeProblem(UNIQUE_RULES[field], message, { path: [field] }));
      }
    }
  }
  return repeated;
}

/** Separates the rows that give the same course as an earlier row, such as the dates of one course. */
export function withoutEqual(courses: readonly Imported[]): {
  readonly courses: readonly Imported[];
  readonly same: readonly SkippedRow[];
} {
  const values = new UniqueValues<Imported>();
  const same: SkippedRow[] = [];
  const kept = courses.filter((imported) => {
    const sameAs = [...values.findRepeated(imported.course, imported)].find(({ first }) =>
      isDeepStrictEqual(first.course, imported.course),
    )?.first;
    if (sameAs !== undefined) same.push({ ...imported, sameAs });
    return sameAs === undefined;
  });
  return { courses: kept, same };
}
