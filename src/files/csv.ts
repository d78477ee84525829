/** Reads and edits courses in CSV and TSV: a header of field names or paths, then one course per row. */
import { isDeepStrictEqual } from "node:util";
import { protectCell } from "../base/spreadsheet-cells.ts";
import { pluralize } from "../base/text.ts";
import { isList, type Path, type PlainObject, valueAt } from "../base/values.ts";
import type { Shape } from "../course/shape.ts";
import { isBlank, parseColumns, parseTable, type Records, type TableColumn } from "./csv-table.ts";
import { newBudget, type ParsedValue, parseValue, type ValueBudget } from "./json.ts";
import { MAX_FINDINGS } from "./limits.ts";
import { type Parsed, positionsBy, type TextProblem, unparsed } from "./parsed.ts";
import type { PlacedEntry, PlacedNode, Span } from "./position.ts";
import { applyEdits, type TextEdit } from "./text-edit.ts";

/**
 * Parses CSV. Never throws: errors are among the problems. The text `name,prices[0].price\nKnitting,49.90` has the
 * course `{ name: "Knitting", prices: [{ price: "49.90" }] }`.
 */
export async function parseCsv(text: string, delimiter?: string): Promise<Parsed> {
  return parseRecords(parseTable(text, delimiter));
}

/**
 * Reads the courses of a table: the first record is the header, each other record a course. The records `name,url` and
 * `Knitting,https://academy.example/knitting` give one course.
 */
export function parseRecords(records: Records): Parsed {
  const { rows, spanOf } = records;
  const { columns, problems: inHeader } = parseColumns(records);
  const problems = [...inHeader];
  const courses: unknown[] = [];
  const budget = newBudget();
  const rowOf: number[] = [];
  for (const [index, row] of rows.entries()) {
    if (index === 0 || columns.length === 0 || problems.length > MAX_FINDINGS) continue;
    if (row.every((cell) => cell === "")) continue;
    const misfit = misfitOf(index, records);
    if (misfit !== undefined) {
      problems.push(misfit);
      continue;
    }
    const { course, invalid } = rowCourse(index, records, columns, budget);
    if (budget.left < 0 && invalid.length === 0) {
      return unparsed({ rule: "too-large", message: SKIPS_ITEMS, span: spanOf(0, 0) });
    }
    for (const problem of invalid) problems.push(problem);
    courses.push(course);
    rowOf.push(index);
  }
  problems.push(...records.problems);
  const positions = positionsBy(({ item = 0 }) => placeRow(columns, rowOf[item] ?? 0, spanOf));
  return {
    ...{ documents: [courses], problems, positions: async () => positions, isTable: true },
    columns: columns.map(({ path }) => path),
  };
}

/** The problem of columns that skip more list items than a file may have values. */
export const SKIPS_ITEMS =
  "the columns skip too many list items: number the items from 0, for example prices[0], prices[1]";

/** Why a row is not read as a course: a cell has no column in the header, or a column has no cell. */
function misfitOf(index: number, records: Records): TextProblem | undefined {
  const [header = []] = records.rows;
  const { isSheet = false } = records;
  const problem = isSheet ? undefined : wrongWidth(index, header.length, records);
  if (problem !== undefined) return problem;
  const row = records.rows[index] ?? [];
  const unnamed = row.findIndex((cell, column) => cell !== "" && isBlank(header[column]));
  if (unnamed === -1) return undefined;
  const message = "this cell has a value, but its column has no name in the header";
  return {
    rule: "syntax",
    message: isSheet ? message : `not valid CSV: ${message}`,
    span: records.spanOf(index, unnamed),
  };
}

/** What is wrong with a row of CSV that has more or fewer cells than the header. */
export function wrongWidth(
  index: number,
  expected: number,
  { rows, spanOf }: Records,
): TextProblem | undefined {
  const row = rows[index] ?? [];
  const extra = row.findIndex((cell, column) => column >= expected && cell !== "");
  if (row.length >= expected && extra === -1) return undefined;
  const counts = `this row has ${pluralize(row.length, "cell")}, but the header has ${expected}`;
  const message = `not valid CSV: ${counts}; put straight quotes (") around cells that contain a delimiter or a line break`;
  return { rule: "syntax", message, span: spanOf(index, extra === -1 ? row.length : extra) };
}

/** Reads the course of a row, without fields whose cells are empty, and the problems of its cells. */
function rowCourse(
  row: number,
  { rows, spanOf }: Records,
  columns: readonly TableColumn[],
  budget: ValueBudget,
): { readonly course: PlainObject; readonly invalid: readonly TextProblem[] } {
  const course = {};
  const invalid: TextProblem[] = [];
  for (const { index, path, shape } of columns) {
    const cell = rows[row]?.[index];
    if (cell === undefined || cell === "") continue;
    const { value, problems } = cell === null ? valid(null) : cellValue(cell, shape, budget);
    if (problems.length === 0) setValue(course, path, value, budget);
    for (const { rule, message } of problems) {
      invalid.push({ rule, message, span: spanOf(row, index) });
    }
  }
  return { course, invalid };
}

const NUMBER = /^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const BOOLEAN = /^(?:true|false)$/i;

