/** Prints rows in the format of `--output` or, by default, in a format for the terminal or for scripts. */
import { usageError } from "../base/errors.ts";
import type { PlainObject } from "../base/values.ts";
import {
  capabilitiesOf,
  createRenderer,
  defaultLayout,
  type Format,
  JSON_FORMAT,
} from "../output/formats.ts";
import type { Renderer, RowOptions } from "../output/renderer.ts";
import type { Context } from "./context.ts";
import { checkFields, type FieldTrees } from "./fields-flag.ts";
import type { GlobalOptions } from "./globals.ts";

/** The rows of a command. `--fields` accepts their columns. */
export interface Showing extends RowOptions {
  readonly kind: "list" | "single";
  /** Further columns, which CSV does not contain. */
  readonly hidden?: readonly string[];
  /** The parts of columns that paths in `--fields` may name. */
  readonly inside?: FieldTrees;
}

type FieldNames = Pick<Showing, "columns" | "allColumns" | "hidden" | "inside">;

type FormatOptions = Pick<GlobalOptions, "format" | "fields">;

function checkOptions(showing: FieldNames, { format, fields }: FormatOptions): void {
  const { allColumns = showing.columns, hidden = [], inside } = showing;
  checkFields(fields, [...allColumns, ...hidden], inside);
  if (fields === undefined || format === undefined || fields.join() === "id") return;
  if (capabilitiesOf(format).onlyIds) {
    throw usageError(`--fields cannot be combined with --output ${format}, which prints only ids`);
  }
}

/** Requires a format for `--fields`, for a command that prints rows only with `--output`. */
export function checkNamedFormat(showing: FieldNames, options: FormatOptions): void {
  if (options.fields !== undefined && options.format === undefined) {
    throw usageError("--fields needs --output or --json", "Add --json, or --output table.");
  }
  checkOptions(showing, options);
}

/** Rejects a format that prints only ids, for rows without ids. @throws CatalogError of kind `usage` */
export function requireMoreThanIds(command: string, format: Format | undefined): void {
  if (format === undefined || !capabilitiesOf(format).onlyIds) return;
  throw usageError(
    `--output ${format} is not available for ${command}, which has no ids`,
    "Use --json, or another format.",
  );
}

/** Rejects a format that cannot print a document, and `--fields`. @throws CatalogError of kind `usage` */
export function requireDocumentFormat(command: string, { format, fields }: FormatOptions): void {
  if (format !== undefined && !capabilitiesOf(format).isDocument) {
    const message = `--output ${format} is not available for ${command}`;
    throw usageError(message, "Use --output json or --output yaml.");
  }
  if (fields !== undefined) throw usageError(`--fields is not available for ${command}`);
}

/** Prints one document in the requested format, which is JSON by default. */
export async function showDocument(
  document: PlainObject,
  context: Pick<Context, "io" | "options" | "styles" | "messages">,
): Promise<void> {
  const { format = JSON_FORMAT } = context.options;
  const renderer = await rendererFor(
    { kind: "single", columns: [], single: true },
    { ...context, options: { ...context.options, format } },
  );
  await renderer.rows([document]);
  await renderer.end();
}

/** A renderer for rows, in the format of `--output` or the default. @throws CatalogError of kind `usage` */
export async function rendererFor(
  showing: Showing,
  context: Pick<Context, "io" | "options" | "styles" | "messages">,
): Promise<Renderer> {
  const { options, io } = context;
  checkOptions(showing, options);
  const layout = options.format ?? defaultLayout(showing.kind, io.out.isTerminal);
  const { fields, format } = options;
  if (capabilitiesOf(layout).isWorkbook === true && io.out.isTerminal) {
    const message = `a terminal cannot show the workbook of --output ${layout}`;
    throw usageError(message, "Redirect it to a file, for example: > courses.xlsx");
  }
  return await createRenderer(layout, {
    ...showing,
    fields,
    isForPeople: format === undefined ? showing.isForPeople : undefined,
    out: io.out,
    styles: context.styles,
    fail: (error) => context.messages.fail(error),
  });
}
