/** Reads tables of other systems: names the columns below the header, and skips empty rows. */
import { listSome, truncateJson } from "../base/text.ts";
import type { Path } from "../base/values.ts";
import { shapeAt } from "../course/fields.ts";
import { findExtraCell, isUrl } from "./csv.ts";
import type { Records } from "./csv-table.ts";
import type { TextProblem } from "./parsed.ts";
import type { Span } from "./position.ts";
import {
  columnPath,
  type Header,
  hasContent,
  isBlank,
  nameColumn,
  nameIn,
  readHeader,
} from "./table-header.ts";

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
  /** Why cells have no values, by the names of their columns: clauses. */
  readonly faults?: ReadonlyMap<string, string>;
}

export interface FoundRows {
  readonly rows: readonly SourceRow[];
  readonly problems: readonly TextProblem[];
  /** Whether all values are text from cells. */
  readonly isTable: boolean;
  /** What the user should know about how the rows were read: clauses that follow the name of the file. */
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
export function tableRows(table: Records): FoundRows {
  const { rows: records, rowNumbers, spanOf, sheet } = table;
  const header = readHeader(table);
  const columns = nameColumns(table, header);
  const links = linkColumns(table, header, columns);
  const rows: SourceRow[] = [];
  const problems: TextProblem[] = [];
  for (const [index, row] of records.entries()) {
    if (index <= header.row || !hasContent(row)) continue;
    const misfit =
      sheet === undefined ? findExtraCell(index, table, header.names.length) : undefined;
    if (misfit !== undefined) {
      problems.push(misfit);
      continue;
    }
    const cells: (readonly [string, unknown])[] = [];
    const faults = new Map<string, string>();
    for (const [name, at] of columns) {
      const link = sheet?.linkAt(index, at);
      const linkColumn = links.get(name);
      const isAddress = link !== undefined && isUrl(shapeAt(columnPath(name)));
      const cell = isAddress ? link : row[at];
      if (!isBlank(cell)) cells.push([name, cell]);
      if (linkColumn !== undefined && link !== undefined) cells.push([linkColumn, link]);
      const fault = sheet?.faultAt(index, at);
      if (fault !== undefined) faults.set(name, fault);
    }
    rows.push({
      value: Object.fromEntries(cells),
      number: rowNumbers[index] ?? 0,
      span: async (column = "") => spanOf(index, columns.get(column) ?? 0),
      faults,
    });
  }
  const notices = [...header.notices, ...unnamedColumns(columns, header), ...describeLinks(links)];
  // A link has the position of its cell.
  for (const [column, name] of links) columns.set(name, columns.get(column) ?? 0);
  return {
    isTable: true,
    rows,
    columns,
    misfits: problems.length,
    notices,
    problems: [...problems, ...table.problems],
  };
}

/** The index of each column, by name: `Preis`, a second `Preis (2)`, and `Column C` for a column without a name. */
function nameColumns({ rows, sheet }: Records, { row, names }: Header): Map<string, number> {
  const columns = new Map<string, number>();
  const used = new Set<number>();
  for (const cells of rows.slice(row + 1)) {
    for (const [column, cell] of cells.entries()) if (!isBlank(cell)) used.add(column);
  }
  // In CSV, cells after the last name belong to a row that was split in the wrong places.
  const width = sheet === undefined ? 0 : Math.max(0, ...[...used].map((at) => at + 1));
  for (let column = 0; column < Math.max(names.length, width); column++) {
    const own = nameIn(names[column]);
    if (own === "" && !used.has(column)) continue;
    columns.set(uniqueName(own === "" ? `Column ${nameColumn(column)}` : own, columns), column);
  }
  return columns;
}

function uniqueName(name: string, columns: ReadonlyMap<string, number>): string {
  let unique = name;
  for (let number = 2; columns.has(unique); number++) unique = `${name} (${number})`;
  return unique;
}

/** The names of columns for the links of columns with other texts: `Course (link)` for `Course`. */
function linkColumns(
  { rows, sheet }: Records,
  header: Header,
  columns: ReadonlyMap<string, number>,
): ReadonlyMap<string, string> {
  const hasLinks = ([name, at]: readonly [string, number]): boolean =>
    !isUrl(shapeAt(columnPath(name))) &&
    rows.some((_, row) => row > header.row && sheet?.linkAt(row, at) !== undefined);
  const linked = sheet === undefined ? [] : [...columns].filter(hasLinks);
  return new Map(linked.map(([name]) => [name, uniqueName(`${name} (link)`, columns)]));
}

function describeLinks(links: ReadonlyMap<string, string>): string[] {
  return [...links].map(
    ([column, name]) =>
      `the links of the column ${truncateJson(column)} are read as a column ${truncateJson(name)}`,
  );
}

function unnamedColumns(columns: ReadonlyMap<string, number>, { names }: Header): string[] {
  const unnamed = [...columns].filter(([, column]) => nameIn(names[column]) === "");
  if (unnamed.length === 0) return [];
  const called = listSome(unnamed.map(([column]) => truncateJson(column)));
  const [one, are] = unnamed.length === 1 ? ["a column", "is"] : ["columns", "are"];
  return [`${one} without a name in the header ${are} called ${called}`];
}
