/** Suggests a mapping from the names and values of the columns of another system. */
import { usageError } from "../base/errors.ts";
import { pluralize, quoteShell } from "../base/text.ts";
import { isObject, type Path } from "../base/values.ts";
import { COURSE_SHAPE } from "../course/fields.ts";
import type { SourceRows } from "../files/rows.ts";
import { WRITERS, writeUnpublished } from "./expressions.ts";
import { findColumns, GUESSED_FIELDS, MISSING } from "./field-guesses.ts";
import { type SourceColumn, sampleOf, sourceColumns } from "./source-columns.ts";

/** The source of an import, in the words of the command line. */
export interface Source {
  readonly paths: readonly string[];
  /** The path of the list of rows. */
  readonly from: Path | undefined;
  readonly sheet: string | undefined;
  readonly encoding: string | undefined;
}

/** The command that imports the same source: `catalog courses import a.csv`; with a mapping, into a folder. */
export function sourceCommand({ paths, from, sheet, encoding }: Source, map?: string): string {
  const flags = { from: from?.join("."), sheet, encoding };
  const words = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoteShell(value)],
  );
  const files = paths.map(quoteShell);
  const rest = map === undefined ? [] : [`--map ${map} --out <folder>`];
  return ["catalog courses import", ...files, ...words, ...rest].join(" ");
}

/** What `import` and `--suggest` say if nothing is mapped to the field `published`. */
export const ALL_PUBLISHED =
  'All courses will be published, because nothing is mapped to "published".';

/**
 * Drafts a mapping, with a comment for each field. `hasPublished` is whether it says which courses are published.
 *
 * @throws CatalogError of kind `usage` without rows
 */
export function suggestMapping(files: readonly SourceRows[], source: Source) {
  const columns = sourceColumns(files);
  const names = files.map(({ name }) => name).join(", ");
  if (columns.length === 0) {
    throw usageError(
      `${names} has no rows from which to suggest a mapping`,
      "Pass a table with a header and rows, or a list of objects.",
    );
  }
  const rows = files.reduce((sum, file) => sum + file.rows.length, 0);
  const { lines, fields, unused } = guessFields(
    columns.filter(({ values }) => values.length > 0),
    source,
  );
  const hasPublished = fields.has("published");
  const mapping = [
    `/* This mapping turns ${comment(names)} (${pluralize(rows, "row")}) into courses. Edit it, then run:`,
    `   ${comment(sourceCommand(source, "<this file>"))}`,
    "   A mapping is a JSONata expression (https://jsonata.org). For more functions, run:",
    "   catalog courses import --help */",
    ...(hasPublished ? [] : [`/* ${ALL_PUBLISHED} */`]),
    "{",
    ...lines.map(({ line, note }, index) => {
      const comma = index === lines.length - 1 ? "" : ",";
      return `  ${line}${comma} /* ${comment(note)} */`;
    }),
    "}",
    ...(unused.length === 0 ? [] : [UNUSED, ...unused.map((line) => `   ${comment(line)}`), "*/"]),
    "",
  ].join("\n");
  return { mapping, hasPublished };
}

const UNUSED = "/* The mapping does not use these columns. To use one, copy its name to a field:";

function comment(text: string): string {
  return text.replaceAll("*/", "* /").replace(/[\p{Cc}]/gu, " ");
}

/** The lines of a mapping with their comments, the fields that they give, and lines about the other columns. */
function guessFields(columns: readonly SourceColumn[], { from = [] }: Source) {
  const lines: { readonly line: string; readonly note: string }[] = [];
  const fields = new Set<string>();
  const used = new Set<SourceColumn>();
  const advice = new Map<SourceColumn, string>();
  for (const field of GUESSED_FIELDS) {
    const found = findColumns(field, columns);
    // Only the user knows which of several columns that look like a status counts.
    const hasRivals = field === "published" && found.size > 1;
    for (const column of found) {
      if (fields.has(field) || used.has(column)) continue;
      const written = hasRivals ? writeUnpublished(column) : WRITERS[field](column, columns);
      if (written === undefined) continue;
      if ("advice" in written) {
        advice.set(column, written.advice);
        continue;
      }
      const { expression, note, also = [] } = written;
      fields.add(field);
      for (const each of [column, ...also]) used.add(each);
      const notes = [sampleOf(column), note].filter(Boolean).join("; ");
      lines.push({ line: `"${field}": ${expression}`, note: notes });
    }
    const missing = MISSING[field];
    if (!fields.has(field) && missing !== undefined) {
      const nothing = COURSE_SHAPE.byName.get(field)?.shape.kind === "list" ? "[]" : '""';
      lines.push({ line: `"${field}": ${nothing}`, note: missing });
    }
  }
  const unused = columns.flatMap((column) => {
    if (used.has(column)) return [];
    const isRows = column.values.length === 1 && column.values.flat().some(isObject);
    const path = [...from, ...column.path].join(".");
    const advised = isRows ? `if these are the courses, use --from ${path}` : advice.get(column);
    const samples = `${column.expression}: ${sampleOf(column)}`;
    return [advised === undefined ? samples : `${samples}; ${advised}`];
  });
  return { lines, fields, unused };
}