/**
 * Reads a cell as the value of a field. By the field's shape, `60` is the number 60 or the string "60", and
 * `en, pt-BR` is a string or `["en", "pt-BR"]`. A cell that must be JSON and is not has problems; other text that does
 * not fit stays text, and the checks of the course report it.
 */
export function cellValue(
  cell: string,
  shape: Shape | undefined,
  budget?: ValueBudget,
): ParsedValue {
  const trimmed = cell.trim();
  switch (shape?.kind) {
    case "number":
      return valid(NUMBER.test(trimmed) ? Number(trimmed) : cell);
    // Spreadsheets write TRUE and FALSE.
    case "boolean":
      return valid(BOOLEAN.test(trimmed) ? trimmed.toLowerCase() === "true" : cell);
    case "object":
      return parseValue(trimmed, budget);
    case "list":
      return shape.of.kind === "object" || trimmed.startsWith("[")
        ? parseValue(trimmed, budget)
        : valid(splitList(cell, shape.of));
    case "paragraphs": {
      const list = trimmed.startsWith("[") ? parseValue(trimmed, budget) : valid(cell);
      return list.problems.length > 0 ? valid(cell) : list;
    }
    default:
      return valid(cell);
  }
}

function valid(value: unknown): ParsedValue {
  return { value, problems: [] };
}

function splitList(text: string, shape: Shape): unknown[] {
  const parts = text.split(/[,;]/).map((part) => part.trim());
  return parts.filter((part) => part !== "").map((part) => cellValue(part, shape).value);
}

type Growing = Record<string | number, unknown>;

/**
 * Sets the value at a path of a mutable object, and creates the objects and lists on the way: for the path
 * `["prices", 1, "price"]`, `{}` becomes `{ prices: [{}, { price: value }] }`.
 *
 * @param budget reduced by the items that no column fills
 */
export function setValue(root: object, path: Path, value: unknown, budget: ValueBudget): void {
  let parent = root as Growing;
  const last = path.length - 1;
  for (let index = 0; index < last; index++) {
    const step = path[index] ?? "";
    const next = path[index + 1] ?? "";
    const found = Object.hasOwn(parent, step) ? parent[step] : undefined;
    const empty = typeof next === "number" ? [] : {};
    const child = typeof found === "object" && found !== null ? found : empty;
    if (child !== found) define(parent, step, child);
    if (Array.isArray(child) && typeof next === "number") {
      // An empty item is checked like a course's other items, which takes longer than to read a value.
      budget.left -= 5 * Math.max(0, next - child.length);
      while (child.length < next) child.push({});
    }
    parent = child as Growing;
  }
  define(parent, path[last] ?? "", value);
}

/** Defines an own property, even one with the name `__proto__`. */
function define(object: Growing, step: string | number, value: unknown): void {
  if (step !== "__proto__") {
    object[step] = value;
    return;
  }
  const descriptor = { value, enumerable: true, writable: true, configurable: true };
  Object.defineProperty(object, step, descriptor);
}

/** The positions of a row's values. Empty cells are included, as the positions of missing values. */
function placeRow(
  columns: readonly TableColumn[],
  row: number,
  spanOf: Records["spanOf"],
): PlacedNode {
  const entries: GrowingNode["entries"] = [];
  for (const { index, path } of columns) {
    const span = spanOf(row, index);
    let node: GrowingNode = { span, entries };
    for (const step of path) {
      node =
        typeof step === "number"
          ? itemOf(node, step, span)
          : entryOf(node, step, span, spanOf(0, index));
    }
  }
  const end = spanOf(row, Number.MAX_SAFE_INTEGER).end;
  return { span: { start: spanOf(row, 0).start, end }, entries, isRow: true };
}

interface GrowingNode {
  readonly span: Span;
  entries?: (PlacedEntry & { readonly value: GrowingNode })[];
  items?: GrowingNode[];
}

function itemOf(node: GrowingNode, index: number, span: Span): GrowingNode {
  node.items ??= [];
  while (node.items.length <= index) node.items.push({ span });
  return node.items[index] ?? node;
}

function entryOf(node: GrowingNode, name: string, span: Span, key: Span): GrowingNode {
  node.entries ??= [];
  const found = node.entries.find((entry) => entry.name === name);
  if (found !== undefined) return found.value;
  const value: GrowingNode = { span };
  node.entries.push({ name, key, value });
  return value;
}

/** Adds an empty column for each field that has none: with `url`, `name\nKnitting` becomes `name,url\nKnitting,`. */
export function addColumns(
  text: string,
  separator: string | undefined,
  fields: ReadonlySet<string>,
): string {
  const records = parseTable(text, separator);
  const { rows, spanOf, delimiter } = records;
  const { columns } = parseColumns(records);
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

/** The edits of the cells whose values differ. A value without a column has no edit. */
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

/** Writes a value as a cell. @param isSplit whether `["en", "de"]` is written as `"en, de"` instead of JSON */
export function cellText(value: unknown, isSplit: boolean): string {
  if (value === undefined) return "";
  if (value === null) return "null";
  // An empty list is written as JSON: an empty cell would be a missing field.
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
