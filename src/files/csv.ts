/** Reads and edits courses in CSV and TSV: a header of field names or paths, then one course per row. */
import { isDeepStrictEqual } from "node:util";
import { protectCell, quoteCell } from "../base/spreadsheet-cells.ts";
import { listSome } from "../base/text.ts";
import { isList, isObject, type Path, type PlainObject, valueAt } from "../base/values.ts";
import { textProblem } from "../course/problem.ts";
import { fitScalar, type Shape } from "../course/shape.ts";
import { parseTable, type Row, type Table } from "./csv-table.ts";
import { parseValue } from "./json.ts";
import { MAX_FINDINGS } from "./limits.ts";
import { type Parsed, rememberLast } from "./parsed.ts";
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
  const rows = columns.length === 0 ? [] : header.rows;
  if (columns.length > 0) problems.push(...header.problems.slice(0, MAX_FINDINGS));
  for (const row of rows) {
    if (problems.length > MAX_FINDINGS) break;
    for (const { index, shape } of row.faults === undefined ? [] : columns) {
      const fault = shape && row.faults?.get(index);
      if (fault !== undefined)
        problems.push(textProblem("syntax", fault, table.spanOf(row, index)));
    }
  }
  problems.push(...table.problems);
  const names = columns.filter(({ hasLinks }) => hasLinks).map(({ index }) => nameColumn(index));
  const notice = `links are used only in columns of URLs, such as url, but not in column ${listSome(names)}`;
  return {
    documents: [rows.map((row) => readCourse(row, columns))],
    problems,
    place: rememberLast(async ({ item = 0 }) => placeRow(rows[item], header, table, columns)),
    startOf: ({ item = 0 }) => (rows[item] === undefined ? 0 : table.spanOf(rows[item], 0).start),
    isTable: true,
    columns: columns.map(({ path }) => path),
    notices: [...header.notices, ...(names.length === 0 ? [] : [notice])],
  };
}

/** The course of a row, without fields whose cells are empty. */
function readCourse(row: Row, columns: readonly TableColumn[]): PlainObject {
  const course = {};
  for (const { index, path, shape } of columns) {
    const cell = (isUrl(shape) ? row.links?.get(index) : undefined) ?? row.cells[index];
    if (cell === undefined || cell === "") continue;
    setValue(course, path, cell === null ? null : cellValue(cell, shape));
  }
  return course;
}

/**
 * Reads a cell as the value of a field. By the field's shape, `60` is the number 60 or the string "60", and
 * `en, pt-BR` is a string or `["en", "pt-BR"]`. Text that does not fit stays text, and the checks of the course report it.
 */
export function cellValue(cell: string, shape: Shape | undefined): unknown {
  const trimmed = cell.trim();
  switch (shape?.kind) {
    case "number":
    // Spreadsheets write TRUE and FALSE.
    case "boolean": {
      const fitted = fitScalar(shape, trimmed.toLowerCase());
      return typeof fitted === "string" ? cell : fitted;
    }
    case "object":
    case "list":
    case "paragraphs": {
      if (/^[[{]/.test(trimmed)) {
        const { value, problems } = parseValue(trimmed);
        return problems.length > 0 ? cell : value;
      }
      const isSplit = shape.kind === "list" && shape.of.kind !== "object";
      return isSplit ? splitList(cell, shape.of) : cell;
    }
    default:
      return cell;
  }
}

function splitList(text: string, shape: Shape): unknown[] {
  const parts = text.split(/[,;]/).map((part) => part.trim());
  return parts.filter((part) => part !== "").map((part) => cellValue(part, shape));
}

/**
 * Sets the value at a path of a mutable object, and creates the objects and lists on the way: for the path
 * `["prices", 1, "price"]`, `{}` becomes `{ prices: [{}, { price: value }] }`.
 */
export function setValue(root: object, [step = "", ...rest]: Path, value: unknown): void {
  if (Array.isArray(root)) while (root.length < Number(step)) root.push({});
  const parent = root as Record<string | number, unknown>;
  const found = Object.hasOwn(parent, step) ? parent[step] : undefined;
  const empty = typeof rest[0] === "number" ? [] : {};
  const inner = typeof found === "object" && found !== null ? found : empty;
  const facts = { enumerable: true, writable: true, configurable: true };
  // Also defines the name `__proto__`.
  Object.defineProperty(parent, step, { value: rest.length === 0 ? value : inner, ...facts });
  if (rest.length > 0) setValue(inner, rest, value);
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
  const names = desired.filter(isObject).flatMap((course) => {
    return Object.keys(course).filter((name) => course[name] !== undefined && !known.has(name));
  });
  const added = [...new Set(names)];
  const width = header.row?.cells.length ?? 0;
  const all = [...columns, ...added.map((name, at) => ({ index: width + at, path: [name] }))];
  const write = (texts: string[], old: unknown, course: unknown): string => {
    if (added.length > 0) texts.length = Math.max(texts.length, width + added.length);
    for (const { index, path } of isObject(course) ? all : []) {
      const value = valueAt(course, path);
      if (!isDeepStrictEqual(valueAt(old, path), value)) texts[index] = cellText(value);
    }
    return texts.join(table.delimiter);
  };
  const textsOf = (row: Row): string[] => {
    const spans = row.cells.map((_, index) => table.spanOf(row, index));
    return spans.map(({ start, end }) => text.slice(start, end));
  };
  const edits = header.rows.map((row, item) => {
    const written = write(textsOf(row), readCourse(row, columns), desired[item]);
    return { span: rowSpan(row, table), text: written };
  });
  if (header.row !== undefined) {
    const titles = [...textsOf(header.row), ...added.map(cellText)].join(table.delimiter);
    edits.push({ span: rowSpan(header.row, table), text: titles });
  }
  const edited = applyEdits(text, edits);
  const lineBreak = /\r\n|[\r\n]/.exec(text)?.[0] ?? "\n";
  const rows = desired.slice(header.rows.length).map((course) => {
    return write(new Array(width).fill(""), {}, course) + lineBreak;
  });
  const isEnded = rows.length === 0 || /[\r\n]$/.test(edited);
  return edited + (isEnded ? "" : lineBreak) + rows.join("");
}

/** Writes a value as a cell: `["en", "de"]` as `"en, de"`, other lists and objects as JSON. */
export function cellText(value: unknown): string {
  if (value === undefined) return "";
  if (value === null) return "null";
  if (typeof value === "string") return quoteCell(protectCell(value, false));
  // An empty list is written as JSON: an empty cell would be a missing field.
  const isCodes = isList(value) && value.length > 0 && value.every(isCode);
  return quoteCell(isCodes ? value.join(", ") : JSON.stringify(value));
}

function isCode(value: unknown): boolean {
  return typeof value === "string" && /^[\w-]+$/.test(value);
}
