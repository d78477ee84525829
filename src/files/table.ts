/** Reads the courses of a table: below a header of field names or paths, each row is a course. */
import { nameColumn } from "../base/spreadsheet-cells.ts";
import { listSome, truncate } from "../base/text.ts";
import type { Path, PlainObject } from "../base/values.ts";
import { namedPath, shapeAt } from "../course/fields.ts";
import { MAX_FINDINGS, type Problem, type Span, textProblem } from "../course/problem.ts";
import { readValue } from "../course/read-value.ts";
import type { Shape } from "../course/shape.ts";
import { parseValue } from "./json.ts";
import { type Parsed, rememberLast, unparsed } from "./parsed.ts";
import { fitPaths, setValue } from "./path-keys.ts";

/** The content of a cell; null for `null` without quotation marks. */
export type Cell = string | null;

/** A row that is not empty. */
export interface Row {
  /** The number that a spreadsheet shows: from 1, counting empty rows. */
  readonly number: number;
  /** The cells up to the last one of the row; the cells after it are empty. */
  readonly cells: readonly Cell[];
  /** In CSV, the offset at which each cell starts, and the offset after the last cell and a delimiter. */
  readonly starts?: readonly number[];
  /** In a sheet, why cells have no values: clauses by column. */
  readonly faults?: ReadonlyMap<number, string>;
  /** In a sheet, the web addresses to which cells with other texts link, by column. */
  readonly links?: ReadonlyMap<number, string>;
}

/** The rows of a text up to its first syntax error, or the rows of a sheet. */
export interface Table {
  readonly rows: readonly Row[];
  /** The span of a cell with its quotation marks; in CSV, of a column after the last cell, the end of the row. */
  readonly spanOf: (row: Row, column: number) => Span;
  /** Undefined in a sheet. */
  readonly delimiter?: string;
  readonly problems: readonly Problem[];
}

/** The column that a report of `check` adds, which is not read. */
export const PROBLEMS_COLUMN = "problems";

export interface TableColumn {
  readonly index: number;
  /** Without spaces around it; `Column H` for a column that has cells below a header without its name. */
  readonly name: string;
  /** Which value of a course its cells are: of `prices[0].price`, `["prices", 0, "price"]`. */
  readonly path: Path;
  /** The shape of the values; undefined if the column is not a course field. */
  readonly shape: Shape | undefined;
  /** Whether there are cells with links that are not used, because the values are not URLs. */
  readonly hasLinks: boolean;
}

/** Reads the header and the rows below it: in `Kurse 2027`, `Titel;Preis;Tage`, `Stricken;49,90;2`, it is the second row. */
export function readHeader({ rows: all, delimiter, spanOf }: Table) {
  const filled = all.filter(({ cells }) => cells.some(isFilled));
  const at = findHeader(filled);
  const row = filled[at] ?? { number: 1, cells: [] };
  const names = row.cells.map(nameIn);
  /** The rows below the header that have content and fit the columns, and the problems of those that do not fit. */
  const rows: Row[] = [];
  const misfits: Problem[] = [];
  const used = new Set([...names.keys()].filter((index) => names[index] !== ""));
  const linked = new Set<number>();
  for (const each of filled.slice(at + 1)) {
    const { cells, links } = each;
    const extra = cells.findIndex((cell, index) => index >= names.length && cell !== "");
    if (extra !== -1 && delimiter !== undefined) {
      const message = `not valid CSV: this row has ${cells.length} cells, but the header has ${names.length}; put straight quotes (") around cells that contain a delimiter or a line break`;
      misfits.push(textProblem("syntax", message, spanOf(each, extra)));
      continue;
    }
    rows.push(each);
    for (const index of links?.keys() ?? []) linked.add(index);
    cells.forEach((cell, index) => {
      if (isFilled(cell)) used.add(index);
    });
  }
  const indexes = [...used].sort((one, other) => one - other);
  const columns = indexes.map((index): TableColumn => {
    const name = names[index] || `Column ${nameColumn(index)}`;
    const path = namedPath(name);
    const shape = shapeAt(path);
    return { index, name, path, shape, hasLinks: linked.has(index) && !isUrl(shape) };
  });
  const notice = `the header is in row ${row.number}; catalog skipped the rows above it`;
  /** What the user should know about rows above the header: clauses that follow the name of the file. */
  const notices = at === 0 ? [] : [notice];
  return { row, columns, ...findFields(row, columns, spanOf), rows, misfits, notices };
}

/** The index of the first row that names a field or, without one, in which half of the columns have names. */
function findHeader(rows: readonly Row[]): number {
  const first = rows.slice(0, 50);
  const sizes = first.map(({ cells }) => cells.filter(isFilled).length);
  const found = first.findIndex(({ cells }, at) => {
    const isOfCourses = cells.some((cell) => shapeAt(namedPath(nameIn(cell))) !== undefined);
    return isOfCourses || (sizes[at] ?? 0) * 2 >= Math.max(...sizes);
  });
  return Math.max(0, found);
}

