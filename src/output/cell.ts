/** Writes one value into one cell. */
import { oneLine } from "../base/text.ts";
import type { Style } from "./colour.ts";

/** The value as text for programs: nothing for null, JSON for lists and mappings. */
export function plainCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}

/** A value as people see it: safe text on one line, and how it is painted. */
export interface Shown {
  readonly text: string;
  readonly style?: Style;
}

/** What stands for null. */
export const NOTHING = "–";

const STATUS_STYLES: ReadonlyMap<string, Style> = new Map([
  ["approved", "green"],
  ["rejected", "red"],
]);

/** The value of a column as people see it; `published` and `approval_status` are more than words. */
export function shownCell(name: string, value: unknown): Shown {
  if (value === null || value === undefined) return { text: NOTHING, style: "dim" };
  if (name === "published" && typeof value === "boolean") {
    return value ? { text: "✓ yes", style: "green" } : { text: "✗ no", style: "dim" };
  }
  if (name === "approval_status" && typeof value === "string") {
    if (value === "pending") return { text: "● pending", style: "yellow" };
    const style = STATUS_STYLES.get(value);
    return { text: oneLine(value), ...(style === undefined ? {} : { style }) };
  }
  return { text: oneLine(plainCell(value)) };
}
