/** Prints courses in any output format, and as CSV that Excel opens correctly. */
import { usageError } from "../../base/errors.ts";
import type { Flag, FlagValues } from "../../cli/arguments.ts";
import type { Context } from "../../cli/context.ts";
import { rendererFor } from "../../cli/show.ts";
import { FIELD_NAMES } from "../../course/field-names.ts";
import { PRINTED_FORMATS, type Printed } from "../../output/formats.ts";
import type { Renderer } from "../../output/renderer.ts";

export const EXCEL_FLAGS = [
  {
    name: "excel",
    description:
      "with -o csv: write what Excel opens correctly, and make cells that look like formulas harmless",
  },
] as const satisfies readonly Flag[];

/** The output of commands that print courses. */
export const COURSES: Printed = { formats: PRINTED_FORMATS.courses, columns: FIELD_NAMES };

/**
 * A renderer for courses. @param single whether exactly one course is printed: as JSON, an object instead of a list
 * @throws CatalogError of kind `usage` for formats and flags that do not fit
 */
export async function courseRenderer(
  kind: "list" | "single",
  { excel }: FlagValues<typeof EXCEL_FLAGS>,
  context: Context,
  single = false,
): Promise<Renderer> {
  const { format } = context.options;
  if (excel && format !== "csv") {
    throw usageError(
      "--excel needs --output csv",
      "Add --output csv. To write a workbook, pass --output xlsx instead.",
    );
  }
  const rows = {
    columns: ["id", "name", "published", "approval_status"],
    allColumns: FIELD_NAMES,
    isCourse: true,
    isForExcel: excel,
  };
  return await rendererFor({ kind, ...rows, single }, context);
}
