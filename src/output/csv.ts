/** Prints rows as CSV (RFC 4180). */
import type { Options } from "csv-stringify/sync";
import { escapeLine } from "../base/text.ts";
import { columnsNamed, plainCell } from "./cells.ts";
import type { Formatter, RenderOptions } from "./renderer.ts";

/**
 * A header, then one record per row; lists and objects as JSON, null as an empty cell. Values are
 * printed unchanged, even if a spreadsheet would interpret them as formulas.
 */
export async function csvFormatter(options: RenderOptions): Promise<Formatter> {
  const { stringify } = await import("csv-stringify/sync");
  const { out, fields, allColumns } = options;
  const columns = columnsNamed(fields ?? allColumns);
  const cell = (value: unknown): string =>
    out.isTerminal ? escapeLine(plainCell(value)) : plainCell(value);
  const layout: Options = {
    record_delimiter: "\r\n",
    // Many readers accept either character alone as the end of a record.
    quoted_match: /[\r\n]/,
    // Most readers skip an empty line.
    quoted_empty: columns.length === 1,
  };
  let header: string[][] = [columns.map(({ name }) => cell(name))];
  const records = (rows: readonly string[][]): string => {
    const all = [...header, ...rows];
    header = [];
    return stringify(all, layout);
  };
  return {
    rows: (rows) =>
      rows.length === 0
        ? ""
        : records(rows.map((row) => columns.map(({ read }) => cell(read(row))))),
    end: () => (header.length > 0 ? records([]) : ""),
  };
}
