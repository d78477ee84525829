/** Prints rows that are complete, and the result for each course, of commands that change courses or write files. */
import { maskValue } from "../base/credentials.ts";
import { asCatalogError, CatalogError } from "../base/errors.ts";
import type { PlainObject } from "../base/values.ts";
import { type Result, toRow } from "../output/diagnostics.ts";
import { PRINTED_FORMATS, type Printed } from "../output/formats.ts";
import type { Context, Showing } from "./context.ts";

/** Prints rows that are complete. */
export async function printRows(
  rows: readonly PlainObject[],
  showing: Showing,
  context: Context,
): Promise<void> {
  const renderer = await context.rows(showing);
  await renderer.rows(rows);
  await renderer.end();
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

/** The columns of results. */
export const RESULT_COLUMNS = [
  ...["id", "name", "url", "file", "line", "action", "status", "error"],
  ...["reason", "unmanaged", "risks", "inCatalog"],
];

/** The output of commands that print a result for each course. */
export const RESULTS: Printed = {
  formats: PRINTED_FORMATS.results,
  columns: RESULT_COLUMNS,
  onRequest: true,
};

const SHOWING: Showing = {
  columns: ["id", "name", "file", "action", "status", "error"],
  // Columns that a table omits if they are empty: without files or failures, or if no course was read.
  optional: ["name", "file", "error"],
};

/** Opens the output of results, which are printed as they arrive. If one cannot be printed, the work continues. */
export async function openResults(context: Context) {
  const { io, options, messages } = context;
  const renderer = options.format && (await context.rows(SHOWING));
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
