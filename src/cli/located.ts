/** Courses with their files and lines, for results and errors. */
import type { CatalogError } from "../base/errors.ts";
import { isObject, type Path, type PlainObject } from "../base/values.ts";
import type { Mismatch } from "../core/identify.ts";
import { findLostCharacters } from "../core/risks.ts";
import type { Step } from "../core/step.ts";
import { EXTERNAL_KEY, FIELD_NAMES } from "../course/field-names.ts";
import type { Located, Place } from "../course/located.ts";
import type { SourceCourse } from "../files/course-file.ts";
import { type Diagnostic, placeOf, placeProblem } from "../files/diagnostic.ts";
import type { Context } from "./context.ts";
import { stopAtErrors } from "./course-files.ts";

/** A course of a file. */
export class FileCourse implements Located {
  readonly source: SourceCourse;
  readonly value: PlainObject;

  /** @param value the course to send, which may have more fields than its file */
  constructor(source: SourceCourse, value: PlainObject) {
    this.source = source;
    this.value = value;
  }

  get file(): string {
    return this.source.file.name;
  }

  line(): Promise<number> {
    return this.source.line();
  }

  async place(path: Path): Promise<Place> {
    const { lines, name: file } = this.source.file;
    const span = await this.source.locate(path, "value");
    const { line, column, endLine, endColumn } = lines.range(span);
    return { file, line, column, excerpt: { ...lines.excerpt(span), endLine, endColumn } };
  }
}

/** The course of a result. @param place its place in a file, or the name of the file that it will be written to */
export function describePlaced({ id, name, url }: PlainObject, place: SourceCourse | string) {
  const from =
    typeof place === "string"
      ? { file: place, line: async () => undefined }
      : { file: place.file.name, line: place.line };
  return { id: typeof id === "string" ? id : null, name, url, from };
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
  const { excerpt, ...position } = place;
  if (error.kind !== "refused") return error.with(position);
  return error.with({ ...position, rule: error.facts.rule ?? "service", excerpt });
}

function findFieldName(text: string | undefined): string | undefined {
  const words = new Set(text?.match(/[a-z_]+/g) ?? []);
  return FIELD_NAMES.find((name) => words.has(name));
}

/** Requires that each course has at most one step. @throws ReportedError of kind `file` */
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

/** The error at the second of two places that contain the same course. */
export async function diagnoseSame(
  source: SourceCourse,
  other: SourceCourse,
  id: string,
): Promise<Diagnostic> {
  const value = isObject(source.value) ? source.value : {};
  const path = [["id", EXTERNAL_KEY].find((name) => value[name]) ?? "url"];
  const first = placeOf(other.file, await other.locate([], "value"), "the same course");
  const message = `is the same course as ${first.file}:${first.line}:${first.column} (id ${id})`;
  const problem = { rule: "same-course", severity: "error", at: "value", path, message } as const;
  return await placeProblem(source, problem, [first]);
}

/** The error of a course of a file that fits several courses, or of which the id or key names another one than the url. */
export async function diagnoseMatch(from: Located, match: Mismatch): Promise<Diagnostic> {
  const error = { severity: "error", at: "value" } as const;
  const source = sourceOf(from);
  if ("candidates" in match) {
    const ids = match.candidates.map(({ id }) => id).join(", ");
    const field = from.value.url === undefined ? EXTERNAL_KEY : "url";
    const message = `several courses in the catalog have this ${field}: add the id of your course (${ids})`;
    return await placeProblem(source, {
      ...error,
      rule: "several-courses",
      path: [field],
      message,
    });
  }
  const { field, own: found, other } = match;
  const own = found === undefined ? "no course in the catalog" : `the course ${found.id}`;
  const message = `${field} names ${own}, but the course with this url is ${other.id}: correct the ${field} or the url`;
  return await placeProblem(source, { ...error, rule: "other-id", path: [field], message });
}

/** The errors of texts that have question marks in place of letters. */
export async function diagnoseLost(steps: readonly Step[]): Promise<Diagnostic[]> {
  const message =
    "letters of the text in the catalog are question marks here: a program saved the file without them";
  const error = { severity: "error", at: "value", rule: "lost-characters", message } as const;
  const found = steps.flatMap((step) => {
    const { from } = step;
    if (!(from instanceof FileCourse)) return [];
    return findLostCharacters(step).map((path) => placeProblem(from.source, { ...error, path }));
  });
  return await Promise.all(found);
}

/** The course as its file contains it. @throws TypeError for a course that is not from a file */
export function sourceOf(from: Located): SourceCourse {
  if (from instanceof FileCourse) return from.source;
  throw new TypeError("the course is not from a file");
}
