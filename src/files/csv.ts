/** Reads and edits courses in CSV and TSV: a header of field names or paths, then one course per row. */
import { isDeepStrictEqual } from "node:util";
import { protectCell, quoteCell } from "../base/spreadsheet-cells.ts";
import { listSome, pluralize } from "../base/text.ts";
import { isList, type Path, type PlainObject, valueAt } from "../base/values.ts";
import type { Shape } from "../course/shape.ts";
import { parseTable, type Records } from "./csv-table.ts";
import { newBudget, type ParsedValue, parseValue, type ValueBudget } from "./json.ts";
import { MAX_FINDINGS } from "./limits.ts";
import { type Parsed, positionsBy, type TextProblem, unparsed } from "./parsed.ts";
import {
  applyEdits,
  type PlacedEntry,
  type PlacedNode,
  type Span,
  type TextEdit,
} from "./position.ts";
import {
  type Header,
  isBlank,
  nameCell,
  parseColumns,
  readHeader,
  type TableColumn,
} from "./table-header.ts";

export interface ParsedTable extends Parsed {
  /** What the user should know about how the table was read: clauses that follow the name of the file. */
  readonly notices: readonly string[];
}

/**
 * Parses CSV. Never throws: errors are among the problems. The text `name,prices[0].price\nKnitting,49.90` has the
 * course `{ name: "Knitting", prices: [{ price: "49.90" }] }`.
 */
export async function parseCsv(text: string, delimiter?: string): Promise<ParsedTable> {
  return parseRecords(parseTable(text, delimiter));
}

/**
 * Reads the courses of a table: below the header, each record is a course. The records `name,url` and
 * `Knitting,https://academy.example/knitting` give one course.
 */
export function parseRecords(records: Records): ParsedTable {
  const { rows, spanOf } = records;
  const header = readHeader(records);
  const { columns, problems: inHeader } = parseColumns(records, header);
  const problems = [...inHeader];
  const courses: unknown[] = [];
  const budget = newBudget();
  const rowOf: number[] = [];
  for (const [index, row] of rows.entries()) {
    if (index <= header.row || columns.length === 0 || problems.length > MAX_FINDINGS) continue;
    if (row.every((cell) => cell === "")) continue;
    const misfit = findMisfit(index, records, header);
    if (misfit !== undefined) {
      problems.push(misfit);
      continue;
    }
    const { course, invalid } = rowCourse(index, records, columns, budget);
    if (budget.left < 0 && invalid.length === 0) {
      const tooLarge = {
        rule: "too-large",
        message: SKIPS_ITEMS,
        span: spanOf(header.row, 0),
      } as const;
      return { ...unparsed(tooLarge), notices: [] };
    }
    for (const problem of invalid) problems.push(problem);
    courses.push(course);
    rowOf.push(index);
  }
  problems.push(...records.problems);
  const positions = positionsBy(({ item = 0 }) =>
    placeRow(columns, rowOf[item] ?? 0, records, header.row),
  );
  return {
    documents: [courses],
    problems,
    positions: async () => positions,
    startOf: ({ item = 0 }) => spanOf(rowOf[item] ?? 0, 0).start,
    isTable: true,
    columns: columns.map(({ path }) => path),
    notices: [...header.notices, ...unusedLinks(records, rowOf, columns)],
  };
}

/** The problem of columns that skip more list items than a file may have values. */
export const SKIPS_ITEMS =
  "the columns skip too many list items: number the items from 0, for example prices[0], prices[1]";

/** Why a row is not read as a course: a cell has no column. */
function findMisfit(index: number, records: Records, { names }: Header): TextProblem | undefined {
  const { rows, sheet, spanOf } = records;
  const extra = sheet === undefined ? findExtraCell(index, records, names.length) : undefined;
  if (extra !== undefined) return extra;
  const unnamed = rows[index]?.findIndex((cell, column) => cell !== "" && isBlank(names[column]));
  if (unnamed === undefined || unnamed === -1) return undefined;
  const message = "this cell has a value, but its column has no name in the header";
  return {
    rule: "syntax",
    message: sheet === undefined ? `not valid CSV: ${message}` : message,
    span: spanOf(index, unnamed),
  };
}

/** The problem of a row of CSV that has a value after the last column. */
export function findExtraCell(
  index: number,
  { rows, spanOf }: Records,
  width: number,
): TextProblem | undefined {
  const row = rows[index] ?? [];
  const extra = row.findIndex((cell, column) => column >= width && cell !== "");
  if (extra === -1) return undefined;
  const counts = `this row has ${pluralize(row.length, "cell")}, but the header has ${width}`;
  const message = `not valid CSV: ${counts}; put straight quotes (") around cells that contain a delimiter or a line break`;
  return { rule: "syntax", message, span: spanOf(index, extra) };
}

