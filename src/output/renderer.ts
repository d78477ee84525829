/** The interface between the output formats and their callers, and the formats for programs. */

import { CatalogError } from "../base/errors.ts";
import type { Output } from "../base/io.ts";
import { NULL_WORD, protectCell, quoteCell } from "../base/spreadsheet-cells.ts";
import { escapeField, escapeLine, truncateJson } from "../base/text.ts";
import { isUuid, type PlainObject } from "../base/values.ts";
import type { Shape } from "../course/shape.ts";
import { joinCodes } from "../course/shape.ts";
import { columnsNamed, plainCell, projector } from "./cells.ts";
import type { Styles } from "./text-measure.ts";

/** Prints columns separated by tabs, without a header; nothing is shortened. */
export function tsvFormatter(options: RenderOptions): Formatter {
  const readers = columnsNamed(options.fields ?? options.columns);
  return rowFormatter((row) => {
    const cells = readers.map(({ read }) => {
      const value = read(row);
      return typeof value === "string" && NULL_WORD.test(value)
        ? `"${value}"`
        : escapeField(plainCell(value));
    });
    return `${cells.join("\t")}\n`;
  });
}

/** Prints the id of each row. @throws CatalogError for an id that commands do not accept, because it is not a UUID */
export function idFormatter(): Formatter {
  return rowFormatter(({ id }) => {
    if ((id ?? "") === "" || isUuid(id)) return id ? `${id}\n` : "";
    throw new CatalogError("output", `an id must be a UUID, not ${truncateJson(id)}`);
  });
}

/**
 * Prints CSV: a header, then one record per row, with codes separated by commas, other lists and objects as JSON, and
 * null as an empty cell.
 * Reading the CSV gives the same values. A spreadsheet may execute cells as formulas unless `isForExcel` is set.
 */
export function csvFormatter(options: RenderOptions): Formatter {
  const { out, fields, allColumns = options.columns, cleared = "", isForExcel = false } = options;
  const columns = columnsNamed(fields ?? allColumns);
  const cell = (value: unknown, shape?: Shape): string => {
    if (value === null) return cleared;
    const text = protectCell(plainCell(joinCodes(value, shape)), isForExcel);
    return quoteCell(out.isTerminal ? escapeLine(text) : text);
  };
  const record = (cells: readonly string[]): string => {
    const line = cells.join(isForExcel ? ";" : ",");
    // Most readers skip an empty line.
    return `${line === "" ? '""' : line}\r\n`;
  };
  // Without a byte order mark, Excel reads UTF-8 as Windows-1252.
  const mark = isForExcel && !out.isTerminal ? "\ufeff" : "";
  let header = mark + record(columns.map(({ name }) => cell(name)));
  const write = (rows: readonly PlainObject[]): string => {
    const lines = rows.map((row) => {
      return record(columns.map(({ read, shape }) => cell(read(row), shape)));
    });
    const text = header + lines.join("");
    header = "";
    return text;
  };
  return { rows: (rows) => (rows.length === 0 ? "" : write(rows)), end: () => write([]) };
}

/**
 * Prints a YAML sequence, or one object with `single`, that YAML 1.1 and 1.2 read in the same way. Courses
 * are written as in a course file, unless `fields` selects some of the values.
 */
export async function yamlFormatter(options: RenderOptions): Promise<Formatter> {
  const { fileCourse } = await import("../files/write.ts");
  const { yamlText } = await import("../base/yaml-text.ts");
  const { fields, isCourse = false, single = false } = options;
  const select =
    isCourse && fields === undefined ? (row: PlainObject) => fileCourse(row) : projector(fields);
  const write = (row: PlainObject): string => {
    const shown: unknown = JSON.parse(JSON.stringify(select(row)));
    return yamlText(single ? shown : [shown]);
  };
  let empty = !single;
  return {
    rows: (rows) => {
      if (rows.length > 0) empty = false;
      return rows.map(write).join("");
    },
    end: () => (empty ? "[]\n" : ""),
  };
}

/**
 * Prints one array, or one object with `single`, indented by two spaces, with unchanged keys and values. The
 * output escapes characters that must not reach a terminal.
 */
export function jsonFormatter(options: RenderOptions): Formatter {
  const select = projector(options.fields);
  if (options.single === true)
    return rowFormatter((row) => `${JSON.stringify(select(row), null, 2)}\n`);
  let before = "[";
  return {
    rows: (rows) => {
      if (rows.length === 0) return "";
      // The list of these rows without its brackets is a part of the list of all rows.
      const text = `${before}${JSON.stringify(rows.map(select), null, 2).slice("[".length, -"\n]".length)}`;
      before = ",";
      return text;
    },
    end: () => (before === "[" ? "[]\n" : "\n]\n"),
  };
}

/** Prints one object per line. */
export function ndjsonFormatter(options: RenderOptions): Formatter {
  const select = projector(options.fields);
  return rowFormatter((row) => `${JSON.stringify(select(row))}\n`);
}

/** How rows are written to one output. */
export interface RenderOptions {
  /** The columns of tables and lines without `--fields`. */
  readonly columns: readonly string[];
  /** The columns of CSV, if they differ from `columns`. */
  readonly allColumns?: readonly string[] | undefined;
  /** The columns that a table omits if they are empty in every row. */
  readonly optional?: readonly string[];
  /** Whether JSON and YAML print one object instead of a list. */
  readonly single?: boolean;
  /** Whether the rows are courses, which YAML without `fields` writes as in a course file. */
  readonly isCourse?: boolean;
  /** Whether CSV is written so that Excel opens it correctly and executes no cell. */
  readonly isForExcel?: boolean;
  /** The rows that a workbook remembers; by default, if it is new, all that are courses. */
  readonly memory?: readonly PlainObject[] | undefined;
  /** The id of a new workbook, which remembers the courses under it. */
  readonly workbook?: string | undefined;
  /** The cell of CSV and of workbooks whose value is null; empty by default. */
  readonly cleared?: string;
  /** The columns of every layout if `--fields` is given; may contain paths. */
  readonly fields?: readonly string[] | undefined;
  readonly out: Omit<Output, "stream">;
  readonly styles: Styles;
}

/** Turns rows into text. All packages that a formatter needs are loaded when it is created. */
export interface Formatter {
  /** The text of more rows; empty while they are only collected. */
  readonly rows: (rows: readonly PlainObject[]) => string | Promise<string>;
  /** The text that ends the output, or the bytes of all of it. */
  readonly end: () => string | Promise<string | Uint8Array>;
}

/** A formatter that writes each row as a separate text, and nothing before, between or after rows. */
export function rowFormatter(write: (row: PlainObject) => string): Formatter {
  return { rows: (rows) => rows.map(write).join(""), end: () => "" };
}

/** Writes rows as they arrive. */
export interface Renderer {
  /** Writes more rows; resolves when more may follow. */
  readonly rows: (batch: readonly PlainObject[]) => Promise<void>;
  /** Ends the output; no rows may follow. */
  readonly end: () => Promise<void>;
}