function isFilled(cell: Cell): boolean {
  return nameIn(cell) !== "";
}

export function nameIn(cell: Cell | undefined = ""): string {
  return (cell ?? "null").trim();
}

/**
 * The columns that are values of courses, each of another one, and the problems of the others: a column that repeats
 * another one or skips items of a list, and a table of another kind, which has no such columns.
 */
function findFields(row: Row, columns: readonly TableColumn[], spanOf: Table["spanOf"]) {
  const fields: TableColumn[] = [];
  const problems: Problem[] = [];
  const fitOf = fitPaths();
  for (const column of columns.filter(({ name }) => name !== PROBLEMS_COLUMN)) {
    const { index, name, path } = column;
    const fits = fitOf(path);
    if (fits === "yes") {
      fields.push(column);
      continue;
    }
    const isRepeated = fits === "repeated";
    const message = isRepeated
      ? `duplicate column ${JSON.stringify(truncate(name))}`
      : "the columns skip too many list items: number the items from 0, for example prices[0], prices[1]";
    const rule = isRepeated ? "duplicate-field" : "syntax";
    problems.push(textProblem(rule, message, spanOf(row, index)));
  }
  const isForeign = columns.length > 0 && fields.every(({ shape }) => shape === undefined);
  if (!isForeign) return { fields, problems };
  const message =
    'none of the columns is a course field. Is this an export from another system? Use "catalog courses import"';
  return { fields: [], problems: [textProblem("not-a-course", message, spanOf(row, 0))] };
}

/** Whether a value is a web address, so that a cell with a link means the address of the link. */
export function isUrl(shape: Shape | undefined): boolean {
  return shape?.kind === "string" && shape.format === "url";
}

/**
 * Reads the courses of a table. The rows `name,url` and `Knitting,https://academy.example/knitting` give one course.
 */
export function parseCourses(table: Table): Parsed {
  const { spanOf } = table;
  const excess = table.problems.find(({ rule }) => rule === "too-large");
  // What follows would only be consequences.
  if (excess !== undefined) return unparsed(excess);
  const { row: top, fields, notices, ...header } = readHeader(table);
  const rows = fields.length === 0 ? [] : header.rows;
  const misfits = fields.length === 0 ? [] : header.misfits.slice(0, MAX_FINDINGS);
  const problems = [...header.problems, ...misfits];
  for (const row of rows) {
    if (problems.length > MAX_FINDINGS) break;
    for (const { index, shape } of row.faults === undefined ? [] : fields) {
      const fault = shape && row.faults?.get(index);
      if (fault !== undefined) problems.push(textProblem("syntax", fault, spanOf(row, index)));
    }
  }
  problems.push(...table.problems);
  const names = fields.filter(({ hasLinks }) => hasLinks).map(({ index }) => nameColumn(index));
  const notice = `links are used only in columns of URLs, such as url, but not in column ${listSome(names)}`;
  return {
    documents: [rows.map((row) => readCourse(row, fields))],
    problems,
    place: rememberLast(async ({ item = 0 }) => {
      const row = rows[item] ?? top;
      const cells = fields.map((field) => {
        const { index, path } = field;
        const written = cellIn(row, field);
        return { path, written, span: spanOf(row, index), header: spanOf(top, index) };
      });
      // Empty and missing cells are included, as the positions of missing values.
      return { span: rowSpan(row, table), cells };
    }),
    startOf: ({ item = 0 }) => spanOf(rows[item] ?? top, 0).start,
    columns: fields.map(({ path }) => path),
    isReport: header.columns[0]?.name === PROBLEMS_COLUMN,
    notices: names.length === 0 ? notices : [...notices, notice],
  };
}

export function rowSpan(row: Row, { spanOf }: Table): Span {
  const [start, end] = [spanOf(row, 0).start, spanOf(row, row.cells.length - 1).end];
  return { start, end, cell: `row ${row.number}` };
}

/** The course of a row, without fields whose cells are empty. */
export function readCourse(row: Row, columns: readonly TableColumn[]): PlainObject {
  const course = {};
  for (const column of columns) {
    const cell = cellIn(row, column);
    if (cell === undefined || cell === "") continue;
    setValue(course, column.path, cell === null ? null : cellValue(cell, column.shape));
  }
  return course;
}

/** What a row has in a column: where a URL is meant, the address to which the cell links. */
function cellIn(row: Row, { index, shape }: TableColumn): Cell | undefined {
  return (isUrl(shape) ? row.links?.get(index) : undefined) ?? row.cells[index];
}

/** Reads a cell as the value of a field: what has parts as JSON, or a list of codes as people write it. */
export function cellValue(cell: string, shape: Shape | undefined): unknown {
  const isStructured =
    shape?.kind === "object" || shape?.kind === "list" || shape?.kind === "paragraphs";
  if (isStructured && /^\s*[[{]/.test(cell)) return parseValue(cell) ?? cell;
  const isText = shape?.kind === "list" && shape.of.kind === "object";
  return isText ? cell : readValue(cell, shape, "table");
}
