/** The interface between the output formats and their callers. */
import type { Output } from "../base/io.ts";
import type { PlainObject } from "../base/values.ts";
import type { Styles } from "./color.ts";

export interface RowOptions {
  /** The columns of tables and lines without `--fields`. */
  readonly columns: readonly string[];
  /** The columns of CSV, if they differ from `columns`. */
  readonly allColumns?: readonly string[];
  /** The columns that a table omits if they are empty in every row. */
  readonly optional?: readonly string[];
  /** Whether JSON and YAML print one object instead of a list. */
  readonly single?: boolean;
  /** Whether the rows are courses, which YAML without `fields` writes as in a course file. */
  readonly isCourse?: boolean;
  /** Whether the rows are messages of `catalog`, in which the API key is masked in every format. */
  readonly isReport?: boolean;
  /** Whether lines are for people even without a terminal: then CSV and tab-separated lines also escape workflow commands. */
  readonly isForPeople?: boolean | undefined;
  /** Whether CSV is written so that Excel opens it correctly and executes no cell. */
  readonly isForExcel?: boolean;
}

/** How rows are written to one output. */
export interface RenderOptions extends RowOptions {
  /** The columns of every layout if `--fields` is given; may contain paths. */
  readonly fields?: readonly string[] | undefined;
  readonly out: Output;
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
