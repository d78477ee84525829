/** Recognizes rows of a table that are not courses, but titles of sections or totals. */
import { foldCase } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import type { SourceRows } from "../files/rows.ts";
import type { SourceRow } from "../files/table-rows.ts";

/** In a table with fewer columns, a row with a single value may be a course. */
const FEWEST_COLUMNS = 3;

/** The first words of totals. */
const TOTALS = /^(?:(?:sub-?)?total|sum|count)(?![\p{L}\p{N}])/u;

const NUMBER = /^[^\p{L}\d]*\d[\d.,'\s]*(?:\p{Sc}|%|[a-z]{3})?$/iu;

/**
 * Separates rows that may be courses from titles and totals. A title has a single value: `IT & Büro`. A total has a
 * word such as "Sum" and numbers: `Sum, 12, 499.00`.
 */
export function splitTitles({ rows, columns }: SourceRows) {
  if (columns === undefined || columns.size < FEWEST_COLUMNS) return { rows, titles: [] };
  const titles = new Set(rows.filter(isTitleOrTotal));
  // If most rows have a single value, the table is a list of names.
  if (titles.size * 2 > rows.length) return { rows, titles: [] };
  return { rows: rows.filter((row) => !titles.has(row)), titles: [...titles] };
}

function isTitleOrTotal({ value }: SourceRow): boolean {
  const [first, ...others] = isObject(value) ? Object.values(value) : [];
  if (others.length === 0) return true;
  const isTotal = TOTALS.test(foldCase(String(first)).trim());
  return isTotal && others.every((cell) => NUMBER.test(String(cell).trim()));
}
