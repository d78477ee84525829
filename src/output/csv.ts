/** Lays rows out as CSV (RFC 4180). */
import type { Options } from "csv-stringify/sync";
import { escapeLine } from "../base/text.ts";
import { plainCell } from "./cell.ts";
import type { Formatter, RenderOptions } from "./formatter.ts";
import { columnsNamed } from "./select.ts";

/**
 * A header, then a record a row; lists and mappings as JSON, null as nothing. Values are given as
 * they are: what a spreadsheet would take for a formula is still data.
 */
export async function csvFormatter(options: RenderOptions): Promise<Formatter> {
  const { stringify } = await import("csv-stringify/sync");
  const { out, fields, allColumns } = options;
  const columns = columnsNamed(fields ?? allColumns);
  const cell = (value: unknown): string =>
    out.isTerminal ? escapeLine(plainCell(value)) : plainCell(value);
  const layout: Options = {
    record_delimiter: "\r\n",
    // Readers take either alone for the end of a record.
    quoted_match: /[\r\n]/,
    // An empty line would be no record to most readers.
    quoted_empty: columns.length === 1,
  };
  let header = true;
  const records = (rows: readonly (readonly string[])[]): string => {
    const all = header ? [columns.map(({ name }) => cell(name)), ...rows] : [...rows];
    header = false;
    return stringify(all, layout);
  };
  return {
    rows: (rows) =>
      rows.length === 0
        ? ""
        : records(rows.map((row) => columns.map(({ read }) => cell(read(row))))),
    end: () => (header ? records([]) : ""),
  };
}
