/** Checks imported courses; each problem has the position of the row that it comes from. */
import type { PlainObject } from "../../../base/values.ts";
import { checkCourse } from "../../../course/check.ts";
import { EXTERNAL_KEY } from "../../../course/field-names.ts";
import type { Problem } from "../../../course/problem.ts";
import type { Diagnostic } from "../../../files/diagnostic.ts";
import { MAX_FINDINGS } from "../../../files/limits.ts";
import { type Imported, rowDiagnostic } from "./imported.ts";

const UNIQUE = {
  id: "duplicate-id",
  [EXTERNAL_KEY]: "duplicate-key",
  url: "duplicate-url",
} as const;

/**
 * The problems of the courses.
 *
 * @param complete the course with the values that its file adds: defaults, and fields that it has
 */
export async function checkImported(
  courses: readonly Imported[],
  complete: (imported: Imported) => PlainObject,
): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const first = new Map<string, Imported>();
  for (const imported of courses) {
    const course = complete(imported);
    for (const problem of [...checkCourse(course), ...repeated(course, imported, first)]) {
      if (diagnostics.length < MAX_FINDINGS) {
        diagnostics.push(await rowDiagnostic(imported, problem));
      }
    }
  }
  return diagnostics;
}

function repeated(
  course: PlainObject,
  imported: Imported,
  first: Map<string, Imported>,
): Problem[] {
  return Object.entries(UNIQUE).flatMap(([field, rule]): Problem[] => {
    const value = course[field];
    if (typeof value !== "string" || value === "") return [];
    const key = `${field} ${value}`;
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, imported);
      return [];
    }
    const message = `same ${field} as row ${earlier.row.number} of ${earlier.rows.name}`;
    return [{ rule, severity: "error", at: "value", path: [field], message }];
  });
}
