/** Ties what the service refused to the file and line that it speaks of (cli.md section 8). */
import type { CatalogError } from "../../base/errors.ts";
import type { Path } from "../../base/values.ts";
import { FIELDS } from "../../course/fields.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import type { SourceCourse } from "../../files/read.ts";

/**
 * The failure with the file of its course, and the line of the field that the service's words name.
 */
export function placeRefusal(error: CatalogError, source: SourceCourse | undefined): CatalogError {
  if (source === undefined) return error;
  const field = namedField(error.facts.hint) ?? namedField(error.facts.details);
  return placeFailure(error, source, field === undefined ? [] : [field]);
}

/** The failure with the file of its course, and the line of the value that it speaks of. */
export function placeFailure(error: CatalogError, source: SourceCourse, path: Path): CatalogError {
  const { lines } = source.file;
  const { line, column, endLine, endColumn } = lines.range(source.locate(path, "value"));
  const isRefusal = error.kind === "refused";
  return error.with({
    file: source.file.name,
    line,
    column,
    ...(isRefusal
      ? { rule: "service", excerpt: { ...lines.excerpt(line, column), endLine, endColumn } }
      : {}),
  });
}

/** A failure that was placed in its file, as `check` reports findings; none where it has no place. */
export function refusalDiagnostic({ message, facts }: CatalogError): Diagnostic | undefined {
  const { file, line = 1, column = 1, excerpt, hint, details } = facts;
  if (file === undefined) return undefined;
  const words = [message, hint, details].filter((part) => part !== undefined && part.trim() !== "");
  return {
    ...{ file, line, column },
    endLine: excerpt?.endLine ?? line,
    endColumn: excerpt?.endColumn ?? column,
    severity: "error",
    rule: "service",
    message: words.join(": "),
    path: [],
    ...(excerpt === undefined ? {} : { source: excerpt.source }),
    ...(excerpt?.sourceFrom === undefined ? {} : { sourceFrom: excerpt.sourceFrom }),
  };
}

/** The first field that the text names as a whole word. */
function namedField(text: string | undefined): string | undefined {
  const words = new Set(text?.match(/[a-z_]+/g) ?? []);
  return FIELDS.find((field) => words.has(field.name))?.name;
}
