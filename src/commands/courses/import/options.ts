/** The options of `import`, and the format that they select. */
import { extname } from "node:path";
import { usageError } from "../../../base/errors.ts";
import type { Path } from "../../../base/values.ts";
import { COURSE_EXTENSIONS, formatOf } from "../../../files/parse.ts";

/** The formats that import writes. */
export const IMPORT_FORMATS = ["yaml", "json", "csv", "ndjson"] as const;

export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** What `import` reads and writes. */
export interface ImportOptions {
  readonly paths: readonly string[];
  /** The file of the mapping, or `schema.org`. */
  readonly map: string | undefined;
  readonly from: Path | undefined;
  readonly out: string | undefined;
  readonly format: ImportFormat;
  readonly suggest: boolean;
  readonly dryRun: boolean;
}

/** Whether `--out` names a file, by its extension. */
export function isFileName(out: string): boolean {
  return COURSE_EXTENSIONS.includes(extname(out).toLowerCase());
}

const UNWRITABLE = /\.(xlsx?|ods|txt|html?)$/i;

/** The format of `--out`, or of `--format`. @throws CatalogError of kind `usage` if they differ */
export function formatFor(out: string | undefined, format: ImportFormat | undefined): ImportFormat {
  if (out === undefined) return format ?? "yaml";
  const own = isFileName(out) ? formatOf(out) : undefined;
  if (own === "tsv" || UNWRITABLE.test(out)) {
    throw usageError(
      `import cannot write ${extname(out)} files: ${out}`,
      "Choose a folder, or a file that ends in .yaml, .json, .csv or .ndjson.",
    );
  }
  if (own !== undefined && format !== undefined && own !== format) {
    throw usageError(`--out ${out} is ${own}, but --format is ${format}`);
  }
  if (own === undefined && (format === "csv" || format === "ndjson")) {
    throw usageError(
      `${format} is one file for all courses, but --out ${out} is a folder`,
      `Pass the name of a file, such as --out courses.${format}.`,
    );
  }
  return own ?? format ?? "yaml";
}
