/** Suggests a mapping from the names and values of the columns of another system. */
import { usageError } from "../base/errors.ts";
import { listSome, pluralize, quoteShell, truncate } from "../base/text.ts";
import { formatPath, type Path, type PlainObject } from "../base/values.ts";
import type { SourceRows } from "../files/rows.ts";
import { rankOfName } from "./column-names.ts";
import { findDays, isHidden, isStatusLike } from "./expressions.ts";
import { FIELD_GUESSES, type Guess } from "./field-guesses.ts";
import { isPublished } from "./mapping-functions.ts";
import {
  type Answers,
  distinctTexts,
  type SourceColumn,
  sampleOf,
  sourceColumns,
} from "./source-columns.ts";

/** The source of an import, in the words of the command line. */
export interface Source {
  readonly paths: readonly string[];
  /** The path of the list of rows. */
  readonly from: Path | undefined;
  readonly sheet: string | undefined;
  readonly encoding: string | undefined;
  readonly headerRow: number | undefined;
}

/** The command that imports with a mapping: `catalog courses import a.csv --map a.jsonata --out <folder>`. */
export function importCommand(source: Source, map: string): string {
  return `${sourceCommand(source)} --map ${map} --out <folder>`;
}

/** The command that imports the same source, without what to do with it: `catalog courses import a.csv`. */
export function sourceCommand({ paths, from, sheet, encoding, headerRow }: Source): string {
  const list = from === undefined ? undefined : formatPath(from);
  const flags = { from: list, sheet, encoding, "header-row": headerRow };
  const words = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoteShell(String(value))],
  );
  const files = paths.map(quoteShell);
  return ["catalog courses import", ...files, ...words].join(" ");
}

/** A suggested mapping. */
export interface Suggestion {
  readonly mapping: string;
  /** A warning that the mapping would publish all courses. */
  readonly warning: string | undefined;
  /** A column for which only the user knows which values mean published. */
  readonly status: SourceColumn | undefined;
  /** A value in days, for which only the user knows the hours of a day. */
  readonly days: string | undefined;
}

/** Drafts a mapping, with a comment for each field. @throws CatalogError of kind `usage` without rows */
export function suggestMapping(
  files: readonly SourceRows[],
  source: Source,
  answers: Answers = {},
): Suggestion {
  const columns = sourceColumns(files);
  const names = files.map(({ name }) => name).join(", ");
  if (columns.length === 0) {
    throw usageError(
      `${names} has no rows from which to suggest a mapping`,
      "Pass a table with a header and rows, or a list of objects.",
    );
  }
  const rows = files.reduce((sum, file) => sum + file.rows.length, 0);
  const { lines, used, byField } = guessFields(columns, answers);
  const published = byField.get("published");
  const warning = published === undefined ? describeUnmapped(columns) : undefined;
  const duration = byField.get("duration_in_hours");
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
    ...(unused.length === 0
      ? []
      : [
          "/* The mapping does not use these columns:",
          ...unused.map((column) => `   ${comment(`${column.expression}: ${sampleOf(column)}`)}`),
          "*/",
        ]),
    "",
  ].join("\n");
  const candidates = published === undefined ? columns.filter(isStatusLike) : [published];
  const status = candidates.find(isUnclear);
  return { mapping, warning, status, days: duration && findDays(duration) };
}

/** A column with more different values is not a status. */
const MAX_STATUSES = 10;

/** Whether a column has only a few values, and for one of them it is not known whether it means published. */
function isUnclear(column: SourceColumn): boolean {
  const texts = distinctTexts(column);
  return (
    !isHidden(column) &&
    texts.length <= MAX_STATUSES &&
    texts.some((text) => isPublished(text) === undefined)
  );
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

/** The lines of a mapping with their comments, the columns that they use, and the column of each field. */
function guessFields(columns: readonly SourceColumn[], answers: Answers) {
  const lines: { readonly line: string; readonly note: string }[] = [];
  const byField = new Map<string, SourceColumn>();
  const used = new Set<SourceColumn>();
  const surroundings = { columns, answers, use: (column: SourceColumn) => void used.add(column) };
  for (const guess of FIELD_GUESSES) {
    const { field, sameAs, write, missing } = guess;
    if (byField.has(field)) continue;
    const same = sameAs && byField.get(sameAs);
    const found = sameAs === undefined ? findColumns(guess, columns, used) : same ? [same] : [];
    const [best] = found.flatMap((column) => {
      const written = write(column, surroundings);
      return written === undefined ? [] : [{ column, written }];
    });
    if (best !== undefined) {
      byField.set(field, best.column);
      used.add(best.column);
      const { expression, note = "" } =
        typeof best.written === "string" ? { expression: best.written } : best.written;
      const notes = [sampleOf(best.column), note].filter(Boolean).join("; ");
      lines.push({ line: `"${field}": ${expression}`, note: notes });
    } else if (missing !== undefined) {
      lines.push({ line: `"${field}": ${missing.value}`, note: missing.note });
    }
  }
  return { lines, used, byField };
}

/** The columns with a name of the field, the best names first; then the columns whose values fit. */
function findColumns(
  { field, named = field, fits, isShared }: Guess,
  columns: readonly SourceColumn[],
  used: ReadonlySet<SourceColumn>,
): SourceColumn[] {
  const filled = columns.filter(({ values }) => values.length > 0);
  const free = filled.filter((column) => !used.has(column));
  // A match of the complete path is better than a match of its last key.
  const byName = (some: readonly SourceColumn[]): SourceColumn[] =>
    ([0, 1] as const).flatMap((which) => {
      const ranked = some.flatMap((column) => {
        const rank = rankOfName(named, column.names[which]);
        return rank === undefined ? [] : [{ column, rank }];
      });
      return ranked.toSorted((one, other) => one.rank - other.rank).map(({ column }) => column);
    });
  return [
    ...byName(free),
    ...(isShared ? byName(filled) : []),
    ...(fits === undefined ? [] : [...free, ...(isShared ? filled : [])].filter(fits)),
  ];
}
