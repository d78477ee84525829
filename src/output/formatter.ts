/** Says what every layout of rows takes and gives. */
import type { Output } from "../base/io.ts";
import type { PlainObject } from "../base/values.ts";
import type { Styles } from "./color.ts";
import type { Layout } from "./format.ts";

/** Takes rows as they come. */
export interface Renderer {
  /** Shows more rows; resolves when more may come. */
  rows(batch: readonly PlainObject[]): Promise<void>;
  /** Ends the output; nothing may follow. */
  end(): Promise<void>;
}

/** What a renderer shows, and how. */
export interface RenderOptions {
  readonly layout: Layout;
  /** The columns of tables and lines. */
  readonly columns: readonly string[];
  /** The columns of CSV, in order. */
  readonly allColumns: readonly string[];
  /** The columns of every layout when `--fields` is given; paths are allowed. */
  readonly fields?: readonly string[];
  /** The columns that a table leaves out where no row has anything in them. */
  readonly optional?: readonly string[];
  /** Whether JSON and YAML show the one row itself and no list. */
  readonly single?: boolean;
  /** Milliseconds since 1970: where given, tables and blocks on a terminal tell how long ago. */
  readonly now?: number;
  readonly out: Output;
  /** Colors for `out`. */
  readonly paint: Styles;
}

/** Makes the text of rows; what it needs has been loaded. */
export interface Formatter {
  /** The text of more rows; empty while they are only collected. */
  rows(rows: readonly PlainObject[]): string;
  /** The text that ends the output. */
  end(): string;
}
