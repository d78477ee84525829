/** Turns rows into text, in one of the layouts (cli.md section 3). */
import type { Output } from "../base/io.ts";
import type { Mapping } from "../base/values.ts";
import { blocksFormatter } from "./blocks.ts";
import type { Paint } from "./colour.ts";
import { csvFormatter } from "./csv.ts";
import type { Layout } from "./format.ts";
import { jsonFormatter, ndjsonFormatter } from "./json.ts";
import { idFormatter, linesFormatter } from "./lines.ts";
import { streamed } from "./stream.ts";
import { tableFormatter } from "./table.ts";
import { yamlFormatter } from "./yaml.ts";

/** Takes rows as they come. */
export interface Renderer {
  /** Shows more rows; resolves when more may come. */
  rows(batch: readonly Mapping[]): Promise<void>;
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
  /** Whether JSON and YAML show the one row itself and no list. */
  readonly single?: boolean;
  readonly out: Output;
  /** Colours for `out`. */
  readonly paint: Paint;
}

/** Makes the text of rows; what it needs has been loaded. */
export interface Formatter {
  /** The text of more rows; empty while they are only collected. */
  rows(rows: readonly Mapping[]): string;
  /** The text that ends the output. */
  end(): string;
}

/** The renderer of a layout. Nothing is written before the first row or the end. */
export async function createRenderer(options: RenderOptions): Promise<Renderer> {
  return streamed(options.out, await formatterOf(options));
}

async function formatterOf(options: RenderOptions): Promise<Formatter> {
  switch (options.layout) {
    case "table":
      return await tableFormatter(options);
    case "blocks":
      return await blocksFormatter(options);
    case "csv":
      return await csvFormatter(options);
    case "yaml":
      return await yamlFormatter(options);
    case "json":
      return jsonFormatter(options);
    case "ndjson":
      return ndjsonFormatter(options);
    case "lines":
      return linesFormatter(options);
    case "id":
      return idFormatter(options);
  }
}
