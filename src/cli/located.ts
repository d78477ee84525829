/** Courses with their files and lines, for results and errors. */
import type { CatalogError } from "../base/errors.ts";
import type { Path, PlainObject } from "../base/values.ts";
import { FIELD_NAMES } from "../course/field-names.ts";
import type { Located } from "../course/located.ts";
import type { SourceCourse } from "../files/course-file.ts";

/** The course of a result. @param place its place in a file, or the name of the file that it will be written to */
export function describePlaced({ id, name, url }: PlainObject, place: SourceCourse | string) {
  const from =
    typeof place === "string"
      ? { file: place, line: undefined }
      : { file: place.file.name, line: place.line() };
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
