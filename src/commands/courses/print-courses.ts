/** Prints courses in any output format, or writes them to a file; as CSV also in the form that Excel opens correctly. */
import { usageError } from "../../base/errors.ts";
import { formatByName } from "../../base/files.ts";
import { FILE_FLAG, type Flag, type FlagValues } from "../../cli/arguments.ts";
import type { Context } from "../../cli/context.ts";
import { FIELD_NAMES, shapeAt, suggestPath } from "../../course/fields.ts";
import { PRINTED_FORMATS, type Printed } from "../../output/formats.ts";
import type { Renderer } from "../../output/renderer.ts";

export const PRINT_FLAGS = [
  FILE_FLAG,
  {
    name: "excel",
    description:
      "for CSV: write what Excel opens correctly, and make cells that look like formulas harmless",
  },
] as const satisfies readonly Flag[];

/** The output of commands that print courses. */
export const COURSES: Printed = {
  formats: PRINTED_FORMATS.courses,
  columns: FIELD_NAMES,
  hasPath: (path) => shapeAt(path) !== undefined,
  suggestPath,
};

/**
 * A renderer for courses. @param single whether exactly one course is printed: as JSON, an object instead of a list
 * @throws CatalogError of kind `usage` for formats and flags that do not fit
 */
export async function courseRenderer(
  kind: "list" | "single",
  { excel, out }: FlagValues<typeof PRINT_FLAGS>,
  context: Context,
  single = false,
): Promise<Renderer> {
  const format = out === undefined ? context.options.format : formatByName(out);
  if (excel && format !== "csv") {
    throw usageError("--excel needs CSV", "Add --output csv, or --out courses.csv.");
  }
  const rows = {
    columns: ["id", "name", "published", "approval_status"],
    isCourse: true,
    isForExcel: excel,
    file: out,
  };
  return await context.rows({ kind, ...rows, single });
}
