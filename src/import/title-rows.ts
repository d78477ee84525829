/** Recognizes rows of a table that are titles of sections or totals, and no courses. */
import { foldCase } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import type { SourceRow, SourceRows } from "../files/rows.ts";

/** Columns that a table has at least if a row with a single value is no course. */
const FEWEST_COLUMNS = 3;

/** The first words of totals. */
const TOTALS =
  /^(?:(?:sub|zwischen|gesamt|sous-)?(?:total|totale|totaux|totales|totaal|summe|sum)|gesamt|insgesamt|anzahl|count|nombre|número|numero|aantal|somme|suma|soma|somma|合計|小計)(?![\p{L}\p{N}])/u;

const NUMBER = /^[^\p{L}\d]*\d[\d.,'\s]*(?:\p{Sc}|%|[a-z]{3})?$/iu;

/** The rows that may be courses, and the titles of sections and totals: a word such as "Sum" with numbers. */
export function splitTitles({ rows, columns }: SourceRows): {
  readonly rows: readonly SourceRow[];
  readonly titles: readonly SourceRow[];
} {
  if (columns === undefined || columns.size < FEWEST_COLUMNS) return { rows, titles: [] };
  const titles = new Set(rows.filter(isTitleOrTotal));
  // In a list of names, all rows have a single value.
  if (titles.size * 2 > rows.length) return { rows, titles: [] };
  return { rows: rows.filter((row) => !titles.has(row)), titles: [...titles] };
}

function isTitleOrTotal({ value }: SourceRow): boolean {
  const [first, ...others] = isObject(value) ? Object.values(value) : [];
  if (others.length === 0) return true;
  const isTotal = TOTALS.test(foldCase(String(first)).trim());
  return isTotal && others.every((cell) => NUMBER.test(String(cell).trim()));
}
