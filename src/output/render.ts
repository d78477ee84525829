/** Turns rows into text, in one of the layouts (cli.md section 3). */
import { blocksFormatter } from "./blocks.ts";
import { csvFormatter } from "./csv.ts";
import type { Formatter, Renderer, RenderOptions } from "./formatter.ts";
import { jsonFormatter, ndjsonFormatter } from "./json.ts";
import { idFormatter, linesFormatter } from "./lines.ts";
import { streamed } from "./stream.ts";
import { tableFormatter } from "./table.ts";
import { yamlFormatter } from "./yaml.ts";

export type { Renderer, RenderOptions } from "./formatter.ts";

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
