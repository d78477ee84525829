/** Reads and edits courses in CSV and TSV: a header of field names or paths, then one course per row. */
import { isDeepStrictEqual } from "node:util";
import { protectCell, quoteCell } from "../base/spreadsheet-cells.ts";
import { listSome } from "../base/text.ts";
import { isList, isObject, type Path, type PlainObject, valueAt } from "../base/values.ts";
import { type Problem, textProblem } from "../course/problem.ts";
import type { Shape } from "../course/shape.ts";
import { parseTable, type Row, type Table } from "./csv-table.ts";
import { newBudget, type ParsedValue, parseValue, type ValueBudget } from "./json.ts";
import { MAX_FINDINGS } from "./limits.ts";
import { type CoursePlace, type Parsed, rememberLast, unparsed } from "./parsed.ts";
import { applyEdits, type PlacedNode, type Span } from "./position.ts";
import {
  courseColumns,
  type Header,
  isUrl,
  nameColumn,
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
  return parseCourses(parseTable(text, delimiter));
}

/**
 * Reads the courses of a table: below the header, each row is a course. The rows `name,url` and
 * `Knitting,https://academy.example/knitting` give one course.
 */
export function parseCourses(table: Table): ParsedTable {
  const header = readHeader(table);
  const { columns, problems } = courseColumns(header, table.spanOf);
  const isTableOfCourses = columns.length > 0;
  const rows = isTableOfCourses ? header.rows : [];
  if (isTableOfCourses) problems.push(...header.problems.slice(0, MAX_FINDINGS));
  const courses: PlainObject[] = [];
  const budget = newBudget();
  for (const row of rows) {
    if (problems.length > MAX_FINDINGS) break;
    courses.push(readCourse(row, table, columns, problems, budget));
    if (budget.left < 0) {
      const span = table.spanOf(header.row ?? row, 0);
      const skips = textProblem("too-large", SKIPS_ITEMS, span);
      const tooLarge = problems.find(({ rule }) => rule === "too-large") ?? skips;
      return { ...unparsed(tooLarge), notices: [] };
    }
  }
  problems.push(...table.problems);
  const startOf = ({ item = 0 }: CoursePlace): number => {
    const row = rows[item];
    return row === undefined ? 0 : table.spanOf(row, 0).start;
  };
  const unused = columns.filter(({ hasLinks, shape }) => hasLinks && !isUrl(shape));
  const names = unused.map(({ index }) => nameColumn(index));
  const notice = `links are used only in columns of URLs, such as url, but not in column ${listSome(names)}`;
  return {
    documents: [courses],
    problems,
    place: rememberLast(async ({ item = 0 }) => placeRow(rows[item], header, table, columns)),
    startOf,
    isTable: true,
    columns: columns.map(({ path }) => path),
    notices: [...header.notices, ...(names.length === 0 ? [] : [notice])],
  };
}

/** The problem of columns that skip more list items than a file may have values. */
export const SKIPS_ITEMS =
  "the columns skip too many list items: number the items from 0, for example prices[0], prices[1]";

