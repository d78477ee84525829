/** Finds the header of a table, and reads which value of a course each column has. */
import { truncate } from "../base/text.ts";
import { type Path, parsePath } from "../base/values.ts";
import { EXTERNAL_KEY, PROVIDER_KEY } from "../course/field-names.ts";
import { FIELD_NAMES, shapeAt } from "../course/fields.ts";
import { type Problem, textProblem } from "../course/problem.ts";
import type { Shape } from "../course/shape.ts";
import type { Cell, Row, Table } from "./csv-table.ts";
import { MAX_DEPTH } from "./limits.ts";

export interface TableColumn {
  readonly index: number;
  /** Without spaces around it; empty for a column that has cells below a header without its name. */
  readonly name: string;
  /** Which value of a course its cells are: of `prices[0].price`, `["prices", 0, "price"]`. */
  readonly path: Path;
  /** The shape of the values; undefined if the column is not a course field. */
  readonly shape: Shape | undefined;
  /** Whether there are cells that link to addresses, which are not the texts of the cells. */
  readonly hasLinks: boolean;
}

export interface Header {
  readonly row?: Row;
  readonly columns: readonly TableColumn[];
  /** The rows below the header that have content and fit the columns. */
  readonly rows: readonly Row[];
  /** The problems of the rows that do not fit. */
  readonly problems: readonly Problem[];
  /** What the user should know about rows above the header: clauses that follow the name of the file. */
  readonly notices: readonly string[];
}

/** Reads the header and the rows below it: in `Kurse 2027`, `Titel;Preis;Tage`, `Stricken;49,90;2`, it is the second row. */
export function readHeader({ rows: all, delimiter, spanOf }: Table): Header {
  const filled = all.filter(({ cells }) => cells.some(isFilled));
  const at = findHeader(filled);
  const row = filled[at];
  if (row === undefined) return { columns: [], rows: [], problems: [], notices: [] };
  const names = row.cells.map(nameIn);
  const rows: Row[] = [];
  const problems: Problem[] = [];
  /** The columns without a name that have cells, and the columns that have links. */
  const [unnamed, linked] = [new Set<number>(), new Set<number>()];
  for (const each of filled.slice(at + 1)) {
    const { cells, links = new Map() } = each;
    const extra = cells.findIndex((cell, index) => index >= names.length && cell !== "");
    if (extra !== -1 && delimiter !== undefined) {
      const message = `not valid CSV: this row has ${cells.length} cells, but the header has ${names.length}; put straight quotes (") around cells that contain a delimiter or a line break`;
      problems.push(textProblem("syntax", message, spanOf(each, extra)));
      continue;
    }
    rows.push(each);
    for (const index of links.keys()) linked.add(index);
    cells.forEach((cell, index) => {
      if (!names[index] && isFilled(cell)) unnamed.add(index);
    });
  }
  const indexes = [...names.keys()].filter((index) => names[index] !== "");
  const columns = [...indexes, ...unnamed]
    .sort((one, other) => one - other)
    .map((index): TableColumn => {
      const name = names[index] ?? "";
      const path = columnPath(name);
      return { index, name, path, shape: shapeAt(path), hasLinks: linked.has(index) };
    });
  const notice = `the header is in row ${row.number}; catalog skipped the rows above it`;
  return { row, columns, rows, problems, notices: at === 0 ? [] : [notice] };
}

const MAX_SEARCHED = 50;
/** How many cells a header below other rows has at least. */
const FEWEST_NAMES = 3;

/** The index of the header: the first row or, if that is a title, the first in which most columns have names. */
function findHeader(rows: readonly Row[]): number {
  const some = rows.slice(0, MAX_SEARCHED);
  const [first] = some;
  const most = Math.max(0, ...some.map(filledCells));
  const isTitle = first !== undefined && most >= FEWEST_NAMES && filledCells(first) * 2 <= most;
  if (!isTitle || first.cells.some((cell) => shapeAt(columnPath(nameIn(cell))))) return 0;
  const isHeader = ({ cells }: Row): boolean => cells.filter(isName).length * 4 >= most * 3;
  return Math.max(0, some.findIndex(isHeader));
}

/** Whether a cell can be the name of a column: neither a number nor an address. */
function isName(cell: Cell): boolean {
  const text = nameIn(cell);
  return /\p{L}/u.test(text) && !/[:@]\S|^\W?\d/.test(text);
}

function filledCells({ cells }: Row): number {
  return cells.filter(isFilled).length;
}

function isFilled(cell: Cell): boolean {
  return nameIn(cell) !== "";
}

export function nameIn(cell: Cell | undefined = ""): string {
  return (cell ?? "null").trim();
}

/**
 * The columns that are values of courses, and the problems of the others: a column without a name, one that repeats
 * another one, and a table of another kind.
 */
export function courseColumns(
  { row, columns: all }: Header,
  spanOf: Table["spanOf"],
): { readonly columns: readonly TableColumn[]; readonly problems: Problem[] } {
  const columns: TableColumn[] = [];
  const problems: Problem[] = [];
  if (row === undefined) return { columns, problems };
  /** The first column that fills a value or a part of it, by the path of the value. */
  const filled = new Map<string, TableColumn>();
  for (const column of all) {
    const { index, name, path } = column;
    const span = spanOf(row, index);
    const keys = path.map((_, length) => JSON.stringify(path.slice(0, length + 1)));
    // Two columns conflict if they fill the same value, or if one fills a part of the other's value.
    const earlier = keys
      .map((key) => filled.get(key))
      .find((other, at) => other && (at === path.length - 1 || at === other.path.length - 1));
    if (name === "") {
      const message = `column ${nameColumn(index)} has values, but no name in the header`;
      problems.push(textProblem("syntax", message, span));
    } else if (earlier === undefined) {
      columns.push(column);
      for (const key of keys) if (!filled.has(key)) filled.set(key, column);
    } else {
      const message = `duplicate column ${JSON.stringify(truncate(name))}`;
      problems.push({
        ...textProblem("duplicate-key", message, span),
        earlier: spanOf(row, earlier.index),
      });
    }
  }
  if (columns.some(({ path }) => isField(path[0]))) return { columns, problems };
  const isOneColumn = row.cells.length === 1 && all[0]?.name.includes("|");
  const message = isOneColumn
    ? "the header is one column: separate the columns with commas, semicolons or tabs"
    : 'none of the columns is a course field. Is this an export from another system? Use "catalog courses import"';
  return { columns: [], problems: [textProblem("not-a-course", message, spanOf(row, 0))] };
}

/** The path that a column's name means. A name that is not a path inside a course is one unknown field. */
export function columnPath(name: string): Path {
  const path = parsePath(name);
  const isPath = path !== undefined && path.length <= MAX_DEPTH && typeof path[0] === "string";
  return isPath ? path : [name];
}

/** Whether a name is a field's, or nearly: `Provider ID` has a problem that suggests `provider_id`. */
function isField(name: unknown): boolean {
  const folded = String(name)
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return [...FIELD_NAMES, PROVIDER_KEY, EXTERNAL_KEY].some((field) => field === folded);
}

/** Whether a value is a web address, so that a cell with a link means the address of the link. */
export function isUrl(shape: Shape | undefined): boolean {
  return shape?.kind === "string" && shape.format === "url";
}

/** The letters of a column: `A` for 0, `AA` for 26. */
export function nameColumn(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? nameColumn(rest - 1) : "") + String.fromCharCode(65 + (column % 26));
}
