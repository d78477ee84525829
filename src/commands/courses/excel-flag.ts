/** The flag for CSV that Excel opens correctly. */
import { usageError } from "../../base/errors.ts";
import type { Flag, FlagValues } from "../../command-support/arguments.ts";
import type { Context } from "../../command-support/context.ts";
import { capabilitiesOf } from "../../output/formats.ts";

export const EXCEL_FLAGS = [
  {
    name: "excel",
    description:
      "with -o csv: write what Excel opens correctly, with an apostrophe before cells that it would execute",
  },
  // The name before --excel; to be removed with the next release.
  { name: "csv-safe", isHidden: true, description: "same as --excel" },
] as const satisfies readonly Flag[];

/** Whether CSV is written for Excel. @throws CatalogError of kind `usage` for any other format */
export function isForExcel(
  { excel, csvSafe }: FlagValues<typeof EXCEL_FLAGS>,
  { options: { format } }: Pick<Context, "options">,
): boolean {
  if (!excel && !csvSafe) return false;
  if (format !== undefined && capabilitiesOf(format).hasExcelForm === true) return true;
  throw usageError(
    `--${excel ? "excel" : "csv-safe"} requires --output csv`,
    "Add --output csv, or write a workbook with --output xlsx.",
  );
}
