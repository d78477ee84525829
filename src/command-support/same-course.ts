/** Two descriptions of one course, of which a run could apply only one. */
import { isObject } from "../base/values.ts";
import { EXTERNAL_KEY } from "../course/field-names.ts";
import { type Diagnostic, placeOf, placeProblem } from "../files/diagnostic.ts";
import type { SourceCourse } from "../files/read.ts";
import type { Located, Step } from "../sync/step.ts";
import type { Context } from "./context.ts";
import { stopAtErrors } from "./course-files.ts";
import { FileCourse } from "./located.ts";

/** Requires that no two steps are for the same course. @throws CatalogError of kind `file` */
export async function requireSeparate(steps: readonly Step[], context: Context): Promise<void> {
  const first = new Map<string, Located>();
  const found: Diagnostic[] = [];
  for (const { id, from } of steps) {
    if (!(from instanceof FileCourse)) continue;
    const other = first.get(id);
    if (other === undefined) first.set(id, from);
    else found.push(await diagnoseSame(from.source, sourceOf(other), id));
  }
  await stopAtErrors(found, [], context);
}

/** The error at the second of two descriptions of a course. */
export async function diagnoseSame(
  source: SourceCourse,
  other: SourceCourse,
  id: string,
): Promise<Diagnostic> {
  const value = isObject(source.value) ? source.value : {};
  const path = [["id", EXTERNAL_KEY].find((name) => value[name]) ?? "url"];
  const first = placeOf(other.file, await other.locate([], "value"), "the other one");
  const message = `resolves to the same course as ${first.file}:${first.line}:${first.column}, with the id ${id}`;
  const problem = { rule: "same-course", severity: "error", at: "value", path, message } as const;
  return await placeProblem(source, problem, [first]);
}

/** The course of a file. @throws TypeError for one that is not from a file */
export function sourceOf(from: Located): SourceCourse {
  if (from instanceof FileCourse) return from.source;
  throw new TypeError("the course is not from a file");
}
