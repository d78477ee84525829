/** Reads tables of other systems: finds the header, names the columns, and skips empty rows. */
import { listSome, pluralize, truncateJson } from "../base/text.ts";
import type { Path } from "../base/values.ts";
import { shapeAt } from "../course/fields.ts";
import { wrongWidth } from "./csv.ts";
import { type Cell, columnPath, isBlank, nameIn, type Records } from "./csv-table.ts";
import type { TextProblem } from "./parsed.ts";
import type { Span } from "./position.ts";
import { nameColumn } from "./sheet-lines.ts";

/** One row: a record of a table, or an item of a list. */
export interface SourceRow {
  /** In a table, the cells that are not empty, by the names of their columns. */
  readonly value: unknown;
  /** From 1; in a table, the number that a spreadsheet shows. */
  readonly number: number;
  /** Finds the start of the row or, in a table, the cell of a column. */
  readonly span: (column?: string) => Promise<Span>;
  /** The path of the row in its document if it is not an item of a list. */
  readonly path?: Path;
}

export interface FoundRows {
  readonly rows: readonly SourceRow[];
  readonly problems: readonly TextProblem[];
  /** Whether all values are text from cells. */
  readonly isTable: boolean;
  /** What the user should know about how the rows were read: sentences. */
  readonly notices?: readonly string[];
  /** The index of each column of a table, by name. */
  readonly columns?: ReadonlyMap<string, number>;
  /** How many rows of a table are missing here, because their cells fit no columns. */
  readonly misfits?: number;
}

/**
 * Reads the rows below the header. In `Kurse 2027`, `Titel;Preis;Tage`, `Stricken;49,90;2`, the header is the second
 * line, and row 3 is `{ Titel: "Stricken", Preis: "49,90", Tage: "2" }`.
 */
export function tableRows(table: Records, name: string) {
  const { rows: records, rowNumbers, spanOf, isSheet = false } = table;
  const header = findHeader(records);
  const names = records[header] ?? [];
  const columns = nameColumns(names, records.slice(header + 1), isSheet);
  const rows: SourceRow[] = [];
  const problems: TextProblem[] = [];
  for (const [index, row] of records.entries()) {
    if (index <= header || !hasContent(row)) continue;
    // The title of a section may be without the delimiters of the other cells.
    const hasWidth = isSheet || row.length === 1;
    const misfit = hasWidth ? undefined : wrongWidth(index, names.length, table);
    if (misfit !== undefined) {
      problems.push(misfit);
      continue;
    }
    const cells = [...columns].map(([column, at]) => [column, row[at]] as const);
    rows.push({
      value: Object.fromEntries(cells.filter(([, cell]) => !isBlank(cell))),
      number: rowNumbers[index] ?? 0,
      span: async (column = "") => spanOf(index, columns.get(column) ?? 0),
    });
  }
  const hasTitle = records.slice(0, header).some(hasContent);
  const skipped = hasTitle ? [describeHeader(rowNumbers[header] ?? 0, names, name)] : [];
  return {
    ...{ isTable: true, rows, columns, misfits: problems.length },
    notices: [...skipped, ...unnamedColumns(columns, names, name)],
    problems: [...problems, ...table.problems],
  } satisfies FoundRows;
}

/** The index of each column, by name: `Preis`, a second `Preis (2)`, and `Column C` for a column without a name. */
function nameColumns(
  header: readonly Cell[],
  rows: Records["rows"],
  isSheet: boolean,
): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  const used = new Set<number>();
  for (const row of rows) {
    for (const [column, cell] of row.entries()) if (!isBlank(cell)) used.add(column);
  }
  // In CSV, cells after the last name belong to a row that was split in the wrong places.
  const width = isSheet ? Math.max(header.length, ...[...used].map((at) => at + 1)) : header.length;
  for (let column = 0; column < width; column++) {
    const own = nameIn(header[column]);
    if (own === "" && !used.has(column)) continue;
    const name = own === "" ? `Column ${nameColumn(column)}` : own;
    let unique = name;
    for (let number = 2; columns.has(unique); number++) unique = `${name} (${number})`;
    columns.set(unique, column);
  }
  return columns;
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
  if (!isTitle || some[0]?.some(isField)) return first;
  const found = some.findIndex((row, at) => (counts[at] ?? 0) * 4 >= most * 3 && hasNames(row));
  return first + Math.max(0, found);
}

function isField(cell: Cell): boolean {
  const name = nameIn(cell);
  return name !== "" && shapeAt(columnPath(name)) !== undefined;
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

function describeHeader(row: number, header: readonly Cell[], name: string): string {
  const last = row - 1;
  const skipped = last === 1 ? "row 1" : `rows 1 ${last === 2 ? "and" : "to"} ${last}`;
  return `${name}: the header is in row ${row} (${pluralize(countCells(header), "name")}); catalog skipped ${skipped}.`;
}

function unnamedColumns(
  columns: ReadonlyMap<string, number>,
  header: readonly Cell[],
  name: string,
): string[] {
  const unnamed = [...columns].filter(([, column]) => nameIn(header[column]) === "");
  if (unnamed.length === 0) return [];
  const names = listSome(unnamed.map(([column]) => truncateJson(column)));
  const [one, are] = unnamed.length === 1 ? ["a column", "is"] : ["columns", "are"];
  return [`${name}: ${one} without a name in the header ${are} called ${names}.`];
}

function countCells(row: readonly Cell[]): number {
  return row.filter((cell) => !isBlank(cell)).length;
}

function hasContent(row: readonly Cell[]): boolean {
  return !row.every(isBlank);
}
