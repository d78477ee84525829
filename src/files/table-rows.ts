/** Reads tables of other systems: names the columns below the header, and skips empty rows. */
import type { Path } from "../base/values.ts";
import type { Problem } from "../course/problem.ts";
import type { Table } from "./csv-table.ts";
import type { Span } from "./position.ts";
import {
  courseColumns,
  type Header,
  isUrl,
  nameColumn,
  nameIn,
  readHeader,
  type TableColumn,
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

/** A column of a table of another system, which may be no field of a course. */
export interface NamedColumn extends TableColumn {
  /** Whether its values are the addresses to which the cells link. */
  readonly isLink: boolean;
}

export interface FoundRows {
  readonly rows: readonly SourceRow[];
  readonly problems: readonly Problem[];
  /** What the user should know about how the rows were read: clauses that follow the name of the file. */
  readonly notices?: readonly string[];
  /** The columns of a table by name; undefined in other files. All values of a table are text from cells. */
  readonly columns?: ReadonlyMap<string, NamedColumn>;
}

/**
 * Reads the rows below the header. In `Kurse 2027`, `Titel;Preis;Tage`, `Stricken;49,90;2`, the header is the second
 * line, and row 3 is `{ Titel: "Stricken", Preis: "49,90", Tage: "2" }`.
 */
export function tableRows(table: Table): FoundRows {
  const header = readHeader(table);
  const columns = nameColumns(table, header);
  const rows = header.rows.map((row): SourceRow => {
    const cells: (readonly [string, unknown])[] = [];
    const faults = new Map<string, string>();
    for (const [name, { index, isLink, shape }] of columns) {
      const link = isLink || isUrl(shape) ? row.links?.get(index) : undefined;
      const cell = link ?? (isLink ? "" : row.cells[index]);
      if (nameIn(cell) !== "") cells.push([name, cell]);
      const fault = row.faults?.get(index);
      if (fault !== undefined) faults.set(name, fault);
    }
    return {
      value: Object.fromEntries(cells),
      number: row.number,
      span: async (column = "") => table.spanOf(row, columns.get(column)?.index ?? 0),
      faults,
    };
  });
  const problems = [...header.problems, ...table.problems];
  return { rows, columns, problems, notices: header.notices };
}

/**
 * The columns by their unique names: `Preis`, a second `Preis (2)`, `Column C` for a column without a name, and
 * `Course (link)` for the links of a column with other texts.
 */
function nameColumns(table: Table, header: Header): Map<string, NamedColumn> {
  const fields = new Set(courseColumns(header, table.spanOf).columns);
  const named = new Map<string, NamedColumn>();
  const repeats = new Map<string, number>();
  const add = (own: string, column: TableColumn, isLink: boolean): void => {
    let name = own;
    let number = repeats.get(own) ?? 1;
    while (named.has(name)) name = `${own} (${++number})`;
    repeats.set(own, number);
    const isField = fields.has(column) && !isLink;
    const meaning = isField ? column : { path: [name], shape: undefined };
    named.set(name, { ...column, ...meaning, isLink });
  };
  for (const column of header.columns) {
    const own = column.name === "" ? `Column ${nameColumn(column.index)}` : column.name;
    add(own, column, false);
    if (column.hasLinks) add(`${own} (link)`, column, true);
  }
  return named;
}