/** Reads the course of a row, without fields whose cells are empty, and the problems of its cells. */
function rowCourse(
  row: number,
  { rows, spanOf, sheet }: Records,
  columns: readonly TableColumn[],
  budget: ValueBudget,
): { readonly course: PlainObject; readonly invalid: readonly TextProblem[] } {
  const course = {};
  const invalid: TextProblem[] = [];
  for (const { index, path, shape } of columns) {
    const fault = shape && sheet?.faultAt(row, index);
    if (fault !== undefined) {
      invalid.push({ rule: "syntax", message: fault, span: spanOf(row, index) });
    }
    const cell = rows[row]?.[index];
    if (cell === undefined || cell === "") continue;
    const text = cell === null || !isUrl(shape) ? cell : (sheet?.linkAt(row, index) ?? cell);
    const { value, problems } = text === null ? valid(null) : cellValue(text, shape, budget);
    if (problems.length === 0) setValue(course, path, value, budget);
    for (const { rule, message } of problems) {
      invalid.push({ rule, message, span: spanOf(row, index) });
    }
  }
  return { course, invalid };
}

/** Whether a value is a web address, so that a cell with a link means the address of the link. */
export function isUrl(shape: Shape | undefined): boolean {
  return shape?.kind === "string" && shape.format === "url";
}

/** Names the cells that link to addresses which no column of URLs has. */
function unusedLinks(
  { sheet, rowNumbers }: Records,
  rowOf: readonly number[],
  columns: readonly TableColumn[],
): string[] {
  if (sheet === undefined) return [];
  const texts = columns.filter(({ shape }) => !isUrl(shape));
  const cells = rowOf.flatMap((row) =>
    texts
      .filter(({ index }) => sheet.linkAt(row, index) !== undefined)
      .map(({ index }) => nameCell(rowNumbers[row] ?? 0, index)),
  );
  if (cells.length === 0) return [];
  const [the, are] =
    cells.length === 1 ? ["the link of cell", "is"] : ["the links of cells", "are"];
  return [
    `${the} ${listSome(cells)} ${are} not used: only columns of URLs, such as url, use links`,
  ];
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

/** The position of a row, with its cells in the order of the columns. */
interface PlacedRow extends PlacedNode {
  readonly cells?: readonly {
    readonly path: Path;
    readonly span: Span;
    /** The delimiters between the end of the row and the cell, if the row ends before the cell. */
    readonly before: string;
  }[];
}

/** The positions of a row's values. Empty and missing cells are included, as the positions of missing values. */
function placeRow(
  columns: readonly TableColumn[],
  row: number,
  { rows, spanOf, delimiter }: Records,
  header: number,
): PlacedRow {
  const entries: GrowingNode["entries"] = [];
  const length = rows[row]?.length ?? 0;
  const cells = columns.map(({ index, path }) => {
    const span = spanOf(row, index);
    let node: GrowingNode = { span, entries };
    for (const step of path) {
      node =
        typeof step === "number"
          ? itemOf(node, step, span)
          : entryOf(node, step, span, spanOf(header, index));
    }
    return { path, span, before: delimiter.repeat(Math.max(0, index + 1 - length)) };
  });
  const end = spanOf(row, Number.MAX_SAFE_INTEGER).end;
  return { span: { start: spanOf(row, 0).start, end }, entries, isRow: true, cells };
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
  const header = readHeader(records);
  const { columns } = parseColumns(records, header);
  const missing = [...fields].filter((field) => columns.every(({ path }) => path[0] !== field));
  if (missing.length === 0) return text;
  const edits = rows.map((row, index) => {
    const { end } = spanOf(index, Number.MAX_SAFE_INTEGER);
    const absent = delimiter.repeat(Math.max(0, header.names.length - row.length));
    const cells = missing.map(
      (name) => delimiter + (index === header.row ? cellText(name, false) : ""),
    );
    return { span: { start: end, end }, text: absent + cells.join("") };
  });
  return applyEdits(text, edits);
}

/** The edits of the cells of a row whose values differ. A value without a column has no edit. */
export function cellEdits(
  text: string,
  { cells = [] }: PlacedRow,
  { old, desired }: { readonly old: unknown; readonly desired: unknown },
): TextEdit[] {
  const edits: TextEdit[] = [];
  let written = 0;
  for (const { path, span, before } of cells) {
    const value = valueAt(desired, path);
    if (isDeepStrictEqual(valueAt(old, path), value)) continue;
    const isSplit = !text.slice(span.start, span.end).includes("[");
    const cell = before.slice(written) + cellText(value, isSplit);
    written = before.length;
    // The cells after the end of a row are at the same place.
    const last = edits.at(-1)?.span.start === span.start ? edits.pop() : undefined;
    edits.push({ span, text: `${last?.text ?? ""}${cell}` });
  }
  return edits;
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
  return quoteCell(text);
}

function isCode(value: unknown): boolean {
  return typeof value === "string" && /^[\w-]+$/.test(value);
}
