/** Turns the rows of source files into courses, with a mapping, or by the names of columns and keys. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { isObject, type PlainObject } from "../base/values.ts";
import { findField, shapeAt } from "../course/fields.ts";
import { MAX_FINDINGS, type Problem } from "../course/problem.ts";
import { EXTERNAL_KEY, isPrivateKey } from "../course/special-fields.ts";
import { type Diagnostic, placeOf, textDiagnostics } from "../files/diagnostic.ts";
import type { SourceRow, SourceRows } from "../files/rows.ts";
import { cellValue, setValue } from "../files/table.ts";
import {
  type Imported,
  type PlacedRow,
  rowDiagnostic,
  type SkippedRow,
  withoutEqual,
} from "./check-imported.ts";
import type { Mapped, Mapping, MappingFailure } from "./mapping.ts";
import { type ColumnReport, UnderstoodValues } from "./understood-values.ts";

/** The courses of all rows, the problems of the rows, and what was skipped or ignored. */
export interface ImportedCourses {
  readonly courses: readonly Imported[];
  readonly diagnostics: readonly Diagnostic[];
  /** The rows without a course: titles of sections, totals, and rows that the mapping skipped. */
  readonly skipped: readonly SkippedRow[];
  /** The number of rows that are not empty, and the number of rows that failed, and so have no course. */
  readonly counts: { readonly rows: number; readonly failed: number };
  /** The columns and keys that are not course fields; empty with a mapping. */
  readonly ignored: ReadonlySet<string>;
  /** How many values the functions of the mapping understood, by column. */
  readonly columns: readonly ColumnReport[];
  /** For each table, the columns that the mapping uses and the table does not have, with the fields that use them. */
  readonly missing: readonly (readonly [rows: SourceRows, fields: Missing])[];
  /** The columns of links that the mapping does not use, though it uses the texts of the same cells. */
  readonly links: readonly string[];
}

type Missing = ReturnType<Mapping["fieldsWithout"]>;

interface Collected {
  readonly courses: Imported[];
  readonly diagnostics: Diagnostic[];
  readonly skipped: SkippedRow[];
  readonly counts: { rows: number; failed: number };
  readonly ignored: Set<string>;
  readonly values: UnderstoodValues;
}

/** Turns the rows of files into courses. @param map undefined to use the columns and keys that are course fields */
export async function importRows(
  files: readonly SourceRows[],
  map: Mapping | undefined,
  onRow: (count: number) => void,
): Promise<ImportedCourses> {
  const all: Collected = {
    courses: [],
    skipped: [],
    counts: { rows: 0, failed: 0 },
    ignored: new Set(),
    values: new UnderstoodValues(),
    diagnostics: files.flatMap((file) => textDiagnostics(file)),
  };
  for (const file of files) await importFile(file, map, all, onRow);
  const missing = files.flatMap((file) => {
    const fields = file.columns && map?.fieldsWithout(file.columns);
    return fields === undefined || fields.size === 0 ? [] : [[file, fields] as const];
  });
  const links = files.flatMap((file) => unusedLinks(file, map));
  const { courses, same } = withoutEqual(all.courses);
  const skipped = [...all.skipped, ...same];
  return { ...all, courses, skipped, missing, links, columns: all.values.reports() };
}

function unusedLinks({ columns = new Map() }: SourceRows, map: Mapping | undefined): string[] {
  const names = [...columns].flatMap(([name, { isLink }]) => (isLink ? [name] : []));
  return names.filter((name) => map?.uses(name) === false && map.uses(name.replace(LINK, "")));
}

const LINK = / \(link\)(?: \(\d+\))?$/;

