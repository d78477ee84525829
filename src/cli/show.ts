/** Prints rows in the format of `--output` or, by default, for the terminal or for scripts; or to a file. */
import { resolve } from "node:path";
import { writeFileAtomically } from "../base/atomic-write.ts";
import { usageError } from "../base/errors.ts";
import {
  createRenderer,
  createRowFile,
  defaultLayout,
  formatOfFile,
  WORKBOOK,
} from "../output/formats.ts";
import type { Renderer, RowOptions } from "../output/renderer.ts";
import { type Flag, newFile } from "./arguments.ts";
import type { Context } from "./context.ts";

/** The flag of commands that list data. Some shells destroy the bytes of a workbook that is redirected. */
export const FILE_FLAG = {
  name: "out",
  value: "<file>",
  parse: newFile,
  description: "write JSON, NDJSON, YAML, CSV or XLSX, by the extension, to this file",
} as const satisfies Flag;

/** The rows of a command. `--fields` accepts their columns. */
export interface Showing extends RowOptions {
  readonly kind: "list" | "single";
  /** Further columns, which CSV does not contain. */
  readonly hidden?: readonly string[];
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
  context: Pick<Context, "folder" | "io" | "options" | "styles">,
): Promise<Renderer> {
  const { options, io } = context;
  if (showing.file !== undefined) return await fileRenderer(showing.file, showing, context);
  const layout = options.format ?? defaultLayout(showing.kind, io.out.isTerminal);
  if (layout === WORKBOOK && io.out.isTerminal) {
    const message = `a terminal cannot show the workbook of --output ${layout}`;
    throw usageError(message, "Write it to a file: --out courses.xlsx");
  }
  return await createRenderer(layout, {
    ...showing,
    fields: options.fields,
    out: io.out,
    styles: context.styles,
  });
}

/** Writes rows to a file in the format of its extension, at the end, completely or not at all. */
async function fileRenderer(
  file: string,
  showing: Showing,
  { folder, options, styles }: Pick<Context, "folder" | "options" | "styles">,
): Promise<Renderer> {
  const format = formatOfFile(file);
  if (format === undefined) {
    const message = `--out must end with .json, .ndjson, .yaml, .csv or .xlsx, not ${JSON.stringify(file)}`;
    throw usageError(message, "For example: --out courses.xlsx");
  }
  // With --json, only messages are JSON.
  if (options.output !== undefined && options.output !== format) {
    throw usageError(`--out ${file} cannot be combined with --output ${options.output}`);
  }
  const content = await createRowFile(format, { ...showing, fields: options.fields, styles });
  return {
    rows: content.rows,
    end: async () =>
      await writeFileAtomically(resolve(folder, file), await content.end(), { name: file }),
  };
}
