/** Finds the header of a table, and reads which value of a course each column has. */
import { truncate } from "../base/text.ts";
import { type Path, parsePath } from "../base/values.ts";
import { shapeAt } from "../course/fields.ts";
import { type Problem, textProblem } from "../course/problem.ts";
import { partShape, type Shape } from "../course/shape.ts";
import type { Cell, Row, Table } from "./csv-table.ts";

/** The hidden sheet of a workbook that catalog wrote, with the values that the workbook had then. */
export const MEMORY_SHEET = "catalog";

export interface TableColumn {
  readonly index: number;
  /** Without spaces around it; empty for a column that has cells below a header without its name. */
  readonly name: string;
  /** Which value of a course its cells are: of `prices[0].price`, `["prices", 0, "price"]`. */
  readonly path: Path;
  /** The shape of the values; undefined if the column is not a course field. */
  readonly shape: Shape | undefined;
  /** Whether there are cells with links that are not used, because the values are no URLs. */
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
  const used = new Set([...names.keys()].filter((index) => names[index] !== ""));
  const linked = new Set<number>();
  for (const each of filled.slice(at + 1)) {
    const { cells, links } = each;
    const extra = cells.findIndex((cell, index) => index >= names.length && cell !== "");
    if (extra !== -1 && delimiter !== undefined) {
      const message = `not valid CSV: this row has ${cells.length} cells, but the header has ${names.length}; put straight quotes (") around cells that contain a delimiter or a line break`;
      problems.push(textProblem("syntax", message, spanOf(each, extra)));
      continue;
    }
    rows.push(each);
    for (const index of links?.keys() ?? []) linked.add(index);
    cells.forEach((cell, index) => {
      if (isFilled(cell)) used.add(index);
    });
  }
  const columns = [...used]
    .sort((one, other) => one - other)
    .map((index): TableColumn => {
      const name = names[index] ?? "";
      const path = columnPath(name);
      const shape = shapeAt(path);
      return { index, name, path, shape, hasLinks: linked.has(index) && !isUrl(shape) };
    });
  const notice = `the header is in row ${row.number}; catalog skipped the rows above it`;
  return { row, columns, rows, problems, notices: at === 0 ? [] : [notice] };
}

/** The index of the first row that names a field or, without one, in which most of the columns have names. */
function findHeader(rows: readonly Row[]): number {
  const first = rows.slice(0, 50);
  const most = Math.max(...first.map(({ cells }) => cells.filter(isFilled).length));
  return Math.max(
    0,
    first.findIndex(({ cells }) => {
      const isCourses = cells.some((cell) => shapeAt(columnPath(nameIn(cell))) !== undefined);
      return isCourses || cells.filter(isName).length * 2 >= most;
    }),
  );
}

/** Whether a cell can be the name of a column: neither a number nor an address. */
function isName(cell: Cell): boolean {
  const text = nameIn(cell);
  return /\p{L}/u.test(text) && !/[:@]\S|^\W?\d/.test(text);
}

function isFilled(cell: Cell): boolean {
  return nameIn(cell) !== "";
}

export function nameIn(cell: Cell | undefined = ""): string {
  return (cell ?? "null").trim();
}

/** How many items of lists columns may skip: each row with such a column gets these items. */
const MAX_SKIPPED = 50;

/**
 * The columns that are values of courses, and the problems of the others: a column without a name, one that repeats
 * another one or skips items of a list, and a table of another kind.
 */
export function courseColumns(
  { row, columns: all }: Header,
  spanOf: Table["spanOf"],
): { readonly columns: readonly TableColumn[]; readonly problems: Problem[] } {
  const columns: TableColumn[] = [];
  const problems: Problem[] = [];
  if (row === undefined) return { columns, problems };
  /** The values that columns fill, and the values that they fill at least in part. */
  const [whole, parts] = [new Set<string>(), new Set<string>()];
  let skipped = 0;
  for (const column of all) {
    const { index, name, path } = column;
    const keys = path.map((_, at) => JSON.stringify(path.slice(0, at + 1)));
    const own = keys.at(-1) ?? "";
    const isRepeated = parts.has(own) || keys.some((key) => whole.has(key));
    let skips = skipped;
    for (const [at, step] of path.entries()) {
      if (typeof step !== "number") continue;
      const near = [step, step - 1].map((item) => JSON.stringify([...path.slice(0, at), item]));
      if (!near.some((key) => parts.has(key))) skips += step;
    }
    if (name !== "" && !isRepeated && skips <= MAX_SKIPPED) {
      columns.push(column);
      whole.add(own);
      for (const key of keys) parts.add(key);
      skipped = skips;
      continue;
    }
    const message =
      name === ""
        ? `column ${nameColumn(index)} has values, but no name in the header`
        : isRepeated
          ? `duplicate column ${JSON.stringify(truncate(name))}`
          : "the columns skip too many list items: number the items from 0, for example prices[0], prices[1]";
    const rule = isRepeated ? "duplicate-key" : "syntax";
    problems.push(textProblem(rule, message, spanOf(row, index)));
  }
  if (columns.some(({ shape }) => shape !== undefined)) return { columns, problems };
  const message =
    'none of the columns is a course field. Is this an export from another system? Use "catalog courses import"';
  return { columns: [], problems: [textProblem("not-a-course", message, spanOf(row, 0))] };
}

/** The path that a column's name means. A name that is not a path inside a course is one unknown field. */
function columnPath(name: string): Path {
  const path = parsePath(name) ?? [];
  const parent = shapeAt(path.slice(0, -1));
  const last = path.at(-1) ?? 0;
  const isPath =
    typeof last === "string" ? parent?.kind === "object" : partShape(parent, last) !== undefined;
  return isPath ? path : [name];
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
