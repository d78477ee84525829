/** Compares a workbook with what it remembers: the values that it had when catalog wrote it. */
import { isObject, type Path, type PlainObject, valueAt } from "../base/values.ts";
import { UNIQUE_FIELDS } from "../course/field-names.ts";
import type { Parsed } from "./parsed.ts";
import { parseCourses, setValue, type Table } from "./table.ts";

/** What a workbook remembers of its courses. */
export interface Memory {
  readonly courses: readonly PlainObject[];
  readonly columns: readonly Path[];
}

export function readMemory(table: Table): Memory {
  const { documents, columns = [] } = parseCourses(table);
  return { courses: documents.flat().filter(isObject), columns };
}

/**
 * Completes the courses of a sheet: null for a value whose cells were emptied, so that it is cleared; and of a field
 * with some columns left, the values of the columns that were removed, so that they stay.
 */
export function completeFrom({ courses, columns }: Memory, sheet: Parsed): void {
  const known = new Map<string, PlainObject>();
  for (const course of courses) for (const name of namesOf(course)) known.set(name, course);
  const present = new Set(sheet.columns?.map((path) => JSON.stringify(path)));
  for (const course of sheet.documents.flat().filter(isObject)) {
    const [name = ""] = namesOf(course);
    const before = known.get(name);
    for (const path of before === undefined ? [] : columns) {
      const old = valueAt(before, path) ?? null;
      if (old === null || valueAt(course, path) !== undefined) continue;
      const isEmptied = present.has(JSON.stringify(path));
      const hasOthers = path.length > 1 && (valueAt(course, path.slice(0, 1)) ?? null) !== null;
      if (hasOthers) setValue(course, path, isEmptied ? null : old);
      else if (isEmptied) setValue(course, path.slice(0, 1), null);
    }
  }
}

/** What names a course, the surest first: its id, key and url. */
function namesOf(course: PlainObject): string[] {
  return UNIQUE_FIELDS.flatMap((field) => {
    const value = course[field];
    return typeof value === "string" ? JSON.stringify([field, value]) : [];
  });
}
