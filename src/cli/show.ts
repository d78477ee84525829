/** Prints rows in the format of `--output` or, by default, for the terminal or for scripts, or to a file. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { maskValue } from "../base/credentials.ts";
import { usageError } from "../base/errors.ts";
import { formatByName } from "../base/files.ts";
import { escapeLine } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import { createRenderer, createRowFile, WORKBOOK } from "../output/formats.ts";
import type { Renderer, RenderOptions, RowOptions } from "../output/renderer.ts";
import { type Flag, newFile } from "./arguments.ts";
import type { Context } from "./context.ts";
import { writeOutput } from "./work.ts";

/** The flag of commands that list data. Some shells destroy the bytes of a workbook that is redirected. */
export const FILE_FLAG = {
  name: "out",
  value: "<file>",
  parse: newFile,
  file: "written",
  description: "write JSON, NDJSON, YAML, CSV or XLSX, by the extension, to this file",
} as const satisfies Flag;

/** How the rows of a command are shown: by default, as a list with all columns that `--fields` accepts. */
export interface Showing extends Partial<RowOptions> {
  readonly kind?: "list" | "single";
  /** The value of `--out`: the file to which the rows are written instead of printing them. */
  readonly file?: string | undefined;
}

/**
 * A renderer for rows, in the format of `--output` or the default, or for the file that `--out` names.
 *
 * @throws CatalogError of kind `usage`
 */
export async function rendererFor(
  showing: Showing,
  context: Pick<
    Context,
    "clock" | "deferShutdown" | "folder" | "io" | "messages" | "options" | "styles"
  >,
): Promise<Renderer> {
  const { options, io, styles } = context;
  const { kind = "list", columns = options.columns ?? [], file, ...others } = showing;
  const rows = { ...others, columns, allColumns: options.columns, fields: options.fields, styles };
  if (file !== undefined) return await fileRenderer(file, rows, context);
  const [shown, piped] =
    kind === "list" ? (["table", "tsv"] as const) : (["blocks", "json"] as const);
  const layout = options.format ?? (io.out.isTerminal ? shown : piped);
  if (layout === WORKBOOK && io.out.isTerminal) {
    const message = `a terminal cannot show the workbook of --output ${layout}`;
    throw usageError(message, "Write it to a file: --out courses.xlsx");
  }
  const workbook = layout === WORKBOOK ? context.clock.uuid() : undefined;
  return await createRenderer(layout, { ...rows, workbook, out: io.out });
}

/** Prints rows of messages of `catalog`, in which the API key is masked in every format. */
export async function printMessages(
  rows: readonly PlainObject[],
  showing: Showing,
  context: Context,
): Promise<void> {
  const { mask } = context.io.out;
  await printRows(maskValue(rows, mask) as readonly PlainObject[], showing, context);
}

/** Prints rows that are complete. */
export async function printRows(
  rows: readonly PlainObject[],
  showing: Showing,
  context: Context,
): Promise<void> {
  const renderer = await rendererFor(showing, context);
  await renderer.rows(rows);
  await renderer.end();
}

/** Writes rows to a file in the format of its extension, at the end, completely or not at all. */
async function fileRenderer(
  file: string,
  rows: Omit<RenderOptions, "out">,
  context: Pick<Context, "clock" | "deferShutdown" | "folder" | "messages" | "options">,
): Promise<Renderer> {
  const { clock, options } = context;
  const format = formatByName(file);
  if (format === undefined || format === "tsv") {
    const message = `--out must end with .json, .ndjson, .yaml, .csv or .xlsx, not ${JSON.stringify(file)}`;
    throw usageError(message, "For example: --out courses.xlsx");
  }
  // With --json, only messages are JSON.
  if (options.output !== undefined && options.output !== format) {
    throw usageError(`--out ${file} cannot be combined with --output ${options.output}`);
  }
  const workbook = format === WORKBOOK ? clock.uuid() : undefined;
  const exists = existsSync(resolve(context.folder, file));
  const content = await createRowFile(format, { ...rows, workbook });
  return {
    rows: content.rows,
    end: async () => {
      await writeOutput(file, await content.end(), context);
      await context.messages.info(`${exists ? "Replaced" : "Wrote"} ${escapeLine(file)}.`);
    },
  };
}
