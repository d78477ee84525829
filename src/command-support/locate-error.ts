/** Locates what the service rejected in the course file that it came from. */
import type { CatalogError } from "../base/errors.ts";
import type { Path } from "../base/values.ts";
import { FIELD_NAMES } from "../course/field-names.ts";
import type { Located } from "../sync/step.ts";

/** Adds the course's file to a failure, and the line of the field that the service's hint names. */
export async function locateRefusal(
  error: CatalogError,
  from: Located | undefined,
): Promise<CatalogError> {
  const field = findFieldName(error.facts.hint) ?? findFieldName(error.facts.details);
  return await locateError(error, from, field === undefined ? [] : [field]);
}

/** Adds the course's file and the line of the value at `path` to a failure. */
export async function locateError(
  error: CatalogError,
  from: Located | undefined,
  path: Path,
): Promise<CatalogError> {
  const place = await from?.place(path);
  if (place === undefined) return error;
  const { excerpt, ...position } = place;
  if (error.kind !== "refused") return error.with(position);
  return error.with({ ...position, rule: error.facts.rule ?? "service", excerpt });
}

function findFieldName(text: string | undefined): string | undefined {
  const words = new Set(text?.match(/[a-z_]+/g) ?? []);
  return FIELD_NAMES.find((name) => words.has(name));
}
