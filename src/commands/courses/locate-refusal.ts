/** Locates what the service rejected in the course file that it came from. */
import type { CatalogError } from "../../base/errors.ts";
import type { Path } from "../../base/values.ts";
import { FIELD_NAMES } from "../../course/field-names.ts";
import type { SourceCourse } from "../../files/read.ts";
import type { StepItem } from "./push/push-step.ts";

/** Adds the course's file to a failure, and the line of the field that the service's hint names. */
export async function locateRefusal(
  error: CatalogError,
  source: SourceCourse | undefined,
): Promise<CatalogError> {
  if (source === undefined) return error;
  const field = findFieldName(error.facts.hint) ?? findFieldName(error.facts.details);
  return await locateFailure(error, source, field === undefined ? [] : [field]);
}

/** Adds the course's file and the line of the value at `path` to a failure. */
export async function locateFailure(
  error: CatalogError,
  source: SourceCourse,
  path: Path,
): Promise<CatalogError> {
  const { lines } = source.file;
  const span = await source.locate(path, "value");
  const { line, column, endLine, endColumn } = lines.range(span);
  const facts = { file: source.file.name, line, column };
  if (error.kind !== "refused") return error.with(facts);
  const excerpt = { ...lines.excerpt(span), endLine, endColumn };
  return error.with({ ...facts, rule: error.facts.rule ?? "service", excerpt });
}

/** As `locateRefusal`, for a course whose file may not have been read. */
export async function locateItemRefusal(
  error: CatalogError,
  item: Pick<StepItem, "source" | "place">,
): Promise<CatalogError> {
  return item.source === undefined
    ? locateAt(error, item.place)
    : await locateRefusal(error, item.source);
}

/** As `locateFailure`, for a course whose file may not have been read. */
export async function locateItemFailure(
  error: CatalogError,
  item: Pick<StepItem, "source" | "place">,
  path: Path,
): Promise<CatalogError> {
  return item.source === undefined
    ? locateAt(error, item.place)
    : await locateFailure(error, item.source, path);
}

function locateAt(error: CatalogError, place: StepItem["place"]): CatalogError {
  if (place === undefined) return error;
  const rule = error.kind === "refused" ? (error.facts.rule ?? "service") : error.facts.rule;
  return error.with({ ...place, column: 1, rule });
}

function findFieldName(text: string | undefined): string | undefined {
  const words = new Set(text?.match(/[a-z_]+/g) ?? []);
  return FIELD_NAMES.find((name) => words.has(name));
}
