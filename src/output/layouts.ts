/** Writes rows in a format, or in another layout. */
import { type TextKind, UNGUARDED } from "../base/io.ts";
import { escapeJson } from "../base/text.ts";
import type { Format } from "./formats.ts";
import type { Formatter, Renderer, RenderOptions } from "./renderer.ts";

/** The name of a format, or of the layout that is only the default of `get` on a terminal. */
export type LayoutName = Format | "blocks";

/** The layouts, which are loaded when rows are written. */
const LAYOUTS: Readonly<Record<LayoutName, (options: RenderOptions) => Promise<Formatter>>> = {
  table: async (options) => (await import("./table.ts")).tableFormatter(options),
  tsv: async (options) => (await import("./renderer.ts")).tsvFormatter(options),
  json: async (options) => (await import("./renderer.ts")).jsonFormatter(options),
  ndjson: async (options) => (await import("./renderer.ts")).ndjsonFormatter(options),
  yaml: async (options) => (await import("./renderer.ts")).yamlFormatter(options),
  csv: async (options) => (await import("./renderer.ts")).csvFormatter(options),
  xlsx: async (options) => (await import("./workbook.ts")).xlsxFormatter(options),
  id: async () => (await import("./renderer.ts")).idFormatter(),
  blocks: async (options) => (await import("./table.ts")).blocksFormatter(options),
};

/** Formats in which no escape has the same meaning; the others are `data`. */
const KINDS: Partial<Record<LayoutName, TextKind>> = { tsv: "lines", csv: "verbatim" };

const ROWS_AT_ONCE = 50;

/**
 * Writes rows in a layout, some at once, so that memory does not grow with the text of all rows. Writes nothing before the
 * first row or the end.
 */
export async function createRenderer(
  layout: LayoutName,
  options: RenderOptions,
): Promise<Renderer> {
  const { out } = options;
  // On a terminal, every format is for people.
  const kind = out.isTerminal ? "data" : (KINDS[layout] ?? "data");
  const formatter = await LAYOUTS[layout](options);
  const write = async (text: string | Uint8Array): Promise<void> => {
    if (text.length > 0 && !out.closed) await out.write(text, kind);
  };
  return {
    async rows(batch) {
      for (let start = 0; start < batch.length && !out.closed; start += ROWS_AT_ONCE) {
        await write(await formatter.rows(batch.slice(start, start + ROWS_AT_ONCE)));
      }
    },
    end: async () => await write(out.closed ? "" : await formatter.end()),
  };
}

/** Collects rows; `end` gives the content of a file with all of them. */
export async function createRowFile(format: Format, options: Omit<RenderOptions, "out">) {
  const parts: Uint8Array[] = [];
  const out: RenderOptions["out"] = {
    ...UNGUARDED,
    isTerminal: false,
    columns: Number.POSITIVE_INFINITY,
    closed: false,
    write: async (text, kind) => {
      if (typeof text !== "string") parts.push(text);
      else parts.push(Buffer.from(kind === "verbatim" ? text : escapeJson(text)));
    },
  };
  const renderer = await createRenderer(format, { ...options, out });
  return {
    rows: renderer.rows,
    end: async (): Promise<Uint8Array> => {
      await renderer.end();
      return Buffer.concat(parts);
    },
  };
}
