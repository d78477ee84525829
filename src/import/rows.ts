/** Turns the rows of source files into courses, with a mapping, or by the names of columns and keys. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { isObject } from "../base/values.ts";
import { findField, shapeAt } from "../course/fields.ts";
import { MAX_FINDINGS, type Problem, wholeProblem } from "../course/problem.ts";
import { EXTERNAL_KEY, isPrivateKey } from "../course/special-fields.ts";
import { type Diagnostic, diagnose, placeOf, textDiagnostics } from "../files/diagnostic.ts";
import { setValue } from "../files/path-keys.ts";
import type { SourceRow, SourceRows } from "../files/rows.ts";
import { cellValue } from "../files/table.ts";
import {
  type Imported,
  type PlacedRow,
  rowDiagnostic,
  type SkippedRow,
  withoutEqual,
} from "./check-imported.ts";
import type { Mapped, Mapping } from "./mapping.ts";
import { countByColumn } from "./understood-values.ts";

export type ImportedCourses = Awaited<ReturnType<typeof importRows>>;

/** A row, and what the mapping or the names of its columns give. */
type Result = PlacedRow & Mapped;

/** The courses of all rows, the problems of the rows, and what was skipped or ignored. @param map undefined to use the columns and keys that are course fields */
export async function importRows(
  files: readonly SourceRows[],
  map: Mapping | undefined,
  onRow: (count: number) => void,
) {
  const results: Result[] = [];
  const withoutCourses = new Set<SourceRows>();
  const ignored = new Set<string>();
  const columnsOf = map?.columnsOf.bind(map);
  for (const file of files) {
    const sections = sectionsOf(file);
    const first = results.length;
    for (const row of file.rows) {
      // Lets the progress be shown from time to time.
      if (results.length % 500 === 0) await yieldToEventLoop();
      const isSection = sections.has(row);
      const mapped = isSection
        ? {}
        : ((await map?.map(row.value)) ?? fieldsOf(row.value, file, ignored));
      results.push({ row, rows: file, columnsOf, ...mapped });
      onRow(results.length);
    }
    if (haveNoCourses(results.slice(first), map !== undefined)) withoutCourses.add(file);
  }
  const diagnostics = files.flatMap((file) => textDiagnostics(file));
  for (const result of results) {
    for (const [placed, problem] of problemsOf(result, map)) {
      if (diagnostics.length < MAX_FINDINGS) diagnostics.push(await rowDiagnostic(placed, problem));
    }
  }
  for (const file of withoutCourses) diagnostics.push(noCourses(file, map !== undefined));
  const used = results.filter((result) => isCourse(result) || result.failures);
  const others = results.filter((result) => !isCourse(result));
  const failed = new Set(
    others.filter(({ failures, rows }) => failures || withoutCourses.has(rows)),
  );
  const skipped = others
    .filter((result) => !failed.has(result))
    .map((result): SkippedRow => ({ ...result, key: result.course?.[EXTERNAL_KEY] }));
  // The rows of a table that do not fit its header are missing.
  const misfits = files.flatMap(({ columns, problems }) => (columns ? problems : [])).length;
  const missing = files.flatMap((file) => {
    const fields = file.columns && map?.fieldsWithout(file.columns);
    return fields === undefined || fields.size === 0 ? [] : [[file, fields] as const];
  });
  const { courses, same } = withoutEqual(results.filter(isCourse));
  return {
    courses,
    diagnostics,
    /** The rows without a course: titles of sections, totals, and rows that the mapping skipped. */
    skipped: [...skipped, ...same],
    /** The number of rows that are not empty, and the number of rows that failed, and so have no course. */
    counts: { rows: results.length + misfits, failed: failed.size + misfits },
    /** The columns and keys that are not course fields; empty with a mapping. */
    ignored,
    columns: countByColumn(used.flatMap(({ counted = [] }) => counted)),
    /** For each table, the columns that the mapping uses and the table does not have, with the fields that use them. */
    missing,
    /** The columns of links that the mapping does not use, though it uses the texts of the same cells. */
    links: files.flatMap((file) => unusedLinks(file, map)),
  };
}

