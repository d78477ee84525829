/** Edits the cells of a table, so that its rows describe other courses. */
import { isDeepStrictEqual } from "node:util";
import { isList, valueAt } from "../base/values.ts";
import { protectCell, readColumns, readTable } from "./csv-table.ts";
import type { PlacedNode } from "./position.ts";
import { applyEdits, type TextEdit } from "./text-edit.ts";

/**
 * The text with an empty column at the end for each field that has no column.
 *
 * @param separator found in the header if it is omitted
 */
export function addColumns(
  text: string,
  separator: string | undefined,
  fields: ReadonlySet<string>,
): string {
  const records = readTable(text, separator);
  const { rows, spanOf, delimiter } = records;
  const { columns } = readColumns(records);
  const missing = [...fields].filter((field) => columns.every(({ path }) => path[0] !== field));
  if (missing.length === 0) return text;
  const last = (rows[0]?.length ?? 0) - 1;
  const edits = rows.map((_, row) => {
    const { end } = spanOf(row, last);
    const cells = missing.map((name) => delimiter + (row === 0 ? cellText(name, false) : ""));
    return { span: { start: end, end }, text: cells.join("") };
  });
  return applyEdits(text, edits);
}

/** The edits of the cells whose values differ. A value without a column has none. */
export function cellEdits(
  text: string,
  place: PlacedNode,
  { old, desired }: { readonly old: unknown; readonly desired: unknown },
): TextEdit[] {
  const { span, entries = [], items = [] } = place;
  const parts = [
    ...entries.map(({ name, value }) => ({ step: name, value })),
    ...items.map((value, step) => ({ step, value })),
  ];
  if (parts.length > 0) {
    return parts.flatMap(({ step, value }) => {
      const inner = { old: valueAt(old, [step]), desired: valueAt(desired, [step]) };
      return cellEdits(text, value, inner);
    });
  }
  if (isDeepStrictEqual(old, desired)) return [];
  const isSplit = !text.slice(span.start, span.end).includes("[");
  return [{ span, text: cellText(desired, isSplit) }];
}

/** A value as a cell. @param isSplit whether a list of codes is written with commas alone */
export function cellText(value: unknown, isSplit: boolean): string {
  if (value === undefined) return "";
  if (value === null) return "null";
  // An empty cell is an absent field, not an empty list.
  const isCodes = isSplit && isList(value) && value.length > 0 && value.every(isCode);
  const text =
    typeof value === "string"
      ? protectCell(value, false)
      : isCodes
        ? value.join(", ")
        : JSON.stringify(value);
  const needsQuotes = /^null$|^\s|\s$|[",;\t\r\n]/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}

function isCode(value: unknown): boolean {
  return typeof value === "string" && /^[\w-]+$/.test(value);
}