/** Reads the course of a row, without fields whose cells are empty, and adds the problems of its cells. */
function readCourse(
  row: Row,
  { spanOf }: Table,
  columns: readonly TableColumn[],
  problems: Problem[],
  budget: ValueBudget,
): PlainObject {
  const course = {};
  for (const { index, path, shape } of columns) {
    const fault = shape && row.faults?.get(index);
    if (fault !== undefined) {
      problems.push(textProblem("syntax", fault, spanOf(row, index)));
    }
    const link = isUrl(shape) ? row.links?.get(index) : undefined;
    const cell = link ?? row.cells[index];
    if (cell === undefined || cell === "") continue;
    const read = cell === null ? valid(null) : cellValue(cell, shape, budget);
    if (read.problems.length === 0) setValue(course, path, read.value, budget);
    for (const { rule, message } of read.problems) {
      problems.push(textProblem(rule, message, spanOf(row, index)));
    }
  }
  return course;
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
 * @param budget reduced by the items that no column fills; if too little is left, nothing is set
 */
export function setValue(
  root: object,
  [step = "", ...rest]: Path,
  value: unknown,
  budget: ValueBudget,
): void {
  if (Array.isArray(root) && typeof step === "number") {
    // An empty item is checked like a course's other items, which takes longer than to read a value.
    budget.left -= 5 * Math.max(0, step - root.length);
    if (budget.left < 0) return;
    while (root.length < step) root.push({});
  }
  const parent = root as Growing;
  const found = Object.hasOwn(parent, step) ? parent[step] : undefined;
  const empty = typeof rest[0] === "number" ? [] : {};
  const inner = typeof found === "object" && found !== null ? found : empty;
  define(parent, step, rest.length === 0 ? value : inner);
  if (rest.length > 0) setValue(inner, rest, value, budget);
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

/** The position of a row. Empty and missing cells are included, as the positions of missing values. */
function placeRow(
  row: Row | undefined,
  header: Header,
  table: Table,
  columns: readonly TableColumn[],
): PlacedNode {
  const top = header.row;
  if (row === undefined || top === undefined) return { span: { start: 0, end: 0 } };
  const cells = columns.map(({ index, path }) => {
    return { path, span: table.spanOf(row, index), header: table.spanOf(top, index) };
  });
  return { span: rowSpan(row, table), cells };
}

function rowSpan(row: Row, { spanOf }: Table): Span {
  return { start: spanOf(row, 0).start, end: spanOf(row, row.cells.length - 1).end };
}

/**
 * The text of a table with other courses in its rows, and further courses below. Only cells with other values change,
 * and a field without a column gets one at the end: with a url, `name\nKnitting` becomes `name,url\nKnitting,https://academy.example/knitting`.
 */
export function editTable(
  text: string,
  separator: string | undefined,
  desired: readonly unknown[],
): string {
  const table = parseTable(text, separator);
  const header = readHeader(table);
  const { columns } = courseColumns(header, table.spanOf);
  const known = new Set(columns.map(({ path }) => path[0]));
  const fields = desired.filter(isObject).flatMap((course) => {
    return Object.keys(course).filter((name) => course[name] !== undefined && !known.has(name));
  });
  const width = header.row?.cells.length ?? 0;
  const added = [...new Set(fields)].map((name, at) => ({ index: width + at, path: [name] }));
  const items = new Map(header.rows.map((row, item) => [row, item]));
  const edits = table.rows.map((row) => {
    const textOf = (index: number): string => {
      const { start, end } = table.spanOf(row, index);
      return text.slice(start, end);
    };
    const written = new Map<number, string>();
    if (row === header.row) {
      for (const { index, path } of added) written.set(index, cellText(path[0], false));
    }
    const wanted = desired[items.get(row) ?? -1];
    if (isObject(wanted)) {
      const old = readCourse(row, table, columns, [], newBudget());
      for (const { index, path } of [...columns, ...added]) {
        const value = valueAt(wanted, path);
        if (isDeepStrictEqual(valueAt(old, path), value)) continue;
        written.set(index, cellText(value, !textOf(index).includes("[")));
      }
    }
    const least = added.length === 0 ? 0 : width + added.length;
    const length = Math.max(row.cells.length, least, ...[...written.keys()].map((at) => at + 1));
    const cells = Array.from({ length }, (_, index) => written.get(index) ?? textOf(index));
    return { span: rowSpan(row, table), text: cells.join(table.delimiter) };
  });
  const edited = applyEdits(text, edits);
  const lineBreak = /\r\n|[\r\n]/.exec(text)?.[0] ?? "\n";
  const rows = desired.slice(header.rows.length).map((course) => {
    const cells = new Array<string>(width + added.length).fill("");
    for (const { index, path } of [...columns, ...added])
      cells[index] = cellText(valueAt(course, path), true);
    return cells.join(table.delimiter) + lineBreak;
  });
  if (rows.length === 0) return edited;
  return (/[\r\n]$/.test(edited) ? edited : edited + lineBreak) + rows.join("");
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
