/** Courses of files with the places of their values, and the problems that need the catalog to be found. */
import type { CatalogError } from "../base/errors.ts";
import type { Path, PlainObject } from "../base/values.ts";
import { FIELD_NAMES } from "../course/fields.ts";
import type { Located, Problem } from "../course/problem.ts";
import type { SourceCourse } from "../files/course-file.ts";
import { type Diagnostic, placeProblem } from "../files/diagnostic.ts";

/** A course of a file. */
export class FileCourse implements Located {
  readonly source: SourceCourse;
  readonly value: PlainObject;
  readonly file: string;
  readonly line: number;
  readonly place: SourceCourse["place"];

  /** @param value the course to send, which may have more fields than its file */
  constructor(source: SourceCourse, value: PlainObject) {
    this.source = source;
    this.value = value;
    this.file = source.file;
    this.line = source.line;
    this.place = source.place;
  }
}

/** A problem of a course of a file. */
export interface Found {
  readonly from: Located;
  readonly problem: Problem;
  /** The course of a file that is the same course. Its place takes the place of `another` in the message. */
  readonly same?: Located;
}

/** The problems at their places. */
export async function placeFound(found: readonly Found[]): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const { from, problem, same } of found) {
    const other = same === undefined ? "another" : `${same.file}:${same.line}`;
    const message = problem.message.replace("another", () => other);
    diagnostics.push(await placeProblem(sourceOf(from), { ...problem, message }));
  }
  return diagnostics;
}

/** The course as its file contains it. @throws TypeError for a course that is not from a file */
export function sourceOf(from: Located): SourceCourse {
  if (from instanceof FileCourse) return from.source;
  throw new TypeError("the course is not from a file");
}

/** The course of a result, and its place in a file, or the file that it will be written to. */
export function describePlaced(
  { id, name, url }: PlainObject,
  { file, line }: { readonly file: string; readonly line?: number },
) {
  return { id: typeof id === "string" ? id : null, name, url, from: { file, line } };
}

/** Adds the course's file to a failure, with the line of the field that the service's hint names. */
export async function locateRefusal(
  error: CatalogError,
  from: Located | undefined,
): Promise<CatalogError> {
  const field = findFieldName(error.facts.hint) ?? findFieldName(error.facts.details);
  return await locateError(error, from, field === undefined ? [] : [field]);
}

/** Adds the course's file to a failure without a place, with the line of the value at `path`. */
export async function locateError(
  error: CatalogError,
  from: Located | undefined,
  path: Path,
): Promise<CatalogError> {
  const place = error.facts.line === undefined ? await from?.place(path) : undefined;
  if (place === undefined) return error;
  const { file, line, column } = place;
  const located = error.with({ file, line, column });
  if (error.kind !== "rejected") return located;
  return located.with({ rule: error.facts.rule ?? "service", place });
}

function findFieldName(text: string | undefined): string | undefined {
  const words = new Set(text?.match(/[a-z_]+/g) ?? []);
  return FIELD_NAMES.find((name) => words.has(name));
}
