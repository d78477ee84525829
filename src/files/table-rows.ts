/** Reads tables of other systems: names the columns below the header, and skips empty rows. */
import { truncateJson } from "../base/text.ts";
import type { Path } from "../base/values.ts";
import type { Problem } from "../course/problem.ts";
import type { Table } from "./csv-table.ts";
import type { Span } from "./position.ts";
import { type Header, isUrl, nameColumn, nameIn, readHeader } from "./table-header.ts";

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
  readonly problems: readonly Problem[];
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
export function tableRows(table: Table): FoundRows {
  const header = readHeader(table);
  const columns = namedColumns(header);
  const indexes = new Map(columns.map(({ name, index }) => [name, index]));
  const rows = header.rows.map((row): SourceRow => {
    const cells: (readonly [string, unknown])[] = [];
    const faults = new Map<string, string>();
    for (const { name, index, use } of columns) {
      const link = use === "text" ? undefined : row.links?.get(index);
      const cell = use === "link" ? link : (link ?? row.cells[index]);
      if (nameIn(cell) !== "") cells.push([name, cell]);
      const fault = row.faults?.get(index);
      if (fault !== undefined) faults.set(name, fault);
    }
    return {
      value: Object.fromEntries(cells),
      number: row.number,
      span: async (column = "") => table.spanOf(row, indexes.get(column) ?? 0),
      faults,
    };
  });
  const links = columns.filter(({ use }) => use === "link").map(({ name }) => truncateJson(name));
  const notice = `the links of cells are read as separate columns: ${links.join(", ")}`;
  return {
    isTable: true,
    rows,
    columns: indexes,
    misfits: header.problems.length,
    notices: [...header.notices, ...(links.length === 0 ? [] : [notice])],
    problems: [...header.problems, ...table.problems],
  };
}

interface NamedColumn {
  readonly name: string;
  readonly index: number;
  /** What is read from a cell with a link: its text, its link, or its link as the URL that is meant. */
  readonly use: "text" | "link" | "url";
}

/**
 * The columns by their unique names: `Preis`, a second `Preis (2)`, `Column C` for a column without a name, and
 * `Course (link)` for the links of a column with other texts.
 */
function namedColumns({ columns }: Header): NamedColumn[] {
  const named = new Map<string, NamedColumn>();
  const add = (index: number, own: string, use: NamedColumn["use"]): void => {
    let name = own;
    for (let number = 2; named.has(name); number++) name = `${own} (${number})`;
    named.set(name, { name, index, use });
  };
  for (const { index, name, shape, hasLinks } of columns) {
    const own = name === "" ? `Column ${nameColumn(index)}` : name;
    add(index, own, isUrl(shape) ? "url" : "text");
    if (hasLinks && !isUrl(shape)) add(index, `${own} (link)`, "link");
  }
  return [...named.values()];
}
