/** Compares a workbook with what it remembers: the values that it had when catalog wrote it. */
import { isObject, type Path, type PlainObject, valueAt } from "../base/values.ts";
import { UNIQUE_FIELDS } from "../course/field-names.ts";
import { keyAt } from "../course/fields.ts";
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
 * Completes the courses of a sheet: null for a value whose cells were emptied, so that it is cleared; and the values of
 * columns that were removed, so that they stay, where the course needs them or has other values of the field.
 */
export function completeFrom({ courses, columns }: Memory, sheet: Parsed): void {
  const known = new Map(courses.flatMap((one) => namesOf(one).map((name) => [name, one] as const)));
  const present = new Set(sheet.columns?.map((path) => JSON.stringify(path)));
  for (const course of sheet.documents.flat().filter(isObject)) {
    const before = known.get(namesOf(course)[0] ?? "");
    for (const path of before === undefined ? [] : columns) {
      const old = valueAt(before, path) ?? null;
      if (old === null || valueAt(course, path) !== undefined) continue;
      const isEmptied = present.has(JSON.stringify(path));
      const hasOthers = (valueAt(course, path.slice(0, 1)) ?? null) !== null;
      const key = path.length === 1 && !isEmptied ? keyAt(path) : undefined;
      const isNeeded = key?.required === true && !Object.hasOwn(course, key.replacedBy ?? "");
      if (hasOthers || isNeeded) setValue(course, path, isEmptied ? null : old);
      else if (isEmptied) setValue(course, path.slice(0, 1), null);
    }
  }
}

/** What names a course, the surest first: its id, key and url. */
function namesOf(course: PlainObject): string[] {
  const own = UNIQUE_FIELDS.filter((field) => typeof course[field] === "string");
  return own.map((field) => JSON.stringify([field, course[field]]));
}
