/** Ties what the service refused to the file and line that it speaks of (cli.md section 8). */
import type { CatalogError } from "../../base/errors.ts";
import { FIELDS } from "../../course/fields.ts";
import type { SourceCourse } from "../../files/read.ts";

/**
 * The failure with the file of its course, and the line of the field that the service's words name.
 */
export function placeRefusal(error: CatalogError, source: SourceCourse | undefined): CatalogError {
  if (source === undefined) return error;
  const field = namedField(error.facts.hint) ?? namedField(error.facts.details);
  const path = field === undefined ? [] : [field];
  const { lines } = source.file;
  const { line, column, endLine, endColumn } = lines.range(source.locate(path, "value"));
  const isRefusal = error.kind === "refused";
  return error.with({
    file: source.file.name,
    line,
    column,
    ...(isRefusal
      ? { rule: "service", excerpt: { source: lines.line(line), endLine, endColumn } }
      : {}),
  });
}

/** The first field that the text names as a whole word. */
function namedField(text: string | undefined): string | undefined {
  const words = new Set(text?.match(/[a-z_]+/g) ?? []);
  return FIELDS.find((field) => words.has(field.name))?.name;
}
