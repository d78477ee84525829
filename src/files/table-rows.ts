/** The rows of a table of another system: finds its header, names its columns, and leaves out empty rows. */
import { usageError } from "../base/errors.ts";
import { listSome, pluralize, truncateJson } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import { shapeAt } from "../course/fields.ts";
import { wrongWidth } from "./csv.ts";
import { type Cell, columnPath, parseTable, type Records } from "./csv-table.ts";
import type { TextProblem } from "./parsed.ts";
import type { Span } from "./position.ts";
import { nameColumn } from "./sheet-lines.ts";

interface TableRow {
  /** The cells that are not empty, by the names of the columns. */
  readonly value: PlainObject;
  /** As a spreadsheet counts it. */
  readonly number: number;
  readonly span: (column?: string) => Promise<Span>;
}

interface TableRows {
  readonly isTable: true;
  readonly rows: readonly TableRow[];
  readonly problems: readonly TextProblem[];
  readonly columns: ReadonlyMap<string, number>;
  readonly misfits: number;
  readonly foundHeader?: number;
  readonly notices: readonly string[];
}

/**
 * The records of an export. The lines above its header may be without the delimiter of the table.
 *
 * @param delimiter found if it is omitted
 * @param headerRow the number of the header; found if it is omitted
 */
export function parseExport(text: string, delimiter?: string, headerRow?: number): Records {
  const table = parseTable(text, delimiter);
  const isClear = headerRow === undefined && (table.rows[0]?.length ?? 0) > 2;
  if (delimiter !== undefined || isClear) return table;
  const others = [";", "\t", ","]
    .filter((other) => other !== table.delimiter)
    .map((other) => parseTable(text, other));
  if (headerRow === undefined) {
    return others.find(({ rows }) => findHeader(rows) > findFirst(rows)) ?? table;
  }
  const widthOf = ({ rows, rowNumbers }: Records): number =>
    rows[rowNumbers.indexOf(headerRow)]?.length ?? 0;
  return others.reduce((best, other) => (widthOf(other) > widthOf(best) ? other : best), table);
}

/**
 * The rows below the header.
 *
 * @param headerRow the number of the header; found if it is omitted
 * @throws CatalogError of kind `usage` if there is no such row
 */
export function tableRows(table: Records, name: string, headerRow?: number): TableRows {
  const { rows: records, rowNumbers, spanOf, isSheet = false } = table;
  const header = headerRow === undefined ? findHeader(records) : rowNumbers.indexOf(headerRow);
  const names = records[header] ?? [];
  if (headerRow !== undefined && names.every(isBlank)) {
    throw usageError(
      `row ${headerRow} of ${name} is empty, and cannot be the header`,
      "Pass --header-row with the number that a spreadsheet shows.",
    );
  }
  const below = records.slice(header + 1);
  const used = new Set<number>();
  for (const row of below) {
    for (const [column, cell] of row.entries()) if (!isBlank(cell)) used.add(column);
  }
  // Cells after the last name of a text belong to a row that was split in the wrong places.
  const width = isSheet ? Math.max(names.length, ...[...used].map((at) => at + 1)) : names.length;
  const columns = nameColumns(names, width, used);
  const rows: TableRow[] = [];
  const problems: TextProblem[] = [];
  for (const [offset, row] of below.entries()) {
    const index = header + 1 + offset;
    const filled = row.filter((cell) => !isBlank(cell)).length;
    if (filled === 0) continue;
    // The title of a section may be without the delimiters of the other cells.
    const misfit = isSheet || row.length === 1 ? undefined : wrongWidth(index, width, table);
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
  const skipped = headerRow === undefined ? skippedLines(table, header, name) : [];
  const notices = [...skipped, ...unnamedColumns(columns, names, name)];
  const misfits = problems.length;
  return {
    ...{ isTable: true, rows, columns, misfits, notices },
    ...(skipped.length === 0 ? {} : { foundHeader: rowNumbers[header] ?? 1 }),
    problems: [...problems, ...table.problems],
  };
}

/** The columns by their names. Equal names get a number; columns without a name, their letter. */
function nameColumns(
  header: readonly Cell[],
  width: number,
  used: ReadonlySet<number>,
): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  for (let column = 0; column < width; column++) {
    const own = textOf(header[column]);
    if (own === "" && !used.has(column)) continue;
    const name = own === "" ? `Column ${nameColumn(column)}` : own;
    let unique = name;
    for (let number = 2; columns.has(unique); number++) unique = `${name} (${number})`;
    columns.set(unique, column);
  }
  return columns;
}

/** Rows that are searched for the header. */
const MOST_SEARCHED = 50;
/** Cells that the header has at least if there are rows above it. */
const FEWEST_NAMES = 3;

/**
 * The index of the header: the first row with content or, if that is only a title, the first row with names
 * for most of the columns.
 */
function findHeader(rows: Records["rows"]): number {
  const first = findFirst(rows);
  const some = rows.slice(0, MOST_SEARCHED);
  const counts = some.map((row) => row.filter((cell) => !isBlank(cell)).length);
  const most = Math.max(0, ...counts);
  const isTitle = most >= FEWEST_NAMES && (counts[first] ?? 0) * 2 <= most;
  if (!isTitle || rows[first]?.some(isField)) return first;
  const found = some.findIndex((row, at) => (counts[at] ?? 0) * 4 >= most * 3 && hasNames(row));
  return found === -1 ? first : found;
}

function findFirst(rows: Records["rows"]): number {
  return Math.max(
    0,
    rows.findIndex((row) => !row.every(isBlank)),
  );
}

function isField(cell: Cell): boolean {
  const name = textOf(cell);
  return name !== "" && shapeAt(columnPath(name)) !== undefined;
}

const LONGEST_NAME = 80;

/** Whether most cells of a row can be names of columns. */
function hasNames(row: readonly Cell[]): boolean {
  const texts = row.map(textOf).filter((text) => text !== "");
  const names = texts.filter(
    (text) => /\p{L}/u.test(text) && !/[:@]\S|^\W?\d/.test(text) && text.length <= LONGEST_NAME,
  );
  return names.length * 4 >= texts.length * 3;
}

/** What is said about rows above the header. */
function skippedLines({ rows, rowNumbers }: Records, header: number, name: string): string[] {
  const above = rows.slice(0, header);
  if (above.every((row) => row.every(isBlank))) return [];
  const [last = 0, number = 0] = [(rowNumbers[header] ?? 0) - 1, rowNumbers[header]];
  const count = pluralize((rows[header] ?? []).filter((cell) => !isBlank(cell)).length, "name");
  const skipped = last === 1 ? "row 1 is" : `rows 1 ${last === 2 ? "and" : "to"} ${last} are`;
  return [
    `${name}: the header is in row ${number} (${count}); ${skipped} skipped. If it is in another row, pass --header-row.`,
  ];
}

function unnamedColumns(
  columns: ReadonlyMap<string, number>,
  header: readonly Cell[],
  name: string,
): string[] {
  const unnamed = [...columns].filter(([, column]) => textOf(header[column]) === "");
  if (unnamed.length === 0) return [];
  const names = listSome(unnamed.map(([column]) => truncateJson(column)));
  const [one, are] = unnamed.length === 1 ? ["a column", "is"] : ["columns", "are"];
  return [`${name}: ${one} without a name in the header ${are} called ${names}.`];
}

/** The name that a cell of the header gives its column. */
function textOf(cell: Cell | undefined): string {
  return cell === undefined ? "" : (cell ?? "null").trim();
}

function isBlank(cell: Cell | undefined): boolean {
  return textOf(cell) === "";
}
