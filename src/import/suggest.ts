/** Suggests a mapping from the names and values of the columns of another system. */
import { usageError } from "../base/errors.ts";
import { pluralize, quoteShell } from "../base/text.ts";
import { formatPath, type Path } from "../base/values.ts";
import type { SourceRows } from "../files/rows.ts";
import { FIELD_GUESSES, type Guess } from "./field-guesses.ts";
import { type SourceColumn, sampleOf, sourceColumns } from "./source-columns.ts";

/**
 * A mapping with a comment for each field, to be edited.
 *
 * The second parameter is how the command that uses it names the files, and the list in them.
 *
 * @throws CatalogError of kind `usage` without rows
 */
export function suggestMapping(
  files: readonly SourceRows[],
  { paths, from }: { readonly paths: readonly string[]; readonly from: Path | undefined },
): string {
  const columns = sourceColumns(files);
  const names = files.map(({ name }) => name).join(", ");
  if (columns.length === 0) {
    throw usageError(
      `${names} contains no rows from which a mapping can be made`,
      "Pass a table with a header and rows, or a list of objects.",
    );
  }
  const rows = files.reduce((sum, file) => sum + file.rows.length, 0);
  const used = new Set<SourceColumn>();
  const found = FIELD_GUESSES.flatMap((guess) => guessField(guess, columns, used));
  const flags = from === undefined ? "" : ` --from ${quoteShell(formatPath(from))}`;
  const command = `catalog courses import ${paths.map(quoteShell).join(" ")}${flags}`;
  const unused = columns.filter((column) => !used.has(column) && column.values.length > 0);
  return [
    `/* A mapping of ${comment(names)} (${pluralize(rows, "row")}) to courses: edit it, then run`,
    `   ${comment(command)} --map <this file> --out <folder>`,
    "   It is a JSONata expression (https://jsonata.org). docs/import.md lists further functions. */",
    "{",
    ...found.map(({ line, note }, index) => {
      const comma = index === found.length - 1 ? "" : ",";
      return `  ${line}${comma}${note === "" ? "" : ` /* ${comment(note)} */`}`;
    }),
    "}",
    ...(unused.length === 0
      ? []
      : [
          "/* Not used:",
          ...unused.map((column) => `   ${comment(`${column.expression}: ${sampleOf(column)}`)}`),
          "*/",
        ]),
    "",
  ].join("\n");
}

function comment(text: string): string {
  return text.replaceAll("*/", "* /").replace(/[\p{Cc}]/gu, " ");
}

interface Line {
  readonly line: string;
  readonly note: string;
}

function guessField(
  guess: Guess,
  columns: readonly SourceColumn[],
  used: Set<SourceColumn>,
): Line[] {
  for (const column of candidates(guess, columns, used)) {
    const expression = guess.write(column, columns, (other) => used.add(other));
    if (expression === undefined) continue;
    used.add(column);
    return [{ line: `"${guess.field}": ${expression}`, note: sampleOf(column) }];
  }
  const { missing } = guess;
  return missing === undefined
    ? []
    : [{ line: `"${guess.field}": ${missing.value}`, note: missing.note }];
}

/** The columns with one of the names, those whose path is the name first; then others whose values fit. */
function* candidates(
  { names, fits, isShared }: Guess,
  columns: readonly SourceColumn[],
  used: ReadonlySet<SourceColumn>,
): Generator<SourceColumn> {
  for (const which of [0, 1] as const) {
    for (const name of names) {
      for (const column of columns) {
        if (column.values.length > 0 && column.names[which] === name) yield column;
      }
    }
  }
  if (fits === undefined) return;
  for (const column of columns) {
    if ((isShared || !used.has(column)) && column.values.length > 0 && fits(column)) yield column;
  }
}
