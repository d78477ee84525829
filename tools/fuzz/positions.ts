/** Whether what is told of a file lies inside of it. */
import assert from "node:assert/strict";

/** A place as diagnostics have it; lines and columns count from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** The lengths of the lines of a text, counted in the plainest way. */
export function lineLengths(text: string): readonly number[] {
  return text.split(/\r\n|\n|\r/).map((line) => line.length);
}

/** Fails for a place outside; just behind the last sign of a line is still inside. */
export function requireInside(place: Place, lengths: readonly number[], what: string): void {
  const { line, column, endLine, endColumn } = place;
  const exists = (row: number, at: number): boolean =>
    row >= 1 && at >= 1 && at <= (lengths[row - 1] ?? -1) + 1;
  const mapInOrder = endLine > line || (endLine === line && endColumn >= column);
  const isInside = exists(line, column) && exists(endLine, endColumn) && mapInOrder;
  assert(isInside, `${line}:${column} to ${endLine}:${endColumn} is no place of the file: ${what}`);
}
