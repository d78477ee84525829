/** Writes one value into one cell. */
import { escapeLine } from "../base/text.ts";
import { formatPath, isList, isObject, type Path } from "../base/values.ts";
import { isTimeField } from "../course/field-names.ts";
import type { Style } from "./color.ts";
import { relativeTime } from "./time.ts";

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
  /** Where the text leads to; not yet found safe. */
  readonly address?: string;
}

/** What stands for null. */
export const NOTHING = "–";

/** Words that are painted, each with its column before it. */
const STYLES: ReadonlyMap<string, Style> = new Map([
  ["approval_status pending", "yellow"],
  ["approval_status approved", "green"],
  ["approval_status rejected", "red"],
  ["severity error", "red"],
  ["severity warning", "yellow"],
  ["status failed", "red"],
]);

/**
 * The value of a column as people see it; some columns are more than words.
 *
 * @param now where times are told by how long ago they are
 */
export function shownCell(name: string, value: unknown, now?: number): Shown {
  if (value === null || value === undefined) return { text: NOTHING, style: "dim" };
  if (name === "published" && typeof value === "boolean") {
    return value ? { text: "✓ yes", style: "green" } : { text: "✗ no", style: "dim" };
  }
  if (typeof value !== "string") return { text: escapeLine(wordsOf(name, value)) };
  if (isAddress(value)) return { text: escapeLine(value), address: value };
  const told = now !== undefined && isTimeField(name) ? relativeTime(value, now) : undefined;
  if (told !== undefined) return { text: told };
  const sign = name === "approval_status" && value === "pending" ? "● " : "";
  const style = STYLES.get(`${name} ${value}`);
  return { text: escapeLine(sign + value), ...(style === undefined ? {} : { style }) };
}

/** Whether a text looks like one that could be followed. */
export function isAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text);
}

/** Lists of words as a sentence lists them; of failures and changes what people ask first. */
function wordsOf(name: string, value: unknown): string {
  if (name === "error" && isObject(value) && typeof value.message === "string") {
    return value.message;
  }
  if (!isList(value) || value.length === 0) return plainCell(value);
  if (name === "fields") {
    const paths = value.map((change) => (isObject(change) ? change.path : undefined));
    if (paths.every(isPath)) return [...new Set(paths.map(formatPath))].join(", ");
  }
  return value.every(isWord) ? value.join(", ") : plainCell(value);
}

/** Whether a value can stand in a row of others with a comma between them. */
export function isWord(value: unknown): boolean {
  if (typeof value === "string") return value !== "" && !/[\s,]/.test(value);
  return typeof value === "number" || typeof value === "boolean";
}

function isPath(value: unknown): value is Path {
  return (
    isList(value) && value.every((step) => typeof step === "string" || typeof step === "number")
  );
}