function unusedLinks({ columns = new Map() }: SourceRows, map: Mapping | undefined): string[] {
  const names = [...columns].flatMap(([name, { isLink }]) => (isLink ? [name] : []));
  return names.filter((name) => map?.uses(name) === false && map.uses(name.replace(LINK, "")));
}

const LINK = / \(link\)(?: \(\d+\))?$/;

/** Whether a row is a course: sections and totals may have a key, but have no name and no url. */
function isCourse(result: Result): result is Result & Imported {
  return ["id", "name", "url"].some((name) => result.course?.[name] !== undefined);
}

/** Whether a file is wrong for the mapping, or has no columns of courses, so that each row is skipped. */
function haveNoCourses(results: readonly Result[], isMapped: boolean): boolean {
  if (results.length === 0 || results.some((each) => isCourse(each) || each.failures)) return false;
  // A mapping skips a row if it returns nothing, which an object without values is not.
  const isGiven = ({ course }: Result): boolean =>
    course !== undefined && (isMapped || Object.keys(course).length > 0);
  return results.some(isGiven) === isMapped;
}

/** The rows of a table that are titles of sections: they have a single value. If most rows do, it is a list of names. */
export function sectionsOf({ rows, columns }: SourceRows): ReadonlySet<SourceRow> {
  const single = rows.filter(({ value }) => isObject(value) && Object.keys(value).length < 2);
  const hasSections = columns !== undefined && columns.size > 2 && single.length * 2 <= rows.length;
  return new Set(hasSections ? single : []);
}

/** The problems of a row: fields for which the mapping fails, and cells that a course needs, but that have no value. */
function* problemsOf(
  result: Result,
  map: Mapping | undefined,
): Generator<readonly [PlacedRow, Problem]> {
  const { row, rows, failures = [] } = result;
  for (const { field, message } of failures) {
    const start = field === undefined ? "" : `${field} was not imported: `;
    const path = field === undefined ? [] : [field];
    yield [result, wholeProblem("mapping", start + message, { path })];
  }
  for (const [column, message] of isCourse(result) ? (row.faults ?? []) : []) {
    const isUsed = map?.uses(column) ?? rows.columns?.get(column)?.shape !== undefined;
    const placed: PlacedRow = { row, rows, columnsOf: () => [column] };
    if (isUsed) yield [placed, wholeProblem("syntax", message)];
  }
}

/** One problem for the whole file, instead of one for each row. */
function noCourses(rows: SourceRows, isMapped: boolean): Diagnostic {
  const advice = "; if a field has a list of courses, pass its path with --from";
  const foreign = `none of the ${rows.columns ? "columns" : "fields"} is a course field${rows.columns ? "" : advice}`;
  const message = isMapped ? "the mapping returns no name and no url for any row" : foreign;
  const problem = wholeProblem(isMapped ? "mapping" : "not-a-course", message);
  return diagnose(placeOf(rows), problem);
}

/** The fields of a row that are course fields; the names of the others are added to `ignored`. */
function fieldsOf(value: unknown, { columns }: SourceRows, ignored: Set<string>): Mapped {
  if (!isObject(value)) return { failures: [{ message: "the row is not an object" }] };
  const course = {};
  for (const [key, cell] of Object.entries(value)) {
    const { path, shape } = columns?.get(key) ?? { path: [key], shape: shapeAt([key]) };
    const isCell = columns !== undefined && typeof cell === "string";
    if (findField(key)?.readOnly === true) continue;
    if (shape === undefined && !isPrivateKey(key)) ignored.add(key);
    else setValue(course, path, isCell ? cellValue(cell, shape) : cell);
  }
  return { course };
}
