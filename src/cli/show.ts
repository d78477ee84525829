/** Prints rows in the format of `--output` or, by default, in a format for the terminal or for scripts. */
import { usageError } from "../base/errors.ts";
import { createRenderer, defaultLayout, WORKBOOK } from "../output/formats.ts";
import type { Renderer, RowOptions } from "../output/renderer.ts";
import type { Context } from "./context.ts";
import { checkFields } from "./globals.ts";

/** The rows of a command. `--fields` accepts their columns. */
export interface Showing extends RowOptions {
  readonly kind: "list" | "single";
  /** Further columns, which CSV does not contain. */
  readonly hidden?: readonly string[];
}

/** A renderer for rows, in the format of `--output` or the default. @throws CatalogError of kind `usage` */
export async function rendererFor(
  showing: Showing,
  context: Pick<Context, "io" | "options" | "styles">,
): Promise<Renderer> {
  const { options, io } = context;
  const { columns, allColumns = columns, hidden = [] } = showing;
  checkFields(options.fields, [...allColumns, ...hidden]);
  const layout = options.format ?? defaultLayout(showing.kind, io.out.isTerminal);
  const { fields, format } = options;
  if (layout === WORKBOOK && io.out.isTerminal) {
    const message = `a terminal cannot show the workbook of --output ${layout}`;
    throw usageError(message, "Redirect it to a file, for example: > courses.xlsx");
  }
  return await createRenderer(layout, {
    ...showing,
    fields,
    isForPeople: format === undefined ? showing.isForPeople : undefined,
    out: io.out,
    styles: context.styles,
  });
}