/** Adds the rows of a file. */
async function importFile(
  file: SourceRows,
  map: Mapping | undefined,
  all: Collected,
  onRow: (count: number) => void,
): Promise<void> {
  const { counts } = all;
  // The rows of a table that do not fit its header are missing.
  const misfits = file.columns === undefined ? 0 : file.problems.length;
  const sections = sectionsOf(file);
  counts.rows += misfits;
  counts.failed += misfits;
  const skipped: SkippedRow[] = [];
  const columnsOf = map?.columnsOf.bind(map);
  let hasCourse = false;
  let hasField = false;
  for (const row of file.rows) {
    // Lets the progress be shown from time to time.
    if (counts.rows % 500 === 0) await yieldToEventLoop();
    const placed = { row, rows: file, columnsOf };
    if (sections.has(row)) {
      counts.rows++;
      skipped.push(placed);
      continue;
    }
    const mapped = (await map?.map(row.value)) ?? fieldsOf(row.value, file, all.ignored);
    const { course, failures = [], counted = [] } = mapped;
    onRow(++counts.rows);
    for (const failure of failures) await reportFailure(placed, failure, all.diagnostics);
    const isCourse = course !== undefined && isIdentified(course);
    // A mapping skips a row if it returns nothing, which an object without values is not.
    hasField ||= course !== undefined && (map !== undefined || Object.keys(course).length > 0);
    hasCourse ||= isCourse || failures.length > 0;
    if (isCourse) {
      all.courses.push({ ...placed, course });
      await reportFaults(placed, map, all.diagnostics);
    } else if (failures.length > 0) counts.failed++;
    else {
      skipped.push({ ...placed, key: course?.[EXTERNAL_KEY] });
      continue;
    }
    all.values.add(counted);
  }
  if (!hasCourse && skipped.length > 0 && hasField === (map !== undefined)) {
    counts.failed += skipped.length;
    all.diagnostics.push(noCourses(file, map !== undefined));
  } else {
    for (const each of skipped) all.skipped.push(each);
  }
}

/** The rows of a table that are titles of sections: they have a single value. If most rows do, it is a list of names. */
export function sectionsOf({ rows, columns }: SourceRows): ReadonlySet<SourceRow> {
  const single = rows.filter(({ value }) => isObject(value) && Object.keys(value).length < 2);
  const hasSections = columns !== undefined && columns.size > 2 && single.length * 2 <= rows.length;
  return new Set(hasSections ? single : []);
}

async function reportFailure(
  placed: PlacedRow,
  { field, message }: MappingFailure,
  diagnostics: Diagnostic[],
): Promise<void> {
  if (diagnostics.length >= MAX_FINDINGS) return;
  const problem: Problem = {
    rule: "mapping",
    severity: "error",
    at: "value",
    path: field === undefined ? [] : [field],
    message: field === undefined ? message : `${field} was not imported: ${message}`,
  };
  diagnostics.push(await rowDiagnostic(placed, problem));
}

/** Reports the cells that a course needs, but that have no value. */
async function reportFaults(
  { row, rows }: PlacedRow,
  map: Mapping | undefined,
  diagnostics: Diagnostic[],
): Promise<void> {
  for (const [column, message] of row.faults ?? []) {
    const isUsed = map?.uses(column) ?? rows.columns?.get(column)?.shape !== undefined;
    if (!isUsed || diagnostics.length >= MAX_FINDINGS) continue;
    const placed: PlacedRow = { row, rows, columnsOf: () => [column] };
    const problem = { rule: "syntax", severity: "error", at: "value", path: [], message } as const;
    diagnostics.push(await rowDiagnostic(placed, problem));
  }
}

/** Whether a row is a course: sections and totals may have a key, but have no name and no url. */
function isIdentified(course: PlainObject): boolean {
  return ["id", "name", "url"].some((name) => course[name] !== undefined);
}

/** One problem for the whole file, instead of one for each row. */
function noCourses(rows: SourceRows, isMapped: boolean): Diagnostic {
  const advice = "; if a field has a list of courses, pass its path with --from";
  const foreign = `none of the ${rows.columns ? "columns" : "fields"} is a course field${rows.columns ? "" : advice}`;
  const message = isMapped ? "the mapping returns no name and no url for any row" : foreign;
  const rule = isMapped ? "mapping" : "not-a-course";
  const facts = { rule, severity: "error", path: [], message } as const;
  return { ...placeOf(rows, { start: 0, end: 0 }), ...facts };
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
