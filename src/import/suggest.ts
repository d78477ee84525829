/** Suggests a mapping from the names and values of the columns of another system. */
import { usageError } from "../base/errors.ts";
import { listSome, pluralize, quoteShell, truncate } from "../base/text.ts";
import { formatPath, type Path, type PlainObject } from "../base/values.ts";
import type { SourceRows } from "../files/rows.ts";
import { rankOfName } from "./column-names.ts";
import { isStatusLike } from "./expressions.ts";
import { FIELD_GUESSES, type Guess } from "./field-guesses.ts";
import { distinctTexts, type SourceColumn, sampleOf, sourceColumns } from "./source-columns.ts";

/** The source of an import, in the words of the command line. */
export interface Source {
  readonly paths: readonly string[];
  /** The path of the list of rows. */
  readonly from: Path | undefined;
  readonly sheet: string | undefined;
  readonly encoding: string | undefined;
}

/** The command that imports with a mapping: `catalog courses import a.csv --map a.jsonata --out <folder>`. */
export function importCommand(source: Source, map: string): string {
  return `${sourceCommand(source)} --map ${map} --out <folder>`;
}

/** The command that imports the same source, without what to do with it: `catalog courses import a.csv`. */
export function sourceCommand({ paths, from, sheet, encoding }: Source): string {
  const list = from === undefined ? undefined : formatPath(from);
  const flags = { from: list, sheet, encoding };
  const words = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoteShell(value)],
  );
  const files = paths.map(quoteShell);
  return ["catalog courses import", ...files, ...words].join(" ");
}

/** A suggested mapping. */
export interface Suggestion {
  readonly mapping: string;
  /** A warning that the mapping would publish all courses. */
  readonly warning: string | undefined;
}

/** Drafts a mapping, with a comment for each field. @throws CatalogError of kind `usage` without rows */
export function suggestMapping(files: readonly SourceRows[], source: Source): Suggestion {
  const columns = sourceColumns(files);
  const names = files.map(({ name }) => name).join(", ");
  if (columns.length === 0) {
    throw usageError(
      `${names} has no rows from which to suggest a mapping`,
      "Pass a table with a header and rows, or a list of objects.",
    );
  }
  const rows = files.reduce((sum, file) => sum + file.rows.length, 0);
  const { lines, unknown, used, fields } = guessFields(columns);
  const warning = fields.has("published") ? undefined : describeUnmapped(columns);
  const unused = columns.filter((column) => !used.has(column) && column.values.length > 0);
  const mapping = [
    `/* This mapping turns ${comment(names)} (${pluralize(rows, "row")}) into courses. Edit it, then run:`,
    `   ${comment(importCommand(source, "<this file>"))}`,
    "   A mapping is a JSONata expression (https://jsonata.org). For more functions, see",
    "   docs/how-to/import-from-another-system.md. */",
    ...(warning === undefined ? [] : [`/* Warning: ${comment(warning)} */`]),
    "{",
    ...lines.map(({ line, note }, index) => {
      const comma = index === lines.length - 1 ? "" : ",";
      return `  ${line}${comma}${note === "" ? "" : ` /* ${comment(note)} */`}`;
    }),
    "}",
    ...(unknown.length === 0
      ? []
      : ["/* Required, but no column was found:", ...unknown.map((line) => `   ${line}`), "*/"]),
    ...(unused.length === 0
      ? []
      : [
          "/* The mapping does not use these columns:",
          ...unused.map((column) => `   ${comment(`${column.expression}: ${sampleOf(column)}`)}`),
          "*/",
        ]),
    "",
  ].join("\n");
  return { mapping, warning };
}

/** A warning if none of the courses has the field published, although a column of the rows may be a status. */
export function publishingWarning(
  courses: readonly PlainObject[],
  files: ReadonlySet<SourceRows>,
): string | undefined {
  const isSaid = courses.some(({ published }) => published !== undefined);
  return isSaid ? undefined : describeUnmapped(sourceColumns([...files]));
}

function describeUnmapped(columns: readonly SourceColumn[]): string | undefined {
  const column = columns.find(isStatusLike);
  if (column === undefined) return undefined;
  const name = JSON.stringify(truncate(column.path.join(".")));
  const values = listSome(distinctTexts(column).map(truncate), 3);
  return `all courses will be published, because nothing is mapped to "published"; ${name} (${values}) may show which are drafts`;
}

function comment(text: string): string {
  return text.replaceAll("*/", "* /").replace(/[\p{Cc}]/gu, " ");
}

/** The lines of a mapping with their comments, the fields that they give, the columns that they use, and the rest. */
function guessFields(columns: readonly SourceColumn[]) {
  const lines: { readonly line: string; readonly note: string }[] = [];
  const unknown: string[] = [];
  const fields = new Set<string>();
  const used = new Set<SourceColumn>();
  const surroundings = { columns, use: (column: SourceColumn) => void used.add(column) };
  for (const guess of FIELD_GUESSES) {
    const { field, write, missing } = guess;
    if (fields.has(field)) continue;
    const [best] = findColumns(guess, columns, used).flatMap((column) => {
      const written = write(column, surroundings);
      return written === undefined ? [] : [{ column, written }];
    });
    if (best !== undefined) {
      fields.add(field);
      used.add(best.column);
      const { expression, note = "" } =
        typeof best.written === "string" ? { expression: best.written } : best.written;
      const notes = [sampleOf(best.column), note].filter(Boolean).join("; ");
      lines.push({ line: `"${field}": ${expression}`, note: notes });
    } else if (missing?.value !== undefined) {
      lines.push({ line: `"${field}": ${missing.value}`, note: missing.note });
    } else if (missing !== undefined) {
      unknown.push(`"${field}": ${missing.note}`);
    }
  }
  return { lines, unknown, fields, used };
}

/** The columns with a name of the field, the best names first; then the columns whose values fit. */
function findColumns(
  { field, named = field, fits }: Guess,
  columns: readonly SourceColumn[],
  used: ReadonlySet<SourceColumn>,
): SourceColumn[] {
  const free = columns.filter((column) => column.values.length > 0 && !used.has(column));
  // A match of the complete path is better than a match of its last key.
  const byName = ([0, 1] as const).flatMap((which) => {
    const ranked = free.flatMap((column) => {
      const rank = rankOfName(named, column.names[which]);
      return rank === undefined ? [] : [{ column, rank }];
    });
    return ranked.toSorted((one, other) => one.rank - other.rank).map(({ column }) => column);
  });
  return fits === undefined ? byName : [...byName, ...free.filter(fits)];
}
