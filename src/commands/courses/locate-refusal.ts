/** Locates what the service rejected in the course file that it came from. */
import type { CatalogError } from "../../base/errors.ts";
import type { Path } from "../../base/values.ts";
import { FIELD_NAMES } from "../../course/field-names.ts";
import type { SourceCourse } from "../../files/read.ts";

/** Where a course is described, if it is from a file. */
export interface Described {
  readonly source?: SourceCourse | undefined;
  /** Where it was described when a plan was made. */
  readonly place?: { readonly file: string; readonly line: number };
}

/** Adds the course's file to a failure, and the line of the field that the service's hint names. */
export async function locateRefusal(
  error: CatalogError,
  described: Described,
): Promise<CatalogError> {
  const field = findFieldName(error.facts.hint) ?? findFieldName(error.facts.details);
  return await locateFailure(error, described, field === undefined ? [] : [field]);
}

/** Adds the course's file and the line of the value at `path` to a failure. */
export async function locateFailure(
  error: CatalogError,
  { source, place }: Described,
  path: Path,
): Promise<CatalogError> {
  const rule = error.kind === "refused" ? (error.facts.rule ?? "service") : error.facts.rule;
  if (source === undefined) {
    return place === undefined ? error : error.with({ ...place, column: 1, rule });
  }
  const { lines, name: file } = source.file;
  const span = await source.locate(path, "value");
  const { line, column, endLine, endColumn } = lines.range(span);
  if (error.kind !== "refused") return error.with({ file, line, column });
  const excerpt = { ...lines.excerpt(span), endLine, endColumn };
  return error.with({ file, line, column, rule, excerpt });
}

function findFieldName(text: string | undefined): string | undefined {
  const words = new Set(text?.match(/[a-z_]+/g) ?? []);
  return FIELD_NAMES.find((name) => words.has(name));
}
