/** Checks that reported positions are inside the file. */
import assert from "node:assert/strict";

/** A range of a diagnostic; lines and columns start at 1. */
interface Range {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** The lengths of the lines of a text. */
export function lineLengths(text: string): readonly number[] {
  return text.split(/\r\n|\n|\r/).map((line) => line.length);
}

/** Fails for a range outside the file; the position after the last character of a line is inside. */
export function requireInside(range: Range, lengths: readonly number[], what: string): void {
  const { line, column, endLine, endColumn } = range;
  const exists = (row: number, at: number): boolean =>
    row >= 1 && at >= 1 && at <= (lengths[row - 1] ?? -1) + 1;
  const mapInOrder = endLine > line || (endLine === line && endColumn >= column);
  const isInside = exists(line, column) && exists(endLine, endColumn) && mapInOrder;
  assert(isInside, `${line}:${column} to ${endLine}:${endColumn} is not in the file: ${what}`);
}
