/** Reads values from rows by column, and writes each value as one cell. */
import { escapeLine } from "../base/text.ts";
import {
  formatPath,
  isList,
  isObject,
  type Path,
  type PlainObject,
  parsePath,
  valueAt,
} from "../base/values.ts";
import { shapeAt } from "../course/fields.ts";
import type { Style } from "./text-measure.ts";

/**
 * The columns of those names: keys of a row, or paths into it such as `prices[0].currency`. Each with the shape that its
 * values have in courses, and with how its value is read from a row; undefined if the row has none.
 */
export function columnsNamed(names: readonly string[]) {
  return names.map((name) => {
    const path = parsePath(name) ?? [];
    const read = (row: PlainObject): unknown => {
      // A service may send a key that looks like a path.
      if (Object.hasOwn(row, name)) return row[name];
      return path.length === 0 ? undefined : valueAt(row, path);
    };
    return { name, shape: shapeAt(path), read };
  });
}

/** Reduces rows to some fields, as JSON and YAML print them; missing values are null. */
export function projector(
  fields: readonly string[] | undefined,
): (row: PlainObject) => PlainObject {
  if (fields === undefined) return (row) => row;
  const columns = columnsNamed(fields);
  return (row) => Object.fromEntries(columns.map(({ name, read }) => [name, read(row) ?? null]));
}

/** The value as text for programs: empty for null, JSON for lists and objects. */
export function plainCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}

/** Whether a value is null, absent or an empty list: in the catalog, all mean that the course has nothing there. */
export function isEmpty(value: unknown): boolean {
  return (value ?? null) === null || (isList(value) && value.length === 0);
}

/** A value for people: safe text on one line, with a style. */
export interface StyledCell {
  readonly text: string;
  readonly style?: Style;
}

/** Shown for null. */
export const NO_VALUE = "–";

/** The value of a column for people, times to the minute. */
export function styledCell(name: string, value: unknown): StyledCell {
  if (value === null || value === undefined) return { text: NO_VALUE, style: "dim" };
  if (name === "published" && typeof value === "boolean") {
    return value ? { text: "✓ yes", style: "green" } : { text: "✗ no", style: "dim" };
  }
  if (typeof value !== "string") return { text: escapeLine(formatValue(name, value)) };
  if (TIMES.includes(name)) return { text: escapeLine(briefTime(value)) };
  if (name === "status" && value === "failed") return { text: value, style: "red" };
  if (name !== "approval_status") return { text: escapeLine(value) };
  // The service does not document what other statuses mean, so all of them have one color.
  if (value !== "pending") return { text: escapeLine(value), style: "cyan" };
  return { text: `● ${value}`, style: "yellow" };
}

/** The fields and columns whose values are times. */
const TIMES = ["last_fetched_at", "time"];

/** A time in ISO 8601 to the minute, without its offset: `2026-01-31 12:00`; any other text is unchanged. */
export function briefTime(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, "$1 $2");
}

/** Whether a string looks like an http or https URL. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text);
}

/** A value on one line: words separated by commas, the message of an error, or the fields of changes. */
function formatValue(name: string, value: unknown): string {
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

/** Whether a value is unambiguous in a list separated by commas. */
function isWord(value: unknown): boolean {
  if (typeof value === "string") return value !== "" && !/[\s,]/.test(value);
  return typeof value === "number" || typeof value === "boolean";
}

function isPath(value: unknown): value is Path {
  return (
    isList(value) && value.every((step) => typeof step === "string" || typeof step === "number")
  );
}
