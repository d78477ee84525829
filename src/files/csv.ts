/** Courses as rows of CSV and TSV: a header of field names or paths, then one course per row. */
import { isDeepStrictEqual } from "node:util";
import { protectCell } from "../base/spreadsheet-cells.ts";
import { pluralize } from "../base/text.ts";
import { isList, type Path, type PlainObject, valueAt } from "../base/values.ts";
import type { Shape } from "../course/shape.ts";
import {
  type Cell,
  parseColumns,
  parseTable,
  type Records,
  type TableColumn,
} from "./csv-table.ts";
import { newBudget, type ParsedValue, parseValue, type ValueBudget } from "./json.ts";
import { MAX_FINDINGS } from "./limits.ts";
import { type Parsed, positionsBy, type TextProblem, unparsed } from "./parsed.ts";
import type { PlacedEntry, PlacedNode, Span } from "./position.ts";
import { applyEdits, type TextEdit } from "./text-edit.ts";

/**
 * Parses a CSV text. Never throws: errors are among the problems.
 *
 * @param delimiter found in the header if it is omitted
 */
export async function parseCsv(text: string, delimiter?: string): Promise<Parsed> {
  return parseRecords(parseTable(text, delimiter));
}

/** The courses of a table. */
export function parseRecords(records: Records): Parsed {
  const { rows, spanOf } = records;
  const { columns, problems: inHeader } = parseColumns(records);
  const problems = [...inHeader];
  const courses: unknown[] = [];
  const budget = newBudget();
  /** The row of each course. */
  const rowOf: number[] = [];
  for (const [index, row] of rows.entries()) {
    if (index === 0 || columns.length === 0 || problems.length > MAX_FINDINGS) continue;
    if (row.every((cell) => cell === "")) continue;
    const misfit = misfitOf(index, records);
    if (misfit !== undefined) {
      problems.push(misfit);
      continue;
    }
    const { course, invalid } = rowCourse(row, columns, budget);
    if (budget.left < 0 && invalid.length === 0) {
      return unparsed({ rule: "too-large", message: SKIPS_ITEMS, span: spanOf(0, 0) });
    }
    for (const { column, inCell } of invalid) {
      const span = spanOf(index, column);
      problems.push(...inCell.map(({ rule, message }) => ({ rule, message, span })));
    }
    courses.push(course);
    rowOf.push(index);
  }
  problems.push(...records.problems);
  const positions = positionsBy(({ item = 0 }) => {
    const row = rowOf[item] ?? 0;
    return placeRow(columns, {
      cell: (column) => spanOf(row, column),
      header: (column) => spanOf(0, column),
    });
  });
  return {
    ...{ documents: [courses], problems, positions: async () => positions, isTable: true },
    columns: columns.map(({ path }) => path),
  };
}

/** What is wrong with columns that leave out more items of lists than a file may have values. */
export const SKIPS_ITEMS =
  "the columns skip too many list items: number the items of each list from 0";

/** Why a row has no course: it has other cells than the header has columns. */
function misfitOf(index: number, records: Records): TextProblem | undefined {
  const [header = []] = records.rows;
  const { isSheet = false } = records;
  const problem = isSheet ? undefined : wrongWidth(index, header.length, records);
  if (problem !== undefined) return problem;
  const row = records.rows[index] ?? [];
  const isUnnamed = (name: Cell | undefined): boolean => name !== null && !name?.trim();
  const unnamed = row.findIndex((cell, column) => cell !== "" && isUnnamed(header[column]));
  if (unnamed === -1) return undefined;
  const message = "the column of this cell has no name in the header";
  return {
    rule: "syntax",
    message: isSheet ? message : `not valid CSV: ${message}`,
    span: records.spanOf(index, unnamed),
  };
}

/** What is wrong with a row of a text that has other cells than the header. */
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

type Row = readonly (string | null)[];

/** A course, and the problems of the cells that are not the JSON that they need to be. */
interface RowCourse {
  readonly course: PlainObject;
  readonly invalid: readonly {
    readonly column: number;
    readonly inCell: ParsedValue["problems"];
  }[];
}

/** The course of a row, without the fields whose cells are empty. */
function rowCourse(row: Row, columns: readonly TableColumn[], budget: ValueBudget): RowCourse {
  const course = {};
  const invalid: RowCourse["invalid"][number][] = [];
  for (const column of columns) {
    const cell = row[column.index];
    if (cell === undefined || cell === "") continue;
    const read = cell === null ? valid(null) : cellValue(cell, column.shape, budget);
    if (read.problems.length === 0) setValue(course, column.path, read.value, budget);
    else invalid.push({ column: column.index, inCell: read.problems });
  }
  return { course, invalid };
}

const NUMBER = /^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const BOOLEAN = /^(?:true|false)$/i;

/**
 * The value of a cell by the shape of its field, or what is wrong with the JSON that it needs to be.
 * Text that is not a number or a boolean remains text, for the checker to report.
 *
 * @param budget for the values of all cells
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
    // Spreadsheets write them in capitals.
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

/** An object or a list that is being built. */
type Growing = Record<string | number, unknown>;

/**
 * Sets the value at a path of a mutable object, with the objects and lists on the way to it.
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
    const child = typeof found === "object" && found !== null ? found : emptyFor(next);
    if (child !== found) define(parent, step, child);
    // Items that no column fills are objects without keys.
    if (Array.isArray(child) && typeof next === "number") {
      budget.left -= Math.max(0, next - child.length);
      while (child.length < next) child.push({});
    }
    parent = child as Growing;
  }
  define(parent, path[last] ?? "", value);
}

function emptyFor(step: string | number): object {
  return typeof step === "number" ? [] : {};
}

/** Defines an own property, whatever its name. */
function define(object: Growing, step: string | number, value: unknown): void {
  if (step !== "__proto__") {
    object[step] = value;
    return;
  }
  const descriptor = { value, enumerable: true, writable: true, configurable: true };
  Object.defineProperty(object, step, descriptor);
}

/** Finds the span of a cell in one row, and in the header. */
interface RowSpans {
  readonly cell: (column: number) => Span;
  readonly header: (column: number) => Span;
}

/** The positions of a row's values: all cells, also empty ones, which are missing values. */
function placeRow(columns: readonly TableColumn[], spans: RowSpans): PlacedNode {
  const entries: GrowingNode["entries"] = [];
  for (const { index, path } of columns) {
    const span = spans.cell(index);
    let node: GrowingNode = { span, entries };
    for (const step of path) {
      node =
        typeof step === "number"
          ? itemOf(node, step, span)
          : entryOf(node, step, span, spans.header(index));
    }
  }
  const end = spans.cell(Number.MAX_SAFE_INTEGER).end;
  return { span: { start: spans.cell(0).start, end }, entries, isRow: true };
}

/** A position to which parts are added. */
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
