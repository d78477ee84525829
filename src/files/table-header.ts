/** Finds the header of a table, reads which value of a course each column has, and finds lines of a sheet. */
import { pluralize, truncate } from "../base/text.ts";
import { type Path, parsePath } from "../base/values.ts";
import { EXTERNAL_KEY, FIELD_NAMES, PROVIDER_KEY } from "../course/field-names.ts";
import { shapeAt } from "../course/fields.ts";
import type { Shape } from "../course/shape.ts";
import type { Cell, Records } from "./csv-table.ts";
import { MAX_DEPTH, MAX_ITEMS } from "./limits.ts";
import type { TextProblem } from "./parsed.ts";
import { LineIndex, type Range, type Span } from "./position.ts";

export const MAX_COLUMNS = 16_384;

/** The letters of a column: `A` for 0, `AA` for 26. */
export function nameColumn(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? nameColumn(rest - 1) : "") + String.fromCharCode(65 + (column % 26));
}

export function nameCell(row: number, column: number): string {
  return nameColumn(column) + row;
}

/** The span of a cell. @param row from 1 @param column from 0 */
export function spanOfCell(row: number, column: number): Span {
  const start = (row - 1) * MAX_COLUMNS + column;
  return { start, end: start + 1 };
}

function rowOf(start: number): number {
  return Math.floor(start / MAX_COLUMNS) + 1;
}

/** Finds positions in a sheet: lines are rows, and columns are the sheet's columns. */
export class SheetLines extends LineIndex {
  readonly #table: Records;
  #index: ReadonlyMap<number, number> | undefined;

  constructor(table: Records) {
    super("");
    this.#table = table;
  }

  override range({ start, end }: Span): Range {
    const last = Math.max(start, end - 1);
    const column = (start % MAX_COLUMNS) + 1;
    const endColumn = (last % MAX_COLUMNS) + 2;
    return { line: rowOf(start), column, endLine: rowOf(last), endColumn };
  }

