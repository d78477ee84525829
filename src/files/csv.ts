/** Parses CSV and TSV: a header of field names or paths, then one course per row. */
import { pluralize } from "../base/text.ts";
import { readColumns } from "./csv-columns.ts";
import { type Records, readTable } from "./csv-records.ts";
import { placeRow, rowCourse } from "./csv-rows.ts";
import { newBudget, parseJson, type ValueBudget } from "./json.ts";
import { MAX_FINDINGS } from "./limits.ts";
import { type Parsed, positionsBy, type TextProblem } from "./parsed.ts";
import type { Span } from "./position.ts";

/**
 * Parses a CSV text. Never throws: errors are among the problems.
 *
 * @param delimiter found in the header if it is omitted
 */
export async function parseCsv(text: string, delimiter?: string): Promise<Parsed> {
  const records = readTable(text, delimiter);
  const { rows, spanOf } = records;
  const { columns, problems: inHeader } = readColumns(records);
  const problems = [...inHeader];
  const courses: unknown[] = [];
  const budget = newBudget();
  /** The row of each course. */
  const rowOf: number[] = [];
  for (const [index, row] of rows.entries()) {
    if (index === 0 || columns.length === 0 || problems.length > MAX_FINDINGS) continue;
    if (row.every((cell) => cell === "")) continue;
    const misfit = misfitOf(index, records);
    if (misfit !== undefined) {
      problems.push(misfit);
      continue;
    }
    const { course, invalid } = rowCourse(row, columns, budget);
    for (const column of invalid) {
      problems.push(...(await jsonProblems(row[column] ?? "", spanOf(index, column), budget)));
    }
    courses.push(course);
    rowOf.push(index);
  }
  if (records.problem !== undefined) problems.push(records.problem);
  const positions = positionsBy(({ item = 0 }) => {
    const row = rowOf[item] ?? 0;
    return placeRow(columns, {
      cell: (column) => spanOf(row, column),
      header: (column) => spanOf(0, column),
    });
  });
  return { documents: [courses], problems, positions: async () => positions, isTable: true };
}

/** Why a row has no course: it has other cells than the header has columns. */
export function misfitOf(index: number, { rows, spanOf }: Records): TextProblem | undefined {
  const expected = rows[0]?.length ?? 0;
  const row = rows[index] ?? [];
  const extra = row.findIndex((cell, column) => column >= expected && cell !== "");
  if (row.length >= expected && extra === -1) {
    const unnamed = row.findIndex(
      (cell, column) => cell !== "" && rows[0]?.[column]?.trim() === "",
    );
    if (unnamed === -1) return undefined;
    const message = "the column of this cell has no name in the header";
    return { rule: "syntax", message: `not valid CSV: ${message}`, span: spanOf(index, unnamed) };
  }
  const counts = `this row has ${pluralize(row.length, "cell")}, but the header has ${expected}`;
  const message = `not valid CSV: ${counts}; put straight quotes (") around cells that contain a delimiter or a line break`;
  return { rule: "syntax", message, span: spanOf(index, extra === -1 ? row.length : extra) };
}

/** The problems of the JSON in a cell, at the cell. */
async function jsonProblems(text: string, span: Span, budget: ValueBudget): Promise<TextProblem[]> {
  const { problems } = await parseJson(text.trim(), budget);
  return problems.map(({ rule, message }) => ({ rule, message, span }));
}
