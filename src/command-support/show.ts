/** Chooses how rows are shown, from the command, the flags and the terminal (cli.md section 3). */
import { usageError } from "../base/errors.ts";
import { defaultLayout } from "../output/format.ts";
import { createRenderer, type Renderer } from "../output/render.ts";
import type { Context } from "./context.ts";
import { checkFields, type FieldTree } from "./field-names.ts";
import type { GlobalOptions } from "./globals.ts";

export { checkFields } from "./field-names.ts";

/** What a command shows. */
export interface Showing {
  readonly kind: "list" | "single";
  /** The columns of the table when no fields are asked for. */
  readonly columns: readonly string[];
  /** Every column, in order: what `--fields` may name, and what CSV holds. */
  readonly allColumns: readonly string[];
  /** What `--fields` may name beside these. */
  readonly hidden?: readonly string[];
  /** What paths in `--fields` may lead to, by column. */
  readonly inside?: Readonly<Record<string, FieldTree>>;
  /** The columns that a table leaves out where no row has anything in them. */
  readonly optional?: readonly string[];
  /** Whether exactly one row was asked for by name, so that JSON is an object. */
  readonly single?: boolean;
  /** Milliseconds since 1970, where a terminal is to tell how long ago times are. */
  readonly now?: number;
}

type Options = Pick<GlobalOptions, "format" | "fields">;

/** What `--fields` may choose from. */
type Choice = Pick<Showing, "allColumns" | "hidden" | "inside">;

/** Checks the format and `--fields` against what is to be shown. */
function checkShowing(
  { allColumns, hidden = [], inside }: Choice,
  { format, fields }: Options,
): void {
  checkFields(fields, [...allColumns, ...hidden], inside);
  if (format === "id" && fields !== undefined && fields.join() !== "id") {
    throw usageError(
      "--output id prints ids and nothing else",
      "Leave --fields out, or name another format.",
    );
  }
}

/**
 * The same for a command that shows rows only in a format that is asked for, where `--fields` alone
 * would do nothing.
 *
 * @throws CatalogError of kind `usage`
 */
export function checkNamedFormat(choice: Choice, options: Options): void {
  if (options.fields !== undefined && options.format === undefined) {
    throw usageError(
      "--fields chooses among the keys of --json and the other formats: name one",
      "Such as --json, or --output table.",
    );
  }
  checkShowing(choice, options);
}

/** The renderer for rows, in the format asked for or the one that suits the terminal. */
export async function rendererFor(
  showing: Showing,
  context: Pick<Context, "io" | "options" | "styles">,
): Promise<Renderer> {
  const { options, io } = context;
  const { kind, columns, allColumns, optional, single = false, now } = showing;
  checkShowing(showing, options);
  return await createRenderer({
    layout: options.format ?? defaultLayout(kind, io.out.isTerminal),
    columns,
    allColumns,
    ...(options.fields === undefined ? {} : { fields: options.fields }),
    ...(optional === undefined ? {} : { optional }),
    single,
    ...(now === undefined ? {} : { now }),
    out: io.out,
    paint: await context.styles(),
  });
}
