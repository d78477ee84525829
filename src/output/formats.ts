/** Lists the output formats, and which of them a command prints. */
import type { Path } from "../base/values.ts";

/** The formats of rows that `--output` accepts. */
export const ROW_FORMATS = ["table", "tsv", "json", "ndjson", "yaml", "csv", "xlsx", "id"] as const;

export type Format = (typeof ROW_FORMATS)[number];

/** The format of a workbook for spreadsheet programs, which is written only if it is complete. */
export const WORKBOOK: Format = "xlsx";

/** The formats that `--output` accepts: those of rows, text for people, and annotations for GitHub. */
export const FORMATS = [...ROW_FORMATS, "human", "github"] as const;

/** What a command prints: what `--output` and `--fields` accept. */
export interface Printed {
  readonly formats: readonly (typeof FORMATS)[number][];
  /** The fields of the rows; none if what is printed has no rows. */
  readonly columns?: readonly string[];
  /** Whether the rows can have a value at a path below a column; by default, they can. */
  readonly hasPath?: (path: Path) => boolean;
  /** The path that another one may mean. */
  readonly suggestPath?: (path: Path) => string | undefined;
  /** Whether rows are printed only with `--output` or `--json`. */
  readonly onRequest?: boolean;
}

/** The formats that commands print, by what they print. */
export const PRINTED_FORMATS = {
  courses: ROW_FORMATS,
  results: ["table", "tsv", "json", "ndjson", "csv", "id"],
  problems: ["human", "json", "github"],
  differences: ["human", "json", "ndjson", "id"],
  records: ["table", "tsv", "json", "ndjson", "csv"],
} as const satisfies Record<string, Printed["formats"]>;

export const REPORT_FORMATS = ["junit", "sarif", "codequality", "markdown", "html"] as const;

/** The formats of the reports of `check`, which can give a table back. */
export const CHECK_REPORTS = [...REPORT_FORMATS, "xlsx", "csv"] as const;

export type ReportFormat = (typeof CHECK_REPORTS)[number];

/** Whether messages and errors are JSON lines, because the reader is a program. */
export function hasJsonMessages(format: unknown): boolean {
  return format === "json" || format === "ndjson";
}
