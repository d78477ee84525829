/** Numbers the cells of a sheet, which has no text with offsets: cell B2 is the span from 16385 to 16386. */
import type { Records } from "./csv-table.ts";
import { LineIndex, type Range, type Span } from "./position.ts";

export const MAX_COLUMNS = 16_384;

/** The letters of a column: `A` for 0, `AA` for 26. */
export function nameColumn(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? nameColumn(rest - 1) : "") + String.fromCharCode(65 + (column % 26));
}

export function nameCell(row: number, column: number): string {
  return nameColumn(column) + row;
}

/** The span of a cell. @param row from 1 @param column from 0 */
export function spanOfCell(row: number, column: number): Span {
  const start = (row - 1) * MAX_COLUMNS + column;
  return { start, end: start + 1 };
}

function rowOf(start: number): number {
  return Math.floor(start / MAX_COLUMNS) + 1;
}

/** Finds positions in a sheet: lines are rows, and columns are the sheet's columns. */
export class SheetLines extends LineIndex {
  readonly #table: Records;
  #index: ReadonlyMap<number, number> | undefined;

  constructor(table: Records) {
    super("");
    this.#table = table;
  }

  override range({ start, end }: Span): Range {
    const last = Math.max(start, end - 1);
    const column = (start % MAX_COLUMNS) + 1;
    const endColumn = (last % MAX_COLUMNS) + 2;
    return { line: rowOf(start), column, endLine: rowOf(last), endColumn };
  }

  override text({ start, end }: Span): string {
    if (end - start > 1) return "";
    const { rows, rowNumbers } = this.#table;
    this.#index ??= new Map(rowNumbers.map((number, index) => [number, index]));
    return rows[this.#index.get(rowOf(start)) ?? -1]?.[start % MAX_COLUMNS] ?? "";
  }

  override cell({ start, end }: Span): string {
    const row = rowOf(start);
    return end - start > 1 ? `row ${row}` : `cell ${nameCell(row, start % MAX_COLUMNS)}`;
  }
}