  override text({ start, end }: Span): string {
    if (end - start > 1) return "";
    const { rows, rowNumbers } = this.#table;
    this.#index ??= new Map(rowNumbers.map((number, index) => [number, index]));
    return rows[this.#index.get(rowOf(start)) ?? -1]?.[start % MAX_COLUMNS] ?? "";
  }

  override cell({ start, end }: Span): string {
    const row = rowOf(start);
    return end - start > 1 ? `row ${row}` : `cell ${nameCell(row, start % MAX_COLUMNS)}`;
  }
}

export interface Header {
  /** The index of the row with the header. */
  readonly row: number;
  readonly names: readonly Cell[];
  /** What the user should know about rows above the header: clauses that follow the name of the file. */
  readonly notices: readonly string[];
}

/** Finds the header: in `Kurse 2027`, `Titel;Preis;Tage`, `Stricken;49,90;2`, it is the second row. */
export function readHeader({ rows, rowNumbers }: Records): Header {
  const row = findHeader(rows);
  const names = rows[row] ?? [];
  const number = rowNumbers[row] ?? 0;
  const skipped = number === 2 ? "row 1" : `rows 1 ${number === 3 ? "and" : "to"} ${number - 1}`;
  const notice = `the header is in row ${number} (${pluralize(countCells(names), "name")}); catalog skipped ${skipped}`;
  const notices = rows.slice(0, row).some(hasContent) ? [notice] : [];
  return { row, names, notices };
}

const MAX_SEARCHED = 50;
/** How many cells a header below other rows has at least. */
const FEWEST_NAMES = 3;

/** The index of the header: the first row with content or, if that is a title, the first with most columns' names. */
function findHeader(rows: Records["rows"]): number {
  const first = Math.max(0, rows.findIndex(hasContent));
  const some = rows.slice(first, first + MAX_SEARCHED);
  const counts = some.map(countCells);
  const most = Math.max(0, ...counts);
  const isTitle = most >= FEWEST_NAMES && (counts[0] ?? 0) * 2 <= most;
  if (!isTitle || some[0]?.some((cell) => shapeOf(cell) !== undefined)) return first;
  const found = some.findIndex((row, at) => (counts[at] ?? 0) * 4 >= most * 3 && hasNames(row));
  return first + Math.max(0, found);
}

function shapeOf(cell: Cell): Shape | undefined {
  const name = nameIn(cell);
  return name === "" ? undefined : shapeAt(columnPath(name));
}

const LONGEST_NAME = 80;

/** Whether most cells of a row can be names of columns. */
function hasNames(row: readonly Cell[]): boolean {
  const texts = row.map(nameIn).filter((text) => text !== "");
  const names = texts.filter(
    (text) => /\p{L}/u.test(text) && !/[:@]\S|^\W?\d/.test(text) && text.length <= LONGEST_NAME,
  );
  return names.length * 4 >= texts.length * 3;
}

export interface TableColumn {
  readonly index: number;
  readonly path: Path;
  /** The shape of the values; undefined if the column is not a course field. */
  readonly shape: Shape | undefined;
}

/**
 * Reads the columns of courses: the column `prices[0].price` has the path `["prices", 0, "price"]`. A column that
 * repeats another one is reported, and is not among the columns.
 */
export function parseColumns(
  { rows, spanOf }: Records,
  { row, names }: Header,
): { readonly columns: readonly TableColumn[]; readonly problems: readonly TextProblem[] } {
  const columns: TableColumn[] = [];
  const problems: TextProblem[] = [];
  /** The columns that fill a value, and the first columns that fill a part of it, by the paths of the values. */
  const whole = new Map<string, number>();
  const parts = new Map<string, number>();
  for (const [index, cell] of names.entries()) {
    const name = nameIn(cell);
    if (name === "") continue;
    const path = columnPath(name);
    // Two columns conflict if they fill the same value, or if one fills a part of the other's value.
    const keys = path.map((_, length) => JSON.stringify(path.slice(0, length + 1)));
    const own = keys.at(-1) ?? "";
    const around = keys.find((key) => whole.has(key));
    const earlier = around === undefined ? parts.get(own) : whole.get(around);
    if (earlier === undefined) {
      columns.push({ index, path, shape: shapeAt(path) });
      whole.set(own, index);
      for (const key of keys) if (!parts.has(key)) parts.set(key, index);
    } else {
      const message = `duplicate column ${JSON.stringify(truncate(name))}`;
      const spans = { span: spanOf(row, index), earlier: spanOf(row, earlier) };
      problems.push({ rule: "duplicate-key", message, ...spans });
    }
  }
  const isEmpty = !hasContent(names) && rows.length < 2;
  if (isEmpty || columns.some(({ path }) => isField(path[0]))) return { columns, problems };
  const message =
    'none of the columns is a course field. Is this an export from another system? Use "catalog courses import"';
  return { columns: [], problems: [{ rule: "not-a-course", message, span: spanOf(row, 0) }] };
}

/** The path that a column's name means. A name that is not a path inside a course is one unknown field. */
export function columnPath(name: string): Path {
  const path = parsePath(name);
  if (path === undefined || path.length > MAX_DEPTH || typeof path[0] !== "string") return [name];
  return path.every((step) => typeof step === "string" || step < MAX_ITEMS) ? path : [name];
}

export function nameIn(cell: Cell | undefined = ""): string {
  return (cell ?? "null").trim();
}

export function isBlank(cell: Cell | undefined): boolean {
  return nameIn(cell) === "";
}

export function hasContent(row: readonly Cell[]): boolean {
  return !row.every(isBlank);
}

function countCells(row: readonly Cell[]): number {
  return row.filter((cell) => !isBlank(cell)).length;
}

/** Whether a name is a field's, or nearly: `Provider ID` has a problem that suggests `provider_id`. */
function isField(name: unknown): boolean {
  const folded = String(name)
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return [...FIELD_NAMES, PROVIDER_KEY, EXTERNAL_KEY].some((field) => field === folded);
}
