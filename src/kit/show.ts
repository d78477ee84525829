/** Chooses how rows are shown, from the command, the flags and the terminal (cli.md section 3). */
import { usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { defaultLayout } from "../output/format.ts";
import { createRenderer, type Renderer } from "../output/render.ts";
import type { Context } from "./context.ts";

/** What a command shows. */
export interface Showing {
  readonly kind: "list" | "single";
  /** The columns of the table when no fields are asked for. */
  readonly columns: readonly string[];
  /** Every column, in order: what `--fields` may name, and what CSV holds. */
  readonly allColumns: readonly string[];
  /** Whether exactly one row was asked for by name, so that JSON is an object. */
  readonly single?: boolean;
}

/** Checks `--fields` against the columns. @throws CatalogError of kind `usage` */
export function checkFields(fields: readonly string[] | undefined, known: readonly string[]): void {
  for (const field of fields ?? []) {
    const name = /^[^.[]+/.exec(field)?.[0] ?? field;
    if (known.includes(name)) continue;
    const meant = closest(name, known);
    throw usageError(
      `--fields names an unknown field: ${field}`,
      meant === undefined ? `Known are ${known.join(", ")}.` : `Did you mean ${meant}?`,
    );
  }
}

/** The renderer for rows, in the format asked for or the one that suits the terminal. */
export async function rendererFor(
  showing: Showing,
  context: Pick<Context, "io" | "options" | "paint">,
): Promise<Renderer> {
  const { options, io } = context;
  checkFields(options.fields, showing.allColumns);
  return await createRenderer({
    layout: options.format ?? defaultLayout(showing.kind, io.out.isTerminal),
    columns: showing.columns,
    allColumns: showing.allColumns,
    ...(options.fields === undefined ? {} : { fields: options.fields }),
    single: showing.single === true,
    out: io.out,
    paint: await context.paint(),
  });
}
