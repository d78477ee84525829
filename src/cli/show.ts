/** Prints rows in the format of `--output` or, by default, for the terminal or for scripts, or to a file; and results. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { asCatalogError, CatalogError, usageError } from "../base/errors.ts";
import { escapeLine } from "../base/text.ts";
import type { Outcome } from "../core/apply.ts";
import type { Risk, Step } from "../core/step.ts";
import type { Located } from "../course/problem.ts";
import { failureFacts } from "../output/failure.ts";
import {
  createRenderer,
  createRowFile,
  defaultLayout,
  formatOfFile,
  PRINTED_FORMATS,
  type Printed,
  WORKBOOK,
} from "../output/formats.ts";
import type { Renderer, RowOptions } from "../output/renderer.ts";
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

/** The rows of a command. `--fields` accepts their columns. */
export interface Showing extends RowOptions {
  readonly kind: "list" | "single";
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
  const { options, io } = context;
  if (showing.file !== undefined) return await fileRenderer(showing.file, showing, context);
  const layout = options.format ?? defaultLayout(showing.kind, io.out.isTerminal);
  if (layout === WORKBOOK && io.out.isTerminal) {
    const message = `a terminal cannot show the workbook of --output ${layout}`;
    throw usageError(message, "Write it to a file: --out courses.xlsx");
  }
  return await createRenderer(layout, {
    ...showing,
    workbook: layout === WORKBOOK ? context.clock.uuid() : undefined,
    fields: options.fields,
    out: io.out,
    styles: context.styles,
  });
}

/** Writes rows to a file in the format of its extension, at the end, completely or not at all. */
async function fileRenderer(
  file: string,
  showing: Showing,
  context: Pick<Context, "clock" | "deferShutdown" | "folder" | "messages" | "options" | "styles">,
): Promise<Renderer> {
  const { clock, options, styles } = context;
  const format = formatOfFile(file);
  if (format === undefined) {
    const message = `--out must end with .json, .ndjson, .yaml, .csv or .xlsx, not ${JSON.stringify(file)}`;
    throw usageError(message, "For example: --out courses.xlsx");
  }
  // With --json, only messages are JSON.
  if (options.output !== undefined && options.output !== format) {
    throw usageError(`--out ${file} cannot be combined with --output ${options.output}`);
  }
  const workbook = format === WORKBOOK ? clock.uuid() : undefined;
  const facts = { fields: options.fields, workbook, styles };
  const exists = existsSync(resolve(context.folder, file));
  const content = await createRowFile(format, { ...showing, ...facts });
  return {
    rows: content.rows,
    end: async () => {
      await writeOutput(file, await content.end(), context);
      await context.messages.info(`${exists ? "Replaced" : "Wrote"} ${escapeLine(file)}.`);
    },
  };
}

/** The result for one course: of a step, or of a course of a file that is written. */
export interface Result extends Pick<Outcome, "status" | "error"> {
  /** What was to be done with the course. */
  readonly step: {
    readonly id: string | null;
    readonly name: unknown;
    readonly url: unknown;
    /** Where the course is described. */
    readonly from?: Pick<Located, "file" | "line"> | undefined;
    readonly action: Step["action"];
    /** What a refused step would have done. */
    readonly wanted?: Step["action"];
    /** The fields that the course has in the catalog, and that are missing from its file. */
    readonly unmanaged?: readonly string[] | undefined;
    readonly risks?: readonly Risk[] | undefined;
    readonly compared?: Step["compared"];
    readonly reason?: string;
  };
}

const COURSE = ["id", "name", "url", "file", "line"];
export const RESULT_COLUMNS = [
  ...COURSE,
  "action",
  "status",
  "error",
  "reason",
  "unmanaged",
  "risks",
  "inCatalog",
];

/** The output of commands that print a result for each course. */
export const RESULTS: Printed = {
  formats: PRINTED_FORMATS.results,
  columns: RESULT_COLUMNS,
  onRequest: true,
};

const SHOWING: Showing = {
  kind: "list",
  columns: ["id", "name", "file", "action", "status", "error"],
  allColumns: RESULT_COLUMNS,
  // Columns that a table omits if they are empty: without files or failures, or if no course was read.
  optional: ["name", "file", "error"],
};

/** Opens the output of results, which are printed as they arrive. If one cannot be printed, the work continues. */
export async function openResults(context: Context) {
  const { io, options, messages } = context;
  const renderer = options.format && (await rendererFor(SHOWING, context));
  let failure: CatalogError | undefined;
  const attempt = async (print: () => Promise<void>): Promise<void> => {
    failure ??= await print().then(() => undefined, asCatalogError);
  };
  return {
    /** @param plain what is printed without `--output` */
    add: (result: Result, plain = ""): Promise<void> =>
      attempt(async () => await (renderer?.rows([toRow(result)]) ?? io.out.write(plain))),
    /** Ends the output, which may be an empty list, and reports why results could not be printed. */
    end: async (): Promise<void> => {
      await attempt(async () => await renderer?.end());
      if (io.out.closed) failure ??= new CatalogError("output", "standard output was closed");
      if (failure !== undefined) await messages.fail(failure);
    },
  };
}

/** Prints results that are complete. */
export async function printResults(results: readonly Result[], context: Context): Promise<void> {
  const printed = await openResults(context);
  for (const result of results) await printed.add(result);
  await printed.end();
}

/** A result as plain data for JSON. Unknown values are null. */
export function toRow({ step, status, error }: Result) {
  const { id, name, url, from, action, wanted = action, unmanaged, risks = [], compared } = step;
  const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    id,
    name: textOf(name),
    url: textOf(url),
    file: from?.file ?? null,
    line: from?.line ?? null,
    action: wanted,
    status,
    error: error && failureFacts(error),
    reason: step.reason,
    unmanaged,
    risks: risks.length === 0 ? undefined : [...new Set(risks.map(({ kind }) => kind))],
    inCatalog: compared?.event,
  };
}
