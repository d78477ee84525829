/** Opens the output of rows: in the format of `--output`, by default for the terminal or for scripts, or in a file. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { usageError } from "../base/errors.ts";
import { formatByName } from "../base/files.ts";
import { escapeLine } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import { type Format, WORKBOOK } from "../output/formats.ts";
import { createRenderer, createRowFile } from "../output/layouts.ts";
import type { Renderer, RenderOptions } from "../output/renderer.ts";
import type { Context, Showing } from "./context.ts";
import { writeOutput } from "./work.ts";

/** What `rows` of the context does. */
export async function openRows(showing: Showing, context: Context): Promise<Renderer> {
  const { options, io, styles } = context;
  const { kind = "list", columns = options.columns ?? [], file, ...others } = showing;
  const rows = { ...others, columns, allColumns: options.columns, fields: options.fields, styles };
  if (file !== undefined) return await openFile(file, rows, context);
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

/** Writes rows to a file in the format of its extension, at the end, completely or not at all. */
async function openFile(
  file: string,
  rows: Omit<RenderOptions, "out">,
  context: Context,
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

/** The content of a new file with these courses. @param memory the courses that a workbook remembers; by default, all */
export async function fileContent(
  format: Format,
  courses: readonly PlainObject[],
  columns: readonly string[],
  { clock, styles }: Context,
  memory?: readonly PlainObject[],
): Promise<Uint8Array> {
  const workbook = format === WORKBOOK ? clock.uuid() : undefined;
  const facts = { columns, cleared: "null", workbook, memory, styles };
  const content = await createRowFile(format, facts);
  await content.rows(courses);
  return await content.end();
}
